#include "check/gap/convex_gap.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "check/gap/bracket.h"
#include "check/gap/contact_polygon.h"
#include "check/gap/gjk.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

constexpr double kLift = 1e-3;           // of size: bodies moved apart to find the plane between
constexpr int kMostLifts = 12;           // planes improved at most so often
constexpr double kGainLeast = 1e-3;      // of the width: less gain ends the lifting
constexpr double kWell = 1e-6;           // of size: cores farther apart have a sharp direction
constexpr double kOfWidth = 0.25;        // how sharply depths are sought
constexpr std::size_t kMostEdges = 400;  // pairs of edge directions tried as planes

/// All that one judgement needs, frame of a.
struct Judge {
  ConvexPair pair;
  double size, width, enough;
  GapBracket g;
  Vec3 direction = Vec3::UnitZ();  // of the best plane
  long planes = 0;

  bool closed() const { return g.upper - g.lower <= width; }
  double skins() const { return pair.a.skin() + pair.b.skin(); }

  void try_plane(const Vec3& d) {
    const double bound = pair.plane_bound(d);
    ++planes;
    if (!(bound > g.lower)) return;
    g.lower = bound;
    direction = d;
  }
  /// The depth that two core points `apart` from each other prove: one of them, moved towards the
  /// other as far as its skin goes, lies so deep in the other body.
  double upper_of(double apart) const {
    const double a = pair.a.skin(), b = pair.b.skin();
    if (apart >= a + b) return apart - a - b;
    return -std::max(b - std::max(0.0, apart - a), a - std::max(0.0, apart - b));
  }
  void try_points(const Vec3& a, const Vec3& b) {
    const double upper = upper_of((b - a).norm() + pair.error);
    if (!(upper < g.upper)) return;
    g.upper = upper;
    g.point_a = a;
    g.point_b = b;
  }
  /// A surface point moved inward by a few rounding errors.
  Vec3 into_a(const Vec3& p) const { return p + inward() * (pair.a.center() - p); }
  Vec3 into_b(const Vec3& p) const { return p + inward() * (pair.frame * pair.b.center() - p); }
  double inward() const {
    constexpr double kInward = 16.0;
    return kInward * pair.error / size;
  }
  /// A point proven inside both: its depth in either is a proof of overlap.
  void try_common(const Vec3& p) {
    ++tally.supports;
    const Vec3 in_b = pair.frame.turn.transpose() * (p - pair.frame.shift);
    const double a = pair.a.depth(p, pair.error), b = pair.b.depth(in_b, pair.error);
    if (!(a > 0.0) || !(b > 0.0) || -std::max(a, b) >= g.upper) return;
    g.upper = -std::max(a, b);
    g.point_a = g.point_b = p;
  }
};

/// Planes that flat faces and pairs of straight edges offer.
void try_flat_planes(Judge& j) {
  const Mat3& turn = j.pair.frame.turn;
  for (const Vec3& n : j.pair.a.flat_normals()) j.try_plane(n);
  for (const Vec3& n : j.pair.b.flat_normals()) j.try_plane(-(turn * n));
  const FacedCore *a = j.pair.a.faced(), *b = j.pair.b.faced();
  if (!a || !b || a->edges.size() * b->edges.size() > kMostEdges) return;
  for (const Vec3& e : a->edges)
    for (const Vec3& f : b->edges) {
      constexpr double kParallel = 1e-6;  // sine
      const Vec3 product = e.cross(turn * f);
      const double sine = product.norm();
      if (sine <= kParallel) continue;
      j.try_plane(product / sine);
      j.try_plane(product / -sine);
    }
}

/// Moves b out along the best plane's normal; nearest points then give a better plane, and where
/// the two only touch they are the contact itself.
void lift(Judge& j) {
  Vec3 d = j.direction;
  double before = -std::numeric_limits<double>::infinity();
  for (int k = 0; k < kMostLifts && j.g.lower > before + kGainLeast * j.width && !j.closed(); ++k) {
    before = j.g.lower;
    const double s = std::max(kLift * j.size, -2.0 * j.g.lower);
    const CoreDistance c =
        core_distance(j.pair, s * d, kGainLeast * j.width, std::numeric_limits<double>::infinity());
    if (c.meet) return;
    j.try_plane(c.direction);
    const Vec3 b = c.point_b - s * d;
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
void lift_less(Judge& j) {
  constexpr double kShorter = 0.1, kShortest = 1e-8;  // of the lift before; of size
  const Vec3 d = j.direction;
  for (double s = kShorter * kLift * j.size; s > kShortest * j.size; s *= kShorter) {
    if (j.closed() || j.g.lower < -j.width) return;
    const CoreDistance c =
        core_distance(j.pair, s * d, kGainLeast * j.width, std::numeric_limits<double>::infinity());
    if (c.meet) return;
    j.try_points(c.point_a, c.point_b - s * d);
  }
}

/// A point that both bodies still share when drawn in towards their centres lies deep in both.
void try_drawn_in(Judge& j) {
  constexpr int kHalvings = 8;
  double low = 0.0, high = -j.g.lower / (j.pair.a.reach() + j.pair.b.reach());
  for (int k = 0; k < kHalvings && !(j.g.upper < -j.width); ++k) {
    j.pair.shrink = std::min(0.5, 0.5 * (low + high));
    const CoreDistance c = core_distance(j.pair, Vec3::Zero(), j.pair.error, 0.0);
    if (c.meet) j.try_common(0.5 * (c.point_a + c.point_b));
    (c.meet ? low : high) = j.pair.shrink;
  }
  j.pair.shrink = 0.0;
}

/// Points deep in both.
void try_overlap(Judge& j, const CoreDistance& core) {
  if (core.meet) j.try_common(0.5 * (core.point_a + core.point_b));
  if (!(j.g.lower < -j.width)) return;
  const SharedPoint shared = shared_point(j.pair, j.direction);
  if (shared.found) {
    j.try_common(j.into_a(shared.on_a));
    j.try_common(j.into_b(shared.on_b));
    // of thin bodies only what lies between is within both by more than rounding
    if (!(j.g.upper < -j.width)) j.try_common(0.5 * (shared.on_a + shared.on_b));
  }
  if (!(j.g.upper < -j.width)) try_drawn_in(j);
}

/// One body's border drawn in by some depth.
class Erosion {
 public:
  Erosion(Judge& judge, bool of_b) : judge_(judge), of_b_(of_b) {}

  /// No depth of any point of the other in this one exceeds the answer: a plane parts them when the
  /// border is drawn in so far.
  double most() {
    return halved([&](double depth) {
      const Drawn d = drawn_in(depth);
      return d.known && d.distance.lower > d.error;
    });
  }
  /// Looks for points that both share when the border is drawn in; they prove their own depth.
  void try_points() {
    const Drawn whole = drawn_in(0.0);
    if (whole.known) judge_.try_points(whole.distance.point_a, whole.distance.point_b);
    halved([&](double depth) {
      const Drawn d = drawn_in(depth);
      if (!d.known) return true;
      // it may lie on the other's border: a little further in it is proven to lie in both
      const Vec3 p = 0.5 * (d.distance.point_a + d.distance.point_b);
      judge_.try_common(of_b_ ? judge_.into_a(p) : judge_.into_b(p));
      return !d.distance.meet;
    });
  }

 private:
  struct Drawn {
    CoreDistance distance;
    double error = 0.0;
    bool known = false;
  };
  Drawn drawn_in(double depth) {
    Drawn out;
    const ConvexPair& pair = judge_.pair;
    const auto inner = (of_b_ ? pair.b : pair.a).eroded(depth);
    if (!inner) return out;
    const ConvexPair moved(of_b_ ? pair.a : *inner, of_b_ ? *inner : pair.b, pair.frame);
    out.error = moved.error;
    out.distance = core_distance(moved, Vec3::Zero(), moved.error, moved.error);
    out.known = true;
    ++judge_.planes;
    return out;
  }
  /// The least depth, to a share of the width, for which `parted` holds; it does for the largest.
  template <class Parted>
  double halved(const Parted& parted) {
    double low = 0.0, high = -judge_.g.lower;
    while (high - low > kOfWidth * judge_.width) {
      const double middle = 0.5 * (low + high);
      if (!(middle > low) || !(middle < high)) break;
      (parted(middle) ? high : low) = middle;
    }
    return high;
  }

  Judge& judge_;
  bool of_b_;
};

/// Sharp edges across each other: neither planes nor the deepest corner tell the depth.
void try_erosion(Judge& j) {
  if (!j.pair.a.eroded(0.0) || !j.pair.b.eroded(0.0)) return;
  Erosion in_a(j, false), in_b(j, true);
  in_a.try_points();
  in_b.try_points();
  if (j.g.upper < -j.width) return;
  j.g.lower = std::max(j.g.lower, -std::max(in_a.most(), in_b.most()));
}

void judge(Judge& j) {
  const CoreDistance core = core_distance(j.pair, Vec3::Zero(), 0.25 * j.width,
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

}  // namespace

GapBracket convex_convex(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                         const ConvexBody& body_b, const GapSettings& settings) {
  const double size = pair_size(a, b);
  Judge j{{body_a, body_b, relative_frame(a, b)},
          size,
          settings.width * size,
          settings.enough * size,
          {}};
  judge(j);
  GapBracket& g = j.g;
  g.tests = j.planes;
  g.status = prove::gap_status(g.bracket(), {j.width, j.width, j.enough});
  const Frame wa = world_frame(a);
  // from the cores out to the surfaces
  g.point_a += j.direction * body_a.skin();
  g.point_b -= j.direction * body_b.skin();
  g.point_a = wa * g.point_a;
  g.point_b = wa * g.point_b;
  g.normal_a_to_b = wa.turn * j.direction;
  return g;
}

GapBracket ground_convex(const PlacedBody& ground, const PlacedBody& b, const ConvexBody& body,
                         const GapSettings& settings) {
  const Frame wg = world_frame(ground), wb = world_frame(b);
  const Vec3 up = wg.turn.col(2), from = wb.shift - wg.shift;
  const Vec3 down = -(wb.turn.transpose() * up);
  const double height = up.dot(from) - body.support(down);
  const double error = (wg.turn_error + kSumError) * from.norm() + body.error() +
                       (wg.turn_error + wb.turn_error + kSumError) * body.reach();
  GapBracket g;
  g.lower = height - error;
  g.upper = height + error;
  g.normal_a_to_b = up;
  g.point_b = wb * body.farthest(down) - up * body.skin();
  g.point_a = g.point_b - up * up.dot(g.point_b - wg.shift);
  g.tests = 1;
  // nothing but rounding is left open
  g.status = prove::gap_status(g.bracket(), {g.width(), 0.0, settings.enough * b.size()});
  return g;
}

}  // namespace repose::check
