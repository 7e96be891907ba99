#include "sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nearest.h"
#include "touch_points.h"

namespace repose::pile {
namespace {

/// The way is halved at most this often; parts looked at, all in all, those of halved arcs as well.
constexpr int kMaxDepth = 12;
constexpr int kMaxParts = 400;
/// A slab that shows less than this share of the gap known does so because an arc's hull is wider
/// than the arc.
constexpr double kHullLoss = 0.5;

/// The least value on the way of a function that is f0 and f1 at its ends and whose second
/// derivative is at most `bend` over the squared length of the way.
double lowest(double f0, double f1, double bend) {
  if (bend <= 0.0) return std::min(f0, f1);
  const double at = 0.5 - (f1 - f0) / bend;
  if (at <= 0.0 || at >= 1.0) return std::min(f0, f1);
  return f0 + at * (f1 - f0) - 0.5 * bend * at * (1.0 - at);
}

double farthest_point(const Convex& set) {
  return set.bound_center.norm() + set.bound_radius;
}

/// A plane between the two sets somewhere on their ways.
struct Plane {
  double at = 0.0;              // share of the way
  Vec3 normal = Vec3::UnitZ();  // unit, from a to b
  double slab = 0.0;            // m, between the sets (of arcs: their hulls) across it
  double gap = 0.0;             // m, of the sets themselves there; at least the slab
};

/// One pair of sets on their ways.
class Chain {
 public:
  Chain(const Way& way_a, const Way& way_b, double least)
      : way_a_(way_a), way_b_(way_b), least_(least) {
    turn_a_ = way_a.turn.norm();
    turn_b_ = way_b.turn.norm();
    slide_ = (way_b.shift - way_a.shift).norm();
  }

  bool proven(const Convex& a, const Convex& b, const Vec3& normal) {
    return between(a, b, plane_at(a, b, 0.0, normal), look(a, b, 1.0, normal), 0);
  }

 private:
  Plane plane_at(const Convex& a, const Convex& b, double at, const Vec3& normal) const {
    const double slab = slab_between(a, way_a_.at(at), b, way_b_.at(at), normal);
    return {at, normal, slab, slab};
  }
  /// The plane across the nearest points; where the sets meet, one that proves nothing.
  Plane look(const Convex& a, const Convex& b, double at, const Vec3& guess) {
    const Nearest nearest = nearest_of(a, way_a_.at(at), b, way_b_.at(at), &guess);
    const double gap = nearest.apart ? nearest.gap : -std::numeric_limits<double>::infinity();
    if (!nearest.apart) return {at, guess, gap, gap};
    Plane out = plane_at(a, b, at, nearest.normal);
    out.gap = std::max(out.gap, gap);
    return out;
  }
  /// The plane goes evenly from one to the other: a point's height above it has the
  /// second derivative 2 n' . z' + n . z''. Or the gaps at both ends are wider than the way.
  bool by_plane(const Convex& a, const Convex& b, const Plane& p, const Plane& q) const {
    const double far_a = farthest_point(a), far_b = farthest_point(b), length = q.at - p.at;
    const double speed = slide_ + far_a * turn_a_ + far_b * turn_b_;
    const double swing = far_a * turn_a_ * turn_a_ + far_b * turn_b_ * turn_b_;
    const double bend =
        2.0 * (q.normal - p.normal).norm() * speed * length + swing * length * length;
    return lowest(p.slab, q.slab, bend) >= least_ || p.gap + q.gap - speed * length >= 2.0 * least_;
  }
  bool between(const Convex& a, const Convex& b, const Plane& p, const Plane& q, int depth) {
    if (by_plane(a, b, p, q)) return true;
    if (depth >= kMaxDepth || ++parts_ > kMaxParts) return false;
    const Plane middle = look(a, b, 0.5 * (p.at + q.at), p.normal);
    if (middle.gap < least_) return false;
    const bool arcs = a.core == Convex::Core::arc || b.core == Convex::Core::arc;
    if (arcs && middle.slab < kHullLoss * middle.gap) return by_half_arcs(a, b, p, q, depth);
    return between(a, b, p, middle, depth + 1) && between(a, b, middle, q, depth + 1);
  }
  bool by_half_arcs(const Convex& a, const Convex& b, const Plane& p, const Plane& q, int depth) {
    const bool split_a = a.core == Convex::Core::arc &&
                         (b.core != Convex::Core::arc || a.ring * a.half >= b.ring * b.half);
    for (const double side : {-1.0, 1.0}) {
      Convex half = split_a ? a : b;
      half.half *= 0.5;
      half.middle += side * half.half;
      const Convex &first = split_a ? half : a, &second = split_a ? b : half;
      if (!between(first, second, look(first, second, p.at, p.normal),
                   look(first, second, q.at, q.normal), depth))
        return false;
    }
    return true;
  }

  const Way &way_a_, &way_b_;
  double least_, turn_a_, turn_b_, slide_;
  int parts_ = 0;
};

}  // namespace

Pose Way::at(double share) const {
  if (turn.squaredNorm() == 0.0) return {from.position + share * shift, from.rotation};
  return {from.position + share * shift,
          (rotation_from_vector(share * turn) * from.rotation).normalized()};
}

Way way_between(const Pose& from, const Pose& to) {
  Way out;
  out.from = from;
  out.shift = to.position - from.position;
  out.turn = vector_from_rotation((to.rotation * from.rotation.conjugate()).normalized());
  return out;
}

bool stay_apart(const Convex& a, const Way& way_a, const Convex& b, const Way& way_b,
                const Vec3& normal, double least) {
  return Chain(way_a, way_b, least).proven(a, b, normal);
}

bool stays_above(const Vec3& origin, const Vec3& normal, const Convex& b, const Way& way_b,
                 double least) {
  const double turn = way_b.turn.norm(), far = farthest_point(b);
  for (int parts = 1; parts <= 1 << kMaxDepth / 2; parts *= 2) {
    const double part = 1.0 / parts;
    bool above = true;
    double before = height_above(origin, normal, b, way_b.at(0.0));
    for (int i = 1; i <= parts && above; ++i) {
      const double here = height_above(origin, normal, b, way_b.at(i * part));
      if (here < least) return false;
      above = lowest(before, here, far * turn * turn * part * part) >= least;
      before = here;
    }
    if (above) return true;
  }
  return false;
}

}  // namespace repose::pile
