#include "check/gap/circle_distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "repose/math/interval.h"

#include "check/verdict/tally.h"

namespace repose::check {

namespace {

constexpr int kSamples = 64;         // places of the circle from which the nearest is sought
constexpr int kMostSteps = 60;       // of the search for the nearest
constexpr int kMostPieces = 50'000;  // of the circle in one proof
constexpr double kNarrowest = 1e-9;  // rad: pieces below are not halved
constexpr double kTwoPi = 2.0 * std::numbers::pi;

/// A value with two derivatives along the angle.
struct Jet {
  Interval value, first, second;
};
Jet operator+(const Jet& a, const Jet& b) {
  return {a.value + b.value, a.first + b.first, a.second + b.second};
}
Jet operator-(const Jet& a, const Jet& b) {
  return {a.value - b.value, a.first - b.first, a.second - b.second};
}
Jet operator*(Interval c, const Jet& a) {
  return {c * a.value, c * a.first, c * a.second};
}
Jet squared(const Jet& a) {
  const Interval two = 2.0;
  return {square(a.value), two * a.value * a.first, two * (square(a.first) + a.value * a.second)};
}

/// Points c + e1 cos t + e2 sin t, and a circle of radius `ring` about z at height 0.
struct Circles {
  Vec3 c, e1, e2;
  double ring;

  Vec3 point(double t) const { return c + std::cos(t) * e1 + std::sin(t) * e2; }
  Vec3 beside(const Vec3& p) const {
    const double r = std::hypot(p.x(), p.y());
    return r > 0.0 ? Vec3(ring * p.x() / r, ring * p.y() / r, 0.0) : Vec3(ring, 0.0, 0.0);
  }
  double distance(double t) const {
    const Vec3 p = point(t);
    return std::hypot(std::hypot(p.x(), p.y()) - ring, p.z());
  }
  Jet coordinate(int k, const Interval& cosine, const Interval& sine) const {
    const Interval a = e1[k], b = e2[k];
    const Interval turning = a * cosine + b * sine;
    return {Interval(c[k]) + turning, b * cosine - a * sine, -turning};
  }
};

/// The least of value + first x + second x^2 / 2 for |x| <= h, where only the second varies.
double least_of(const Interval& value, const Interval& first, const Interval& second, double h) {
  const Interval slope = first * Interval(-h, h);
  const Interval bend = Interval(0.5) * second * square(Interval(-h, h));
  double least = (value + slope + bend).lo;
  // a parabola that bends up has its least point within
  if (second.lo > 0.0) {
    const Interval steep = square(Interval(first.mag()));
    least = std::max(least, (value - steep / (Interval(2.0) * Interval(second.lo))).lo);
  }
  return least;
}

/// One piece of the circle, of half width h about t, keeps farther than d0 from the other.
bool keeps_away(const Circles& at, double t, double h, double d0) {
  const Interval here(t), all(detail::below(t - h), detail::above(t + h));
  const auto jets = [&](const Interval& angle, Jet& square_root, Jet& whole) {
    const Interval cosine = cos(angle), sine = sin(angle);
    const Jet x = at.coordinate(0, cosine, sine), y = at.coordinate(1, cosine, sine),
              z = at.coordinate(2, cosine, sine);
    square_root = squared(x) + squared(y);
    whole = square_root + squared(z);
    // |p|^2 + ring^2 - d0^2
    whole.value += square(Interval(at.ring)) - square(Interval(d0));
  };
  Jet across, whole, across_all, whole_all;
  jets(all, across_all, whole_all);
  // near the middle of the other circle: by the boxes alone
  const Interval rho = sqrt(across_all.value);
  if ((whole_all.value - Interval(2.0) * Interval(at.ring) * rho).lo > 0.0) return true;
  if (!(whole_all.value.lo > 0.0)) return false;
  // |p|^2 + ring^2 - d0^2 > 2 ring rho, both sides squared
  jets(here, across, whole);
  const Interval four = Interval(4.0) * square(Interval(at.ring));
  const Jet f = squared(whole) - four * across, f_all = squared(whole_all) - four * across_all;
  return least_of(f.value, f.first, f_all.second, detail::above(h)) > 0.0;
}

/// All of the circle keeps farther than d0 from the other.
bool all_keep_away(const Circles& at, double d0, const DistanceGoal& goal, long& tests) {
  struct Piece {
    double t, h;
  };
  constexpr int kFirst = 16;
  std::vector<Piece> open;
  // a little too wide, so that the ends of neighbours meet in doubles
  constexpr double kWide = 1.0 + 1e-9;
  for (int k = 0; k < kFirst; ++k)
    open.push_back({(k + 0.5) * kTwoPi / kFirst, kWide * 0.5 * kTwoPi / kFirst});
  for (int pieces = 0; !open.empty(); ++pieces) {
    if (pieces >= kMostPieces || goal.spent(tests)) return false;
    const Piece p = open.back();
    open.pop_back();
    ++tests;
    ++tally.pieces;
    if (keeps_away(at, p.t, p.h, d0)) continue;
    if (p.h < kNarrowest) return false;
    const double half = kWide * 0.5 * p.h;
    open.push_back({p.t - 0.5 * p.h, half});
    open.push_back({p.t + 0.5 * p.h, half});
  }
  return true;
}

/// Where the circle comes nearest to the other, as far as samples and golden section tell.
double nearest(const Circles& at) {
  constexpr double kGolden = 0.6180339887498949;
  double best = 0.0;
  for (int k = 1; k < kSamples; ++k)
    if (at.distance(kTwoPi * k / kSamples) < at.distance(best)) best = kTwoPi * k / kSamples;
  double low = best - kTwoPi / kSamples, high = best + kTwoPi / kSamples;
  for (int step = 0; step < kMostSteps; ++step) {
    ++tally.steps;
    const double s = high - kGolden * (high - low), t = low + kGolden * (high - low);
    (at.distance(s) < at.distance(t) ? high : low) = at.distance(s) < at.distance(t) ? t : s;
  }
  const double middle = 0.5 * (low + high);
  return at.distance(middle) < at.distance(best) ? middle : best;
}

}  // namespace

Distance circle_distance(double ring_a, double ring_b, const Frame& b_in_a,
                         const DistanceGoal& goal) {
  const Circles at{b_in_a.shift, ring_b * b_in_a.turn.col(0), ring_b * b_in_a.turn.col(1), ring_a};
  // the circle that the computed numbers describe and the true one
  const double slack = b_in_a.error(ring_b) + kSumError * (ring_a + ring_b + b_in_a.shift.norm());
  Distance d;
  const double t = nearest(at);
  d.point_b = at.point(t);
  d.point_a = at.beside(d.point_b);
  const double length = at.distance(t);
  d.upper = length + slack;
  const double enough = goal.enough + slack;
  const double wanted = length - 0.5 * goal.width;
  for (const double d0 :
       {wanted, std::min(enough, wanted), length - goal.width, length - kSamples * goal.width}) {
    if (!(d0 > 0.0) || !all_keep_away(at, d0, goal, d.tests)) continue;
    d.lower = std::max(0.0, d0 - slack);
    break;
  }
  d.clear = d.lower > 0.0;
  d.spent = !d.clear;
  return d;
}

}  // namespace repose::check
