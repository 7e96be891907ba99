#include "repose/check/gap.h"

#include <cmath>
#include <optional>

#include "repose/base/check.h"
#include "repose/shape/form.h"

#include "check/exact/rounding.h"
#include "check/gap/ball_gap.h"
#include "check/gap/bracket.h"
#include "check/gap/convex_gap.h"
#include "check/gap/convex_search.h"
#include "check/gap/plane_gap.h"
#include "check/gap/prepared.h"
#include "check/gap/ring_frustum.h"
#include "check/gap/slits.h"
#include "check/gap/sphere_sets.h"
#include "check/gap/surface_gap.h"
#include "check/gap/surface_pair.h"
#include "check/gap/thickness.h"
#include "check/gap/union_gap.h"

namespace repose::check {

namespace {

using shape::Ball;
using shape::HalfSpace;

GapBracket unjudged() {
  GapBracket g;
  g.status = GapStatus::unjudged;
  return g;
}

GapBracket ground_gap(const PlacedBody& ground, const PlacedBody& b, const GapSettings& settings) {
  const Frame f = world_frame(ground);
  if (const auto* ball = std::get_if<Ball>(&b.shape->geometry))
    return ground_ball(prove::Ground(ground.world_from_body), f, b.world_from_body.position,
                       ball->radius);
  const auto made = prepared(b.shape);
  if (const ConvexBody* body = made->convex()) return ground_convex(ground, b, *body, settings);
  if (const auto surface = made->surface()) return ground_surface(ground, b, *surface, settings);
  return unjudged();
}

GapBracket ball_gap(const PlacedBody& a, double radius, const PlacedBody& b,
                    const GapSettings& settings) {
  const auto made = prepared(b.shape);
  if (!made->surface()) return unjudged();
  return ball_surface(a.world_from_body.position, radius, b, *made, settings);
}

/// A ball by whatever name: its radius; nothing for any other body.
std::optional<double> ball_radius(const PlacedBody& body) {
  if (const auto* ball = std::get_if<Ball>(&body.shape->geometry)) return ball->radius;
  const shape::Form form = shape::form_of(*body.shape);
  const auto* round = std::get_if<shape::EllipsoidForm>(&form.is);
  if (!round || form.error > 0.0) return std::nullopt;
  const Vec3& s = round->semi_axes;
  return s.x() == s.y() && s.y() == s.z() ? std::optional(s.x()) : std::nullopt;
}

/// Balls and tori in closed form; nothing for any other pair.
std::optional<GapBracket> closed_form(const PlacedBody& a, const PlacedBody& b,
                                      const GapSettings& settings) {
  const std::optional<double> ra = ball_radius(a), rb = ball_radius(b);
  const Vec3 &at_a = a.world_from_body.position, &at_b = b.world_from_body.position;
  if (ra && rb) return ball_ball(at_a, *ra, at_b, *rb);
  if (!ra && !rb) return std::nullopt;
  const PlacedBody& other = ra ? b : a;
  const shape::Form form = shape::form_of(*other.shape);
  const auto* torus = std::get_if<shape::TorusForm>(&form.is);
  if (!torus) return std::nullopt;
  GapBracket g = ra ? ball_torus(at_a, *ra, other, torus->ring, torus->tube, form.error)
                    : swapped(ball_torus(at_b, *rb, other, torus->ring, torus->tube, form.error));
  if (g.lower >= settings.enough * pair_size(a, b)) g.status = GapStatus::apart;
  return g;
}

/// What two brackets of one gap say together; witnesses of the lower upper bound.
GapBracket both(const GapBracket& x, const GapBracket& y, const GapSettings& settings,
                double size) {
  GapBracket out = y;
  out.lower = std::max(x.lower, y.lower);
  out.tests += x.tests;
  if (x.upper < y.upper) {
    out.upper = x.upper;
    out.point_a = x.point_a;
    out.point_b = x.point_b;
    out.normal_a_to_b = x.normal_a_to_b;
  }
  if (out.status == GapStatus::undecided) out.status = status_of(out, settings, size);
  return out;
}

/// Tori about very nearly the axis of a cone or cylinder; undecided for any other pair.
GapBracket ring_gap(const PlacedBody& a, const ConvexBody* convex_a, const Swept* swept_a,
                    const PlacedBody& b, const ConvexBody* convex_b, const Swept* swept_b,
                    const GapSettings& settings) {
  if (convex_a && convex_a->frustum() && swept_b && swept_b->ring > 0.0)
    return ring_frustum(a, *convex_a, b, *swept_b, settings);
  if (convex_b && convex_b->frustum() && swept_a && swept_a->ring > 0.0)
    return swapped(ring_frustum(b, *convex_b, a, *swept_a, settings));
  return {};
}

/// Core and spine: where a body is swept or convex only the other one's surface need be searched.
GapBracket core_gap(const PlacedBody& a, Prepared& made_a, const PlacedBody& b, Prepared& made_b,
                    const GapSettings& settings) {
  const ConvexBody *convex_a = made_a.convex(), *convex_b = made_b.convex();
  Swept *swept_a = made_a.swept(), *swept_b = made_b.swept();
  if (convex_a && convex_b) return {};
  if (GapBracket g = ring_gap(a, convex_a, swept_a, b, convex_b, swept_b, settings);
      g.status != GapStatus::undecided)
    return g;
  if (convex_a && swept_b) return convex_swept(a, *convex_a, b, *swept_b, settings);
  if (convex_b && swept_a) return swapped(convex_swept(b, *convex_b, a, *swept_a, settings));
  if (swept_a && swept_b) return swept_swept(a, *swept_a, b, *swept_b, settings);
  // sharp-edged bodies have no skin to take off: left to the surfaces
  if ((convex_a && convex_a->skin() == 0.0) || (convex_b && convex_b->skin() == 0.0)) return {};
  if (convex_a) return convex_surface(a, *convex_a, b, *made_b.surface(), settings);
  if (convex_b) return swapped(convex_surface(b, *convex_b, a, *made_a.surface(), settings));
  if (swept_a) return swept_surface(a, *swept_a, b, *made_b.surface(), settings);
  if (swept_b) return swapped(swept_surface(b, *swept_b, a, *made_a.surface(), settings));
  return {};
}

/// A thin body that has a point of the other deep in it for how thin it is, or lies so in the
/// other: that is an overlap, and how deep it is no search can tell better.
bool runs_through(const PlacedBody& a, const PlacedBody& b, const GapBracket& g) {
  constexpr double kThin = 1e-4;  // of size: of a ball that fits into it
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  const double radius =
      std::min(radius_by_formula(a).value_or(kUnknown), radius_by_formula(b).value_or(kUnknown));
  return radius < kThin * pair_size(a, b) && g.upper < -kOverlapShare * std::max(0.0, radius);
}

/// No point of a body lies deeper in it than the ball about it is wide.
GapBracket overlapping(const PlacedBody& a, const PlacedBody& b, GapBracket g) {
  g.lower = std::max(g.lower, -std::max(a.size(), b.size()));
  g.status = GapStatus::overlap;
  return g;
}

/// By the first way that decides.
GapBracket prepared_gap(const PlacedBody& a, const std::shared_ptr<Prepared>& made_a,
                        const PlacedBody& b, const std::shared_ptr<Prepared>& made_b,
                        const GapSettings& settings) {
  const auto* ball_a = std::get_if<Ball>(&a.shape->geometry);
  const auto* ball_b = std::get_if<Ball>(&b.shape->geometry);
  const ConvexBody *convex_a = made_a->convex(), *convex_b = made_b->convex();
  const double size = pair_size(a, b);
  GapBracket g;
  if (convex_a && convex_b) g = convex_convex(a, *convex_a, b, *convex_b, settings);
  if (g.status != GapStatus::undecided) return g;
  if (runs_through(a, b, g)) return overlapping(a, b, g);
  if (ball_a) return both(g, ball_gap(a, ball_a->radius, b, settings), settings, size);
  if (ball_b) return both(g, swapped(ball_gap(b, ball_b->radius, a, settings)), settings, size);
  if (!made_a->surface() || !made_b->surface()) return unjudged();
  g = both(g, core_gap(a, *made_a, b, *made_b, settings), settings, size);
  if (runs_through(a, b, g)) return overlapping(a, b, g);
  // of an overlap whose depth nothing bounds more can be told
  if (g.status != GapStatus::undecided && std::isfinite(g.lower)) return g;
  return both(g, surface_surface(a, *made_a, b, *made_b, settings), settings, size);
}

/// Of convex bodies a sign is worth its time where only rounding keeps the bracket open and their
/// faces are parallel: others touch in points, whose places are rounded anyway.
bool sign_matters(const PlacedBody& a, Prepared& made_a, const PlacedBody& b, Prepared& made_b,
                  const GapBracket& g) {
  constexpr double kRounding = 1e-11;  // of size
  if (g.status == GapStatus::undecided || !made_a.convex() || !made_b.convex()) return true;
  if (g.width() > kRounding * pair_size(a, b)) return false;
  const Mat3 turn = relative_frame(a, b).turn.cwiseAbs();
  constexpr double kParallel = 1e-12;  // sine
  return (turn.array() <= kParallel || turn.array() >= 1.0 - kParallel).all();
}

/// Bodies whose nearest points are known, but not how deep they may be elsewhere: wedged between
/// contacts, or along a curve. That they are apart takes less than the gap's full width.
GapBracket asked_apart(const PlacedBody& a, const std::shared_ptr<Prepared>& made_a,
                       const PlacedBody& b, const std::shared_ptr<Prepared>& made_b,
                       GapSettings settings, const GapBracket& g) {
  const double size = pair_size(a, b);
  settings.enough = 0.0;
  settings.width = g.upper / size;
  const GapBracket apart = prepared_gap(a, made_a, b, made_b, settings);
  return apart.lower >= 0.0 ? both(g, apart, settings, size) : g;
}

GapBracket whole_gap(const PlacedBody& a, const PlacedBody& b, const GapSettings& settings) {
  if (const auto closed = closed_form(a, b, settings)) return *closed;
  const auto made_a = prepared(a.shape), made_b = prepared(b.shape);
  GapBracket g = prepared_gap(a, made_a, b, made_b, settings);
  if (g.lower < 0.0 && g.upper > 0.0 && sign_matters(a, *made_a, b, *made_b, g))
    settle_sign(a, *made_a, b, *made_b, settings, g);
  if (g.status == GapStatus::undecided && g.lower < 0.0 && g.upper > 0.0)
    g = asked_apart(a, made_a, b, made_b, settings, g);
  if (g.upper >= 0.0 && !(keeps_out_of_slits(a, *made_a, b, *made_b, g, settings) &&
                          keeps_out_of_slits(b, *made_b, a, *made_a, g, settings))) {
    g.lower = -std::numeric_limits<double>::infinity();
    g.status = GapStatus::undecided;
  }
  return g;
}

/// Bodies of space.
GapBracket body_gap(const PlacedBody& a, const PlacedBody& b, const GapSettings& settings) {
  GapBracket g = whole_gap(a, b, settings);
  if (g.status == GapStatus::undecided && g.lower < 0.0) {
    GapSettings of_parts = settings;
    of_parts.enough = 0.0;
    if (g.upper > 0.0) of_parts.width = std::min(settings.width, 0.5 * g.upper / pair_size(a, b));
    const auto by_parts = gap_by_parts(
        a, b, [&](const PlacedBody& p, const PlacedBody& q) { return whole_gap(p, q, of_parts); });
    if (by_parts) g = both(g, *by_parts, of_parts, pair_size(a, b));
  }
  // a point in both is an overlap, however open its depth
  if (g.status == GapStatus::undecided && g.upper < 0.0) g.status = GapStatus::overlap;
  return g;
}

}  // namespace

GapBracket gap(const PlacedBody& a, const PlacedBody& b, const GapSettings& settings) {
  REPOSE_CHECK(a.shape && b.shape);
  if (never_meet(a, b)) return unjudged();
  if (const auto soft = soft_gap(a, b, settings)) return *soft;
  const bool ground_a = std::holds_alternative<HalfSpace>(a.shape->geometry);
  const bool ground_b = std::holds_alternative<HalfSpace>(b.shape->geometry);
  if (ground_a && ground_b) return unjudged();
  const bool plane_a = std::holds_alternative<shape::PlaneRegion>(a.shape->geometry);
  const bool plane_b = std::holds_alternative<shape::PlaneRegion>(b.shape->geometry);
  if (plane_a && plane_b) return plane_gap(a, b, settings);
  if (plane_a || plane_b) return unjudged();
  if (ground_a) return ground_gap(a, b, settings);
  if (ground_b) return swapped(ground_gap(b, a, settings));
  return body_gap(a, b, settings);
}

}  // namespace repose::check
