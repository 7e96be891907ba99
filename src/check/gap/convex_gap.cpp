#include "check/gap/convex_gap.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <Eigen/Geometry>

#include "check/gap/bracket.h"
#include "check/gap/convex_judge.h"
#include "check/gap/frustum_near.h"

namespace repose::check {

namespace {

template <class Real>
using Judge = ConvexJudge<Real>;

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

constexpr double kAround = 64.0;  // reaches of the smaller body: what is near it

/// Of a body with plane faces that is much larger than the other only what lies about the other:
/// there numbers are small. The gap is the same, for the rest is `half` less the other away.
GapBracket gap_of_near_part(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                            const ConvexBody& body_b, const Judge<double>& asked) {
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

/// How far points of the body lie from its middle, m.
double extent(const ConvexBody& body) {
  const FacedCore* faced = body.faced();
  if (!faced) return body.reach();
  double out = 0.0;
  for (const Vec3& p : faced->points) out = std::max(out, (p - body.center()).norm());
  return out;
}

/// What a cone or cylinder a has about a much smaller b is nearly plane, or a short cone: planes
/// and points found there in small numbers, measured on the whole in finer ones. Its side is the
/// plane that touches it beside the point found before, which soon is the right one.
void look_beside(Judge<long double>& j) {
  const shape::FrustumForm* whole = j.pair.a.frustum();
  if (!whole) return;
  constexpr int kMostLooks = 4;
  constexpr double kSharper = 0.25;  // of the width
  const double around = kAround * extent(j.pair.b);
  VecOf<long double> at = j.center_b();
  for (int k = 0; k < kMostLooks && !j.closed(); ++k) {
    const NearPart part = part_beside(*whole, at, around);
    if (!part.body) return;
    const Frame near{j.pair.frame.turn.cast<double>(),
                     (j.pair.frame.shift - part.origin).cast<double>(),
                     2.0 * kTurnError + kSumError, kSumError * around};
    Judge<double> beside{{*part.body, j.pair.b, near},
                         static_cast<double>(j.size),
                         kSharper * static_cast<double>(j.width),
                         static_cast<double>(j.enough),
                         {}};
    judge(beside);
    j.planes += beside.planes;
    j.try_plane(beside.direction.cast<long double>().normalized());
    at = beside.g.point_b.cast<long double>() + part.origin;
    // one point of both is measured as it is; else the second is of b's core but for rounding
    if (beside.g.point_a == beside.g.point_b)
      j.try_common(at);
    else
      j.try_points(nearest_in(*whole, at), at, beside.pair.error);
  }
}

GapBracket fine_gap(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                    const ConvexBody& body_b, const Judge<double>& asked) {
  Judge<long double> j{
      {body_a, body_b, fine_relative_frame(a, b)}, asked.size, asked.width, asked.enough, {}};
  look_beside(j);
  if (!j.closed()) judge(j);
  return told(j, {a, body_a, b, body_b}, prove::Numbers::fine);
}

/// The larger one first.
GapBracket fine_gap(const PlacedBody& a, const ConvexBody& body_a, const PlacedBody& b,
                    const ConvexBody& body_b, const Judge<double>& asked, bool b_larger) {
  return b_larger ? swapped(fine_gap(b, body_b, a, body_a, asked))
                  : fine_gap(a, body_a, b, body_b, asked);
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
  // where rounding of doubles or one body's size is what keeps the bracket open, smaller or finer
  // numbers close it
  constexpr double kMatters = 1e-3;  // of the width
  const double reach_a = extent(body_a), reach_b = extent(body_b);
  const bool unlike = std::max(reach_a, reach_b) > kAround * std::min(reach_a, reach_b);
  if (plain.status != GapStatus::undecided || (!unlike && j.pair.error < kMatters * j.width))
    return plain;
  const bool b_larger = reach_b > reach_a;
  GapBracket g = plain;
  const auto take = [&](const GapBracket& more) {
    const long tests = g.tests + more.tests;
    const double lower = std::max(g.lower, more.lower);
    if (more.upper < g.upper) g = more;
    g.lower = lower;
    g.tests = tests;
    g.status = status_of(g, settings, size);
  };
  take(gap_of_near_part(a, body_a, b, body_b, j, b_larger));
  if (g.status == GapStatus::undecided) take(fine_gap(a, body_a, b, body_b, j, b_larger));
  return g;
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
