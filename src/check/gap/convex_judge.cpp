#include "check/gap/convex_judge.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "check/gap/contact_polygon.h"

namespace repose::check {

namespace {

constexpr double kLift = 1e-3;           // of size: bodies moved apart to find the plane between
constexpr int kMostLifts = 12;           // planes improved at most so often
constexpr double kGainLeast = 1e-3;      // of the width: less gain ends the lifting
constexpr double kWell = 1e-6;           // of size: cores farther apart have a sharp direction
constexpr double kOfWidth = 0.25;        // how sharply depths are sought
constexpr std::size_t kMostEdges = 400;  // pairs of edge directions tried as planes

template <class Real>
using Judge = ConvexJudge<Real>;

/// Planes that flat faces and pairs of straight edges offer.
template <class Real>
void try_flat_planes(Judge<Real>& j) {
  using Vec = VecOf<Real>;
  const auto& turn = j.pair.frame.turn;
  const auto unit = [](const Vec3& n) -> Vec {
    if constexpr (std::is_same_v<Real, double>)
      return n;
    else
      return n.template cast<Real>().normalized();
  };
  for (const Vec3& n : j.pair.a.flat_normals()) j.try_plane(unit(n));
  for (const Vec3& n : j.pair.b.flat_normals()) j.try_plane(-(turn * unit(n)));
  const FacedCore *a = j.pair.a.faced(), *b = j.pair.b.faced();
  if (!a || !b || a->edges.size() * b->edges.size() > kMostEdges) return;
  for (const Vec3& e : a->edges)
    for (const Vec3& f : b->edges) {
      constexpr double kParallel = 1e-6;  // sine
      const Vec product = e.template cast<Real>().cross(turn * f.template cast<Real>());
      const Real sine = product.norm();
      if (sine <= kParallel) continue;
      j.try_plane(product / sine);
      j.try_plane(product / -sine);
    }
}

/// Moves b out along the best plane's normal; nearest points then give a better plane, and where
/// the two only touch they are the contact itself.
template <class Real>
void lift(Judge<Real>& j) {
  VecOf<Real> d = j.direction;
  Real before = -std::numeric_limits<Real>::infinity();
  for (int k = 0; k < kMostLifts && j.g.lower > before + kGainLeast * j.width && !j.closed(); ++k) {
    before = j.g.lower;
    const Real s = std::max<Real>(kLift * j.size, -2.0 * j.g.lower);
    const CoreDistanceOf<Real> c = core_distance<Real>(j.pair, s * d, kGainLeast * j.width,
                                                       std::numeric_limits<Real>::infinity());
    if (c.meet) return;
    j.try_plane(c.direction);
    const VecOf<Real> b = c.point_b - s * d;
    j.try_points(c.point_a, b);
    if (j.g.lower < -j.width) {
      j.try_common(j.into_a(c.point_a));
      j.try_common(j.into_b(b));
    }
    d = j.direction;
  }
}

/// Of bodies that the best plane nearly parts: nearest points after ever shorter lifts, which slip
/// past each other by ever less.
template <class Real>
void lift_less(Judge<Real>& j) {
  constexpr double kShorter = 0.1, kShortest = 1e-8;  // of the lift before; of size
  const VecOf<Real> d = j.direction;
  for (Real s = kShorter * kLift * j.size; s > kShortest * j.size; s *= kShorter) {
    if (j.closed() || j.g.lower < -j.width) return;
    const CoreDistanceOf<Real> c = core_distance<Real>(j.pair, s * d, kGainLeast * j.width,
                                                       std::numeric_limits<Real>::infinity());
    if (c.meet) return;
    j.try_points(c.point_a, c.point_b - s * d);
  }
}

/// How far the two are drawn in together for a whole share.
template <class Real>
Real reaches(const ConvexPairOf<Real>& pair) {
  const Real a = pair.a.reach(), b = pair.b.reach();
  return std::is_same_v<Real, double> ? a + b : 2.0 * std::min(a, b);
}

/// A point that both bodies still share when drawn in towards their centres lies deep in both.
template <class Real>
void try_drawn_in(Judge<Real>& j) {
  constexpr int kHalvings = 8;
  Real low = 0.0, high = -j.g.lower / reaches(j.pair);
  for (int k = 0; k < kHalvings && !(j.g.upper < -j.width); ++k) {
    j.pair.shrink = std::min<Real>(0.5, 0.5 * (low + high));
    const CoreDistanceOf<Real> c =
        core_distance<Real>(j.pair, VecOf<Real>::Zero(), j.pair.error, 0.0);
    if (c.meet) j.try_common(0.5 * (c.point_a + c.point_b));
    (c.meet ? low : high) = j.pair.shrink;
  }
  j.pair.shrink = 0.0;
}

/// Points deep in both.
template <class Real>
void try_overlap(Judge<Real>& j, const CoreDistanceOf<Real>& core) {
  if (core.meet) j.try_common(0.5 * (core.point_a + core.point_b));
  if (j.closed() || j.g.lower > 0.0) return;
  const SharedPointOf<Real> shared = shared_point<Real>(j.pair, j.direction);
  if (shared.found) {
    j.try_common(j.into_a(shared.on_a));
    j.try_common(j.into_b(shared.on_b));
    // of thin bodies only what lies between is within both by more than rounding
    if (!(j.g.upper < -j.width)) j.try_common(0.5 * (shared.on_a + shared.on_b));
  }
  if (!(j.g.upper < -j.width)) try_drawn_in(j);
}

/// One body's border drawn in by some depth.
template <class Real>
class Erosion {
 public:
  Erosion(Judge<Real>& judge, bool of_b) : judge_(judge), of_b_(of_b) {}

  /// No depth of any point of the other in this one exceeds the answer: a plane parts them when the
  /// border is drawn in so far.
  typename Judge<Real>::Drawn most() {
    typename Judge<Real>::Drawn out;
    const Real depth = halved([&](Real at) {
      const Drawn d = drawn_in(at);
      const bool parted = d.known && d.distance.lower > d.error;
      if (parted) out.direction = d.distance.direction;
      return parted;
    });
    out.depth = static_cast<double>(depth);
    return out;
  }
  /// Looks for points that both share when the border is drawn in; they prove their own depth.
  void try_points() {
    const Drawn whole = drawn_in(0.0);
    if (whole.known) judge_.try_points(whole.distance.point_a, whole.distance.point_b);
    halved([&](Real depth) {
      const Drawn d = drawn_in(depth);
      if (!d.known) return true;
      // it may lie on the other's border: a little further in it is proven to lie in both
      const VecOf<Real> p = 0.5 * (d.distance.point_a + d.distance.point_b);
      judge_.try_common(of_b_ ? judge_.into_a(p) : judge_.into_b(p));
      return !d.distance.meet;
    });
  }

 private:
  struct Drawn {
    CoreDistanceOf<Real> distance;
    Real error = 0.0;
    bool known = false;
  };
  Drawn drawn_in(Real depth) {
    Drawn out;
    const ConvexPairOf<Real>& pair = judge_.pair;
    const auto inner = (of_b_ ? pair.b : pair.a).eroded(static_cast<double>(depth));
    if (!inner) return out;
    const ConvexPairOf<Real> moved(of_b_ ? pair.a : *inner, of_b_ ? *inner : pair.b, pair.frame);
    out.error = moved.error;
    out.distance = core_distance<Real>(moved, VecOf<Real>::Zero(), moved.error, moved.error);
    out.known = true;
    ++judge_.planes;
    return out;
  }
  /// The least depth, to a share of the width, for which `parted` holds; it does for the largest.
  template <class Parted>
  Real halved(const Parted& parted) {
    Real low = 0.0, high = -judge_.g.lower;
    while (high - low > kOfWidth * judge_.width) {
      const Real middle = 0.5 * (low + high);
      if (!(middle > low) || !(middle < high)) break;
      (parted(middle) ? high : low) = middle;
    }
    return high;
  }

  Judge<Real>& judge_;
  bool of_b_;
};

/// Sharp edges across each other: neither planes nor the deepest corner tell the depth.
void try_erosion(Judge<double>& j) {
  if (!j.pair.a.eroded(0.0) || !j.pair.b.eroded(0.0)) return;
  Erosion<double> in_a(j, false), in_b(j, true);
  in_a.try_points();
  in_b.try_points();
  if (j.g.upper < -j.width) return;
  const auto drawn_a = in_a.most(), drawn_b = in_b.most();
  const double deepest = -std::max(drawn_a.depth, drawn_b.depth);
  if (!(deepest > j.g.lower)) return;
  j.g.lower = deepest;
  j.drawn_a = drawn_a;
  j.drawn_b = drawn_b;
}

/// Of bodies of very different size the smaller one's border alone can be drawn in finely enough.
void try_erosion(Judge<long double>& j) {
  const bool smaller_b = j.pair.b.reach() < j.pair.a.reach();
  if ((smaller_b ? j.pair.b : j.pair.a).eroded(0.0))
    Erosion<long double>(j, smaller_b).try_points();
}

}  // namespace

template <class Real>
void judge(ConvexJudge<Real>& j) {
  const CoreDistanceOf<Real> core = core_distance<Real>(j.pair, VecOf<Real>::Zero(), 0.25 * j.width,
                                                        j.enough + j.skins() + 2.0 * j.pair.error);
  if (std::isfinite(core.lower)) j.try_plane(core.direction);
  j.try_points(core.point_a, core.point_b);
  if (j.g.lower >= j.enough || j.closed()) return;
  if (!core.meet && core.lower > kWell * j.size && j.skins() > 0.0) return;
  try_flat_planes(j);
  lift(j);
  lift_less(j);
  if (!j.closed()) try_overlap(j, core);
  if (!j.closed() && !(j.g.upper < -j.width)) try_erosion(j);
}
template void judge(ConvexJudge<double>&);
template void judge(ConvexJudge<long double>&);

template <class Real>
void try_behind(ConvexJudge<Real>& j) {
  constexpr double kFirst = 16.0, kFarther = 4.0;  // of the rounding; of the step before
  const VecOf<Real> tip_a = j.pair.farthest_a(j.direction), tip_b = j.pair.farthest_b(j.direction);
  for (const VecOf<Real>& p : {j.g.point_a, j.g.point_b, tip_a, tip_b})
    for (const VecOf<Real>& center : {j.center_a(), j.center_b()}) {
      const VecOf<Real> way = center - p;
      const Real length = way.norm();
      const Real longest = std::min<Real>(length, j.size);
      for (Real s = kFirst * j.pair.error; s > Real(0.0) && s < longest; s *= kFarther) {
        if (j.closed() || j.g.upper < -j.width) return;
        j.try_common(p + way * (s / length));
      }
    }
}
template void try_behind(ConvexJudge<double>&);
template void try_behind(ConvexJudge<long double>&);

}  // namespace repose::check
