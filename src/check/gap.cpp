#include "repose/check/gap.h"

#include "repose/base/check.h"

#include "ball_gap.h"
#include "plane_gap.h"
#include "rounding.h"
#include "surface_gap.h"

namespace repose::check {

const char* to_text(GapStatus status) {
  switch (status) {
    case GapStatus::closed:
      return "closed";
    case GapStatus::apart:
      return "apart";
    case GapStatus::overlap:
      return "overlap";
    case GapStatus::undecided:
      return "undecided";
    case GapStatus::unjudged:
      return "unjudged";
  }
  return "undecided";
}

namespace {

using shape::Ball;
using shape::HalfSpace;

GapBracket unjudged() {
  GapBracket g;
  g.status = GapStatus::unjudged;
  return g;
}

GapBracket ground_gap(const Item& ground, const Item& b, const GapSettings& settings) {
  const Frame f = world_frame(ground);
  if (const auto* ball = std::get_if<Ball>(&b.shape->geometry))
    return ground_ball(f.shift, f.turn.col(2), f.turn_error, b.world_from_body.position,
                       ball->radius);
  if (const auto surface = surface_of(b.shape))
    return ground_surface(ground, b, *surface, settings);
  return unjudged();
}

GapBracket ball_gap(const Item& a, double radius, const Item& b, const GapSettings& settings) {
  const auto surface = surface_of(b.shape);
  if (!surface) return unjudged();
  return ball_surface(a.world_from_body.position, radius, b, *surface, settings);
}

}  // namespace

GapBracket gap(const Item& a, const Item& b, const GapSettings& settings) {
  REPOSE_CHECK(a.shape && b.shape);
  if (never_meet(a, b)) return unjudged();
  const bool ground_a = std::holds_alternative<HalfSpace>(a.shape->geometry);
  const bool ground_b = std::holds_alternative<HalfSpace>(b.shape->geometry);
  if (ground_a && ground_b) return unjudged();
  const bool plane_a = std::holds_alternative<shape::PlaneRegion>(a.shape->geometry);
  const bool plane_b = std::holds_alternative<shape::PlaneRegion>(b.shape->geometry);
  if (plane_a && plane_b) return plane_gap(a, b, settings);
  if (plane_a || plane_b) return unjudged();
  if (ground_a) return ground_gap(a, b, settings);
  if (ground_b) return swapped(ground_gap(b, a, settings));
  const auto* ball_a = std::get_if<Ball>(&a.shape->geometry);
  const auto* ball_b = std::get_if<Ball>(&b.shape->geometry);
  if (ball_a && ball_b)
    return ball_ball(a.world_from_body.position, ball_a->radius, b.world_from_body.position,
                     ball_b->radius);
  if (ball_a) return ball_gap(a, ball_a->radius, b, settings);
  if (ball_b) return swapped(ball_gap(b, ball_b->radius, a, settings));
  const auto surface_a = surface_of(a.shape), surface_b = surface_of(b.shape);
  if (!surface_a || !surface_b) return unjudged();
  return surface_surface(a, *surface_a, b, *surface_b, settings);
}

}  // namespace repose::check
