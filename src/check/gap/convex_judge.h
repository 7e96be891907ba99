#pragma once

#include <limits>
#include <type_traits>

#include "check/gap/gjk.h"
#include "check/verdict/tally.h"

namespace repose::check {

/// All that one judgement of two convex bodies needs, frame of a: the best plane and the best
/// points found so far.
template <class Real>
struct ConvexJudge {
  using Vec3 = VecOf<Real>;

  ConvexPairOf<Real> pair;
  Real size, width, enough;
  struct {
    Real lower = -std::numeric_limits<Real>::infinity();
    Real upper = std::numeric_limits<Real>::infinity();
    Vec3 point_a = Vec3::Zero(), point_b = Vec3::Zero();
  } g;
  Vec3 direction = Vec3::UnitZ();  // of the best plane
  /// Planes that part the two when one border is drawn in so far; depth 0: there are none.
  struct Drawn {
    double depth = 0.0;  // m
    Vec3 direction = Vec3::UnitZ();
  };
  Drawn drawn_a{}, drawn_b{};
  long planes = 0;

  Vec3 center_a() const { return pair.a.center().template cast<Real>(); }
  Vec3 center_b() const { return pair.frame * pair.b.center().template cast<Real>(); }

  bool closed() const { return g.upper - g.lower <= width; }
  Real skins() const { return pair.a.skin() + pair.b.skin(); }

  void try_plane(const Vec3& d) {
    const Real bound = pair.plane_bound(d);
    ++planes;
    if (!(bound > g.lower)) return;
    g.lower = bound;
    direction = d;
  }
  /// The depth that two core points `apart` from each other prove: one of them, moved towards the
  /// other as far as its skin goes, lies so deep in the other body.
  Real upper_of(Real apart) const {
    const Real a = pair.a.skin(), b = pair.b.skin();
    if (apart >= a + b) return apart - a - b;
    return -std::max<Real>(b - std::max<Real>(0.0, apart - a), a - std::max<Real>(0.0, apart - b));
  }
  /// `more`: what they are off by beyond the pair's rounding, m.
  void try_points(const Vec3& a, const Vec3& b, Real more = 0.0) {
    const Real upper = upper_of((b - a).norm() + pair.error + more);
    if (!(upper < g.upper)) return;
    g.upper = upper;
    g.point_a = a;
    g.point_b = b;
  }
  /// A surface point moved inward by a few rounding errors.
  Vec3 into_a(const Vec3& p) const { return inward(p, center_a()); }
  Vec3 into_b(const Vec3& p) const { return inward(p, center_b()); }
  Vec3 inward(const Vec3& p, const Vec3& center) const {
    constexpr double kInward = 16.0;
    const Vec3 way = center - p;
    if constexpr (std::is_same_v<Real, double>) return p + kInward * pair.error / size * way;
    const Real length = way.norm();
    return length > 0.0 ? Vec3(p + way * (kInward * pair.error / length)) : p;
  }
  /// A point proven inside both: its depth in either is a proof of overlap.
  void try_common(const Vec3& p) {
    ++tally.supports;
    const Vec3 in_b = pair.frame.turn.transpose() * (p - pair.frame.shift);
    const Real a = pair.a.template depth_of<Real>(p, pair.error),
               b = pair.b.template depth_of<Real>(in_b, pair.error);
    if (!(a > 0.0) || !(b > 0.0) || -std::max<Real>(a, b) >= g.upper) return;
    g.upper = -std::max<Real>(a, b);
    g.point_a = g.point_b = p;
  }
};

/// Looks for planes and points until the bracket is closed, or nothing more is known to try.
template <class Real>
void judge(ConvexJudge<Real>& j);

/// Where that left an overlap open: points ever farther from where the two come nearest, and from
/// where they reach farthest, towards the middle of either. A tip or a rim in the other body is in
/// both by more than rounding only where its own body has become wide enough.
template <class Real>
void try_behind(ConvexJudge<Real>& j);

}  // namespace repose::check
