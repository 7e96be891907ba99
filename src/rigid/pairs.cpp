#include "repose/rigid/pairs.h"

#include "repose/base/at.h"

namespace repose::rigid {

namespace {

/// A ball that holds a piece.
struct PieceBall {
  Vec3 center = Vec3::Zero();  // world, m
  double radius = 0.0;         // m
};

PieceBall ball_about(const collide::PlacedPiece& piece) {
  Vec3 low, high;
  for (int k = 0; k < 3; ++k) {
    low[k] = piece.support(-Vec3::Unit(k))[k];
    high[k] = piece.support(Vec3::Unit(k))[k];
  }
  return {0.5 * (low + high), 0.5 * (high - low).norm()};
}

/// Pieces of a solid that come nearer than `within` to a ball, increasing.
void pieces_near(const Rigid& solid, const RigidMotion& motion, const PieceBall& ball,
                 double within, std::vector<int>& out) {
  out.clear();
  solid.obstacle->near(motion.world_from_body.inverse() * ball.center, ball.radius + within, out);
}

/// The plane turns with the other one of two solids, a < b: with what is held, with what is no
/// ball, with the first.
int upper_of(std::span<const Rigid> rigids, int a, int b) {
  const Rigid &first = rigids[at(a)], &second = rigids[at(b)];
  if (!second.is_free()) return a;
  if (first.is_free() && first.ball_radius > 0.0 && !(second.ball_radius > 0.0)) return a;
  return b;
}

}  // namespace

void find_pairs(std::span<const Rigid> rigids, std::span<const RigidMotion> motions, double h,
                double extra, std::vector<RigidPair>& out) {
  out.clear();
  const int count = static_cast<int>(rigids.size());
  std::vector<int> uppers, lowers;
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b) {
      if (!rigids[at(a)].is_free() && !rigids[at(b)].is_free()) continue;
      if (!rigids[at(a)].collides || !rigids[at(b)].collides) continue;
      const int upper = upper_of(rigids, a, b), lower = upper == b ? a : b;
      const Rigid &above = rigids[at(upper)], &below = rigids[at(lower)];
      const RigidMotion &moving = motions[at(upper)], &under = motions[at(lower)];
      const double needed = h * (fastest(above, moving) + fastest(below, under)) + extra;
      const PieceBall whole{moving.world_from_body.position, above.reach};
      pieces_near(below, under, whole, needed, lowers);
      for (const int piece : lowers) {
        const collide::PlacedPiece below_piece{below.obstacle.get(), piece, under.world_from_body};
        if (below.obstacle->endless()) {
          uppers.clear();
          for (int k = 0; k < above.obstacle->pieces(); ++k) uppers.push_back(k);
        } else {
          pieces_near(above, moving, ball_about(below_piece), needed, uppers);
        }
        for (const int other : uppers) {
          RigidPair pair{upper, lower, other, piece, needed, {}};
          pair.parting =
              collide::part({above.obstacle.get(), other, moving.world_from_body}, below_piece);
          if (pair.parting.gap < needed) out.push_back(pair);
        }
      }
    }
}

void find_touches(std::span<const Rigid> rigids, std::span<const RigidMotion> motions,
                  const RigidPair& pair, double within, std::vector<Touch>& out) {
  out.clear();
  const Pose& pose = motions[at(pair.upper)].world_from_body;
  std::vector<collide::Corner> corners;
  rigids[at(pair.upper)].obstacle->corners(pose.inverse().turn(Vec3(-pair.parting.normal)),
                                           pair.upper_piece, corners);
  for (const collide::Corner& corner : corners) {
    const Vec3 point = pose * corner.point;
    const double gap = pair.parting.normal.dot(point) - pair.parting.offset;
    if (gap < within) out.push_back({point, gap, corner.number});
  }
}

}  // namespace repose::rigid
