#include "turning.h"

#include <algorithm>

#include "repose/base/at.h"

namespace repose::molecule {

namespace {

/// Gaps are known to this share of a solid's size.
constexpr double kTouching = 1e-9;

/// A function that leaves its chord by no more than `bend` in the middle is nowhere below zero: it
/// is high enough at both ends, or at one of them by so much more.
bool stays_above(double first, double last, double bend) {
  if (!(first >= 0.0 && last >= 0.0)) return false;
  return (first >= bend && last >= bend) || first >= 4.0 * bend || last >= 4.0 * bend;
}

/// A molecule or a ball before a piece of a turning solid.
bool row_is_free(const Arena& arena, const Row& row, const Motion& from, const Motion& to,
                 double h) {
  const RigidMotion& solid = from.rigids[at(row.rigid[1])];
  const double spin = solid.angular.norm();
  if (spin == 0.0) return true;
  const bool ball = row.key.a < 0;
  const auto center = [&](const Motion& m) -> const Vec3& {
    return ball ? m.rigids[at(-1 - row.key.a)].world_from_body.position : m.x[at(row.key.a)];
  };
  const double radius =
      ball ? arena.rigids[at(-1 - row.key.a)].ball_radius : arena.radius[at(row.key.a)];
  const RigidMotion& after = to.rigids[at(row.rigid[1])];
  const Vec3 normal_body = solid.world_from_body.inverse().turn(row.normal);
  const double offset =
      normal_body.dot(solid.world_from_body.inverse() * center(from)) - radius - row.gap;
  const double end =
      normal_body.dot(after.world_from_body.inverse() * center(to)) - radius - offset;
  const Vec3 way = center(to) - center(from) - (after.center - solid.center);
  const double arm = (center(from) - solid.center).norm() + way.norm();
  const double bend = (spin * spin * arm * h * h + 2.0 * spin * h * way.norm()) / 8.0;
  return stays_above(row.gap, end, bend);
}

/// All of a convex piece before the plane of another.
bool pair_is_free(const Arena& arena, const RigidPair& pair, const Motion& from, const Motion& to,
                  double h) {
  const RigidMotion &upper = from.rigids[at(pair.upper)], &lower = from.rigids[at(pair.lower)];
  const RigidMotion &upper_after = to.rigids[at(pair.upper)],
                    &lower_after = to.rigids[at(pair.lower)];
  // the plane at the step's end
  const Vec3 normal_body = lower.world_from_body.inverse().turn(pair.parting.normal);
  const double offset_body =
      pair.parting.offset - pair.parting.normal.dot(lower.world_from_body.position);
  const Vec3 normal = lower_after.world_from_body.turn(normal_body);
  const collide::PlacedPiece piece{arena.rigids[at(pair.upper)].obstacle.get(), pair.upper_piece,
                                   upper_after.world_from_body};
  const double end = normal.dot(piece.support(-normal)) - offset_body -
                     normal.dot(lower_after.world_from_body.position);
  // second derivative of n . (center + arm - center of the other), each turning evenly
  const double spin = upper.angular.norm() * h, turn = lower.angular.norm() * h;
  const Rigid& rigid = arena.rigids[at(pair.upper)];
  const double arm = rigid.reach + rigid.center_body.norm();
  const double way =
      ((upper_after.center - upper.center) - (lower_after.center - lower.center)).norm();
  const double apart = turn > 0.0 ? (upper.center - lower.center).norm() + way + arm : 0.0;
  const double bend =
      (turn * turn * apart + 2.0 * turn * (way + spin * arm) + spin * spin * arm) / 8.0;
  // what touches does so up to rounding
  const double touching = kTouching * rigid.reach;
  return stays_above(pair.parting.gap + touching, end + touching, bend);
}

}  // namespace

bool turning_is_free(const Arena& arena, const std::vector<Row>& rows,
                     const std::vector<RigidPair>& pairs, const Motion& from, const Motion& to,
                     double h) {
  return std::all_of(rows.begin(), rows.end(),
                     [&](const Row& row) {
                       return row.key.kind != RowKey::solid || row_is_free(arena, row, from, to, h);
                     }) &&
         std::all_of(pairs.begin(), pairs.end(),
                     [&](const RigidPair& pair) { return pair_is_free(arena, pair, from, to, h); });
}

}  // namespace repose::molecule
