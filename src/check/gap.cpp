#include "repose/check/gap.h"

#include "repose/base/check.h"

#include "ball_gap.h"
#include "rounding.h"

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

GapBracket ground_gap(const Item& ground, const Item& b) {
  const Frame f = world_frame(ground);
  if (const auto* ball = std::get_if<Ball>(&b.shape->geometry))
    return ground_ball(f.shift, f.turn.col(2), f.turn_error, b.world_from_body.position,
                       ball->radius);
  return unjudged();
}

}  // namespace

GapBracket gap(const Item& a, const Item& b, const GapSettings& settings) {
  REPOSE_CHECK(a.shape && b.shape);
  static_cast<void>(settings);
  if (never_meet(a, b)) return unjudged();
  const bool ground_a = std::holds_alternative<HalfSpace>(a.shape->geometry);
  const bool ground_b = std::holds_alternative<HalfSpace>(b.shape->geometry);
  if (ground_a && ground_b) return unjudged();
  if (ground_a) return ground_gap(a, b);
  if (ground_b) return swapped(ground_gap(b, a));
  const auto* ball_a = std::get_if<Ball>(&a.shape->geometry);
  const auto* ball_b = std::get_if<Ball>(&b.shape->geometry);
  if (ball_a && ball_b)
    return ball_ball(a.world_from_body.position, ball_a->radius, b.world_from_body.position,
                     ball_b->radius);
  return unjudged();
}

}  // namespace repose::check
