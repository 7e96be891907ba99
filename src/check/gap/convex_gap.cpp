#include "check/gap/convex_gap.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

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
template <class Real>
struct Judge {
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
  void try_points(const Vec3& a, const Vec3& b) {
    const Real upper = upper_of((b - a).norm() + pair.error);
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
  if (j.closed()) return;
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

template <class Real>
void judge(Judge<Real>& j) {
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

}  // namespace

namespace {

/// The two bodies as they were given.
struct Given {
  const PlacedBody& a;
  const ConvexBody& body_a;
  const PlacedBody& b;
  const ConvexBody& body_b;

  double apart_along(const prove::Convex& of_a, const prove::Convex& of_b, const Vec3& direction,
                     prove::Numbers numbers) const {
    return prove::apart_along(of_a, a.world_from_body, of_b, b.world_from_body, direction, numbers);
  }
};

/// No point of one lies deeper in the other: where its border is drawn in so far, a plane parts
/// them.
double deepest(const Given& given, const Judge<double>& j) {
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  const auto drawn = [](prove::Convex body, double depth) -> std::optional<prove::Convex> {
    const auto* f = std::get_if<shape::FrustumForm>(&body.core);
    const auto in = f ? prove::drawn_in(*f, depth) : std::nullopt;
    if (!in) return std::nullopt;
    body.core = *in;
    return body;
  };
  const prove::Convex a = given.body_a.proven(), b = given.body_b.proven();
  const auto plain = prove::Numbers::plain;
  if (!(j.drawn_a.depth > 0.0) || !(j.drawn_b.depth > 0.0)) return kUnknown;
  const auto in_a = drawn(a, j.drawn_a.depth), in_b = drawn(b, j.drawn_b.depth);
  if (!in_a || !in_b || !(given.apart_along(*in_a, b, j.drawn_a.direction, plain) > 0.0) ||
      !(given.apart_along(a, *in_b, j.drawn_b.direction, plain) > 0.0))
    return kUnknown;
  return std::max(j.drawn_a.depth, j.drawn_b.depth);
}
double deepest(const Given&, const Judge<long double>&) {
  return std::numeric_limits<double>::infinity();
}

/// What the planes that were found prove, and points from the cores out to the surfaces, in the
/// world.
template <class Real>
GapBracket told(const Judge<Real>& j, const Given& given, prove::Numbers numbers) {
  GapBracket g;
  g.lower = std::max(given.apart_along(given.body_a.proven(), given.body_b.proven(),
                                       j.direction.template cast<double>(), numbers),
                     -deepest(given, j));
  g.upper = static_cast<double>(j.g.upper);
  if constexpr (!std::is_same_v<Real, double>)
    g.upper = std::nextafter(g.upper, std::numeric_limits<double>::infinity());
  g.tests = j.planes;
  g.status = prove::gap_status(
      g.bracket(),
      {static_cast<double>(j.width), static_cast<double>(j.width), static_cast<double>(j.enough)});
  const Frame wa = world_frame(given.a);
  const Vec3 d = j.direction.template cast<double>();
  g.point_a = wa * Vec3(j.g.point_a.template cast<double>() + d * j.pair.a.skin());
  g.point_b = wa * Vec3(j.g.point_b.template cast<double>() - d * j.pair.b.skin());
  g.normal_a_to_b = wa.turn * d;
  return g;
}

}  // namespace

namespace {

/// Of a body with plane faces that is much larger than the other only what lies about the other:
/// there numbers are small. The gap is the same, for the rest is `half` less the other away.
GapBracket gap_of_near_part(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                            const ConvexBody& body_b, const Judge<double>& asked) {
  constexpr double kAround = 64.0;  // reaches of the smaller body
  GapBracket g;
  const auto frame = fine_relative_frame(a, b);
  const Vec3 middle = frame.shift.cast<double>();
  const double half = kAround * body_b.reach();
  const auto part = body_a.cut_out(middle, half);
  if (!part) return g;
  Frame near{frame.turn.cast<double>(), (frame.shift - middle.cast<long double>()).cast<double>(),
             2.0 * kTurnError + kSumError,
             static_cast<double>(frame.shift_error) + kSumError * body_b.reach()};
  Judge<double> j{{*part, body_b, near}, asked.size, asked.width, asked.enough, {}};
  judge(j);
  // points deep in the larger body may be nearer to what was cut off
  const double rest = half - 2.0 * body_b.reach();
  if (!(j.g.lower > -rest)) return g;
  g = told(j, {a, body_a, b, body_b}, prove::Numbers::fine);
  const Frame wa = world_frame(a);
  g.point_a += wa.turn * middle;
  g.point_b += wa.turn * middle;
  return g;
}

GapBracket gap_of_near_part(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                            const ConvexBody& body_b, const Judge<double>& asked, bool b_larger) {
  return b_larger ? swapped(gap_of_near_part(b, body_b, a, body_a, asked))
                  : gap_of_near_part(a, body_a, b, body_b, asked);
}

}  // namespace

GapBracket convex_convex(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                         const ConvexBody& body_b, const GapSettings& settings) {
  const double size = pair_size(a, b);
  Judge<double> j{{body_a, body_b, relative_frame(a, b)},
                  size,
                  settings.width * size,
                  settings.enough * size,
                  {}};
  judge(j);
  const Given given{a, body_a, b, body_b};
  const GapBracket plain = told(j, given, prove::Numbers::plain);
  // where rounding of doubles is what keeps the bracket open, smaller or finer numbers close it
  constexpr double kMatters = 1e-3;  // of the width
  if (plain.status != GapStatus::undecided || j.pair.error < kMatters * j.width) return plain;
  const bool b_larger = body_b.reach() > body_a.reach();
  GapBracket g = gap_of_near_part(a, body_a, b, body_b, j, b_larger);
  if (g.status == GapStatus::undecided) {
    Judge<long double> fine{
        {body_a, body_b, fine_relative_frame(a, b)}, j.size, j.width, j.enough, {}};
    judge(fine);
    g = told(fine, given, prove::Numbers::fine);
  }
  g.tests += plain.tests;
  return g.status == GapStatus::undecided ? plain : g;
}

GapBracket ground_convex(const PlacedBody& ground, const PlacedBody& b, const ConvexBody& body,
                         const GapSettings& settings) {
  const Frame wg = world_frame(ground), wb = world_frame(b);
  const Vec3 up = wg.turn.col(2), down = -(wb.turn.transpose() * up);
  const prove::Bracket height =
      prove::Ground(ground.world_from_body).gap(body.proven(), b.world_from_body);
  GapBracket g;
  g.lower = height.lower();
  g.upper = height.upper();
  g.normal_a_to_b = up;
  g.point_b = wb * body.farthest(down) - up * body.skin();
  g.point_a = g.point_b - up * up.dot(g.point_b - wg.shift);
  g.tests = 1;
  // nothing but rounding is left open
  g.status = prove::gap_status(g.bracket(), {g.width(), 0.0, settings.enough * b.size()});
  return g;
}

}  // namespace repose::check
