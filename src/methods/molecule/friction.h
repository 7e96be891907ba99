#pragma once

#include <array>
#include <vector>

#include "rows.h"

namespace repose::molecule {

/// Coulomb friction of one row, at its contact point.
///
/// A molecule is a point without a turn of its own. The velocity of its surface is that of the
/// rigid motion nearest to the molecule and some joined to it; friction acts back by the same
/// weights, so that it carries a force and a couple over to them and angular momentum is kept.
struct Friction {
  struct Part {
    int point = 0;
    std::array<Vec3, 2> along{};  // sliding speed per velocity, for both tangents
  };
  int row = 0;
  std::array<Vec3, 2> tangent{};
  int parts = 0;
  std::array<Part, 18> part{};
  std::array<std::array<Vec3, 2>, 2> turn{};  // [side][tangent], with the sign of the side
  Mat2 inverse = Mat2::Zero();                // kg
  Vec2 impulse = Vec2::Zero();                // N s, on the upper side
};

Friction make_friction(const Arena& arena, const Motion& motion, const std::vector<Row>& rows,
                       int row);

/// m/s; of the upper side against the lower, along both tangents.
Vec2 sliding(const Friction& friction, const std::vector<Row>& rows, const Motion& motion);

/// Adds to the friction's impulse.
void drag(const Arena& arena, const std::vector<Row>& rows, const Friction& friction,
          const Vec2& impulse, Motion& motion);

/// One friction to its best while all else stands; within the cone of its row's impulse.
void hold(const Arena& arena, const std::vector<Row>& rows, Friction& friction, Motion& motion);

}  // namespace repose::molecule
