#include "shape/sew/seam_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace repose::shape {
namespace {

/// Parameters of one stretch of each curve, run evenly along each other.
struct Stretch {
  double a0, a1, b0, b1;
};

double length_of(const IVec3& v) {
  return sqrt(square(v[0]) + square(v[1]) + square(v[2])).hi;
}

IVec3 difference(const IVec3& a, const IVec3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

Interval range(double s, double t) {
  return {std::min(s, t), std::max(s, t)};
}

/// How far the two ends of a stretch lie apart.
double apart_at(const Run& a, double ta, const Run& b, double tb) {
  return length_of(difference(a.curve.enclose({ta, ta}).c, b.curve.enclose({tb, tb}).c));
}

/// Of D(x) = a(a0 + x h) - b(b0 + x k) over [0, 1]: |D| is at most the larger of its ends' and an
/// eighth of the largest second derivative; or the extent of the box that holds all differences.
double bound(const Run& a, const Run& b, const Stretch& s) {
  const CurveEnclosure on_a = a.curve.enclose(range(s.a0, s.a1));
  const CurveEnclosure on_b = b.curve.enclose(range(s.b0, s.b1));
  const double box = length_of(difference(on_a.c, on_b.c));
  const Interval h = square(Interval(s.a1) - Interval(s.a0));
  const Interval k = square(Interval(s.b1) - Interval(s.b0));
  IVec3 second;
  for (std::size_t i = 0; i < 3; ++i) second[i] = on_a.ctt[i] * h - on_b.ctt[i] * k;
  const Interval ends(std::max(apart_at(a, s.a0, b, s.b0), apart_at(a, s.a1, b, s.b1)));
  const double taylor = (ends + Interval(0.125) * Interval(length_of(second))).hi;
  // a bound that is no number tells nothing
  return taylor <= box ? taylor : box;
}

/// The place on b nearest to a's middle, strictly within the stretch.
double middle_on(const Run& b, const Stretch& s, const Vec3& p, double* distance) {
  constexpr double kEdge = 1e-3;  // of the stretch: nearer to an end the middle is taken
  const double t = nearest_parameter(b.curve, range(s.b0, s.b1), p, distance);
  const double share = (t - s.b0) / (s.b1 - s.b0);
  return share > kEdge && share < 1.0 - kEdge ? t : 0.5 * (s.b0 + s.b1);
}

}  // namespace

double seam_gap(const Run& a, const Run& b, double enough, int budget) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  double worst = 0.0;
  std::vector<Stretch> open{{a.from, a.to, b.from, b.to}};
  while (!open.empty()) {
    const Stretch s = open.back();
    open.pop_back();
    const double here = bound(a, b, s);
    if (here <= enough) {
      worst = std::max(worst, here);
      continue;
    }
    if (budget-- <= 0) return std::min(here, std::numeric_limits<double>::max());
    const double middle = 0.5 * (s.a0 + s.a1);
    double distance = 0.0;
    const double across = middle_on(b, s, a.curve.point(middle), &distance);
    if (distance > enough) return kInf;
    open.push_back({s.a0, middle, s.b0, across});
    open.push_back({middle, s.a1, across, s.b1});
  }
  return worst;
}

double curve_extent(const SideCurve& curve, double enough, int budget) {
  const IVec3 start = curve.enclose({curve.domain().lo, curve.domain().lo}).c;
  double far = 0.0;
  std::vector<Interval> open{curve.domain()};
  while (!open.empty()) {
    const Interval t = open.back();
    open.pop_back();
    const double here = length_of(difference(curve.enclose(t).c, start));
    if (2.0 * here <= enough) {
      far = std::max(far, here);
      continue;
    }
    if (budget-- <= 0) return std::numeric_limits<double>::infinity();
    open.push_back({t.lo, t.mid()});
    open.push_back({t.mid(), t.hi});
  }
  return 2.0 * far;
}

}  // namespace repose::shape
