#include <algorithm>
#include <cmath>

#include "repose/base/at.h"

#include "near.h"

namespace repose::molecule {

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

}  // namespace

/// Solids of which one is free and none a ball; each time, as there are few. What is held, or comes
/// first, carries the planes.
void NearSearch::find_rigids(const Arena& arena, const Motion& motion, double h, double extra) {
  near_.rigids.clear();
  const int rigids = static_cast<int>(arena.rigids.size());
  std::vector<int> uppers, lowers;
  for (int a = 0; a < rigids; ++a)
    for (int b = a + 1; b < rigids; ++b) {
      const Rigid &first = arena.rigids[at(a)], &second = arena.rigids[at(b)];
      if (first.ball_radius > 0.0 || second.ball_radius > 0.0) continue;
      if (first.inverse_mass == 0.0 && second.inverse_mass == 0.0) continue;
      const int upper = second.inverse_mass > 0.0 ? b : a, lower = upper == b ? a : b;
      const Rigid &above = arena.rigids[at(upper)], &below = arena.rigids[at(lower)];
      const RigidMotion &moving = motion.rigids[at(upper)], &under = motion.rigids[at(lower)];
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
          if (pair.parting.gap < needed) near_.rigids.push_back(pair);
        }
      }
    }
}

}  // namespace repose::molecule
