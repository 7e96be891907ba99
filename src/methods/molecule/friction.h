#pragma once

#include <array>
#include <vector>

#include "flow.h"

namespace repose::molecule {

/// How a surface made of molecules moves. They are points without turns of their own: their surface
/// goes with the weighted mean of some of them and turns with the rigid motion nearest to that of
/// all members. A molecule's members are itself and its helpers, a skin's triangle has its corners.
struct Grip {
  int count = 1, weighted = 1;  // members; the first of them have weights
  std::array<int, 5> member{};
  std::array<double, 5> weight{};
  std::array<Lanes, 5> moment{};           // kg m; mass times way from the centre of their masses
  std::array<double, 5> share{};           // 1/kg; 0: fixed
  std::array<Lanes, 3> inverse_inertia{};  // columns
  bool all_free = true;                    // no member is fixed
};

/// Grips of a step, those of molecules each made once.
class Grips {
 public:
  /// Forgets them: molecules have moved.
  void clear();
  /// Of a molecule; good until the next is asked for.
  const Grip& of(const Arena& arena, const Motion& motion, int point);
  /// Of a row's lower points, a skin's triangle; good until the next is asked for.
  const Grip& of_triangle(const Arena& arena, const Motion& motion, const Row& row);

 private:
  std::vector<int> place_;  // per molecule; -1: none
  std::vector<Grip> all_;
  Grip triangle_;
};

/// Coulomb friction of one row, at its contact point. The sliding speed is that of the two
/// surfaces; friction acts back by the same weights, so that it carries a force and a couple over
/// to their members and angular momentum is kept.
struct Friction {
  struct Part {
    std::array<Lanes, 2> along;  // sliding speed per velocity, for both tangents
    double share;                // 1/kg
    int point;
  };
  std::array<Part, 10> part;
  int row = 0;
  int parts = 0;
  std::array<int, 2> rigid{-1, -1};  // upper, lower; -1: none
  std::array<Vec3, 2> tangent;
  std::array<std::array<Vec3, 2>, 2> turn;  // [side][tangent] of rigids, with the sign of the side
  Mat2 inverse = Mat2::Zero();              // kg
  double least_inverse = 0.0;               // kg; its smaller eigenvalue
  Vec2 impulse = Vec2::Zero();              // N s, on the upper side
  bool slides = false;                      // it is at the cone's border
};

/// Of a row, in place of what `out` was.
void make_friction(const Arena& arena, const Motion& motion, const std::vector<Row>& rows, int row,
                   Grips& grips, Friction& out);

/// m/s; of the upper side against the lower, along both tangents.
Vec2 sliding(const Friction& friction, const Flow& flow);

/// Acts by an impulse of friction.
void drag(const Arena& arena, const Friction& friction, const Vec2& impulse, Flow& flow);

/// One friction to its best while all else stands; no larger than `most`.
void hold(const Arena& arena, double most, Friction& friction, Flow& flow);

}  // namespace repose::molecule
