#include "repose/rigid/turning.h"

namespace repose::rigid {

namespace {

/// Gaps are known to this share of a solid's or a ball's size: what touches does so up to rounding.
constexpr double kTouching = 1e-9;

/// A function that leaves its chord by no more than `bend` in the middle is nowhere below zero: it
/// is high enough at both ends, or at one of them by so much more.
bool stays_above(double first, double last, double bend) {
  if (!(first >= 0.0 && last >= 0.0)) return false;
  return (first >= bend && last >= bend) || first >= 4.0 * bend || last >= 4.0 * bend;
}

}  // namespace

bool ball_stays_apart(const BallBefore& ball, const Turn& solid, double h) {
  const double spin = turning(solid.rigid, solid.from);
  if (spin == 0.0) return true;
  const Pose &start = solid.from.world_from_body, &end_pose = solid.to.world_from_body;
  const Vec3 normal_body = start.inverse().turn(ball.normal);
  const double offset = normal_body.dot(start.inverse() * ball.from) - ball.radius - ball.gap;
  const double end = normal_body.dot(end_pose.inverse() * ball.to) - ball.radius - offset;
  const Vec3 way = ball.to - ball.from - (solid.to.center - solid.from.center);
  const double arm = (ball.from - solid.from.center).norm() + way.norm();
  const double bend = (spin * spin * arm * h * h + 2.0 * spin * h * way.norm()) / 8.0;
  const double touching = kTouching * ball.radius;
  return stays_above(ball.gap + touching, end + touching, bend);
}

bool pair_stays_apart(const RigidPair& pair, const Turn& upper, const Turn& lower, double h) {
  // the plane at the step's end; that of a ball goes with it and does not turn
  const double spin = turning(upper.rigid, upper.from) * h;
  const double turn = turning(lower.rigid, lower.from) * h;
  const Pose &start = lower.from.world_from_body, &end_pose = lower.to.world_from_body;
  const Vec3 normal =
      turn > 0.0 ? end_pose.turn(start.inverse().turn(pair.parting.normal)) : pair.parting.normal;
  const double offset_body = pair.parting.offset - pair.parting.normal.dot(start.position);
  const collide::PlacedPiece piece{upper.rigid.obstacle.get(), pair.upper_piece,
                                   upper.to.world_from_body};
  const double end =
      normal.dot(piece.support(-normal)) - offset_body - normal.dot(end_pose.position);
  // second derivative of n . (center + arm - center of the other), each turning evenly
  const double arm = upper.rigid.turning_reach();
  const double extent = upper.rigid.reach + upper.rigid.center_body.norm();
  const double way =
      ((upper.to.center - upper.from.center) - (lower.to.center - lower.from.center)).norm();
  const double apart =
      turn > 0.0 ? (upper.from.center - lower.from.center).norm() + way + extent : 0.0;
  const double bend =
      (turn * turn * apart + 2.0 * turn * (way + spin * arm) + spin * spin * arm) / 8.0;
  const double touching = kTouching * upper.rigid.reach;
  return stays_above(pair.parting.gap + touching, end + touching, bend);
}

}  // namespace repose::rigid
