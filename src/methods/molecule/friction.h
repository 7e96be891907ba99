#pragma once

#include <array>
#include <vector>

#include "rows.h"

namespace repose::molecule {

/// How a molecule's surface moves. A molecule is a point without a turn of its own: it turns with
/// the rigid motion nearest to that of itself and its helpers.
struct Grip {
  std::size_t count = 1;
  std::array<int, 5> member{};  // the molecule, its helpers
  std::array<Vec3, 5> arm{};    // m, of each from the centre of their masses
  Mat3 inverse_inertia = Mat3::Zero();
};

/// Grips of a step's molecules, each made once.
class Grips {
 public:
  /// Forgets them: molecules have moved.
  void clear();
  const Grip& of(const Arena& arena, const Motion& motion, int point);

 private:
  std::vector<int> place_;  // per molecule; -1: none
  std::vector<Grip> all_;
};

/// Coulomb friction of one row, at its contact point. The sliding speed is that of the two grips;
/// friction acts back by the same weights, so that it carries a force and a couple over to their
/// members and angular momentum is kept.
struct Friction {
  struct Part {
    int point = 0;
    std::array<Vec3, 2> along{};  // sliding speed per velocity, for both tangents
  };
  int row = 0;
  std::array<Vec3, 2> tangent{};
  int parts = 0;
  std::array<Part, 10> part{};
  std::array<std::array<Vec3, 2>, 2> turn{};  // [side][tangent], with the sign of the side
  Mat2 inverse = Mat2::Zero();                // kg
  double least_inverse = 0.0;                 // kg; its smaller eigenvalue
  Vec2 impulse = Vec2::Zero();                // N s, on the upper side
  bool slides = false;                        // it is at the cone's border
};

/// Of a row, in place of what `out` was.
void make_friction(const Arena& arena, const Motion& motion, const std::vector<Row>& rows, int row,
                   Grips& grips, Friction& out);

/// m/s; of the upper side against the lower, along both tangents.
Vec2 sliding(const Friction& friction, const std::vector<Row>& rows, const Motion& motion);

/// Adds to the friction's impulse.
void drag(const Arena& arena, const std::vector<Row>& rows, const Friction& friction,
          const Vec2& impulse, Motion& motion);

/// One friction to its best while all else stands; within the cone of its row's impulse `normal`.
void hold(const Arena& arena, const std::vector<Row>& rows, double normal, Friction& friction,
          Motion& motion);

}  // namespace repose::molecule
