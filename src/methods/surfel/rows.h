#pragma once

#include <array>
#include <span>
#include <vector>

#include "near.h"

namespace repose::surfel {

/// A corner of a solid before a plane of another.
struct Touching {
  int upper = -1, lower = -1;  // in Arena::solids
  int upper_piece = -1, lower_piece = -1, corner = -1;
  friend auto operator<=>(const Touching&, const Touching&) = default;
};

/// Which contact a row is, from step to step: of a ball, or of two solids (`pair.ball` is -1).
struct RowKey {
  Pair pair;
  Touching touching;
  friend auto operator<=>(const RowKey&, const RowKey&) = default;
};

/// m/s; how fast the gap grows. At the start of a turn, where the solid turns.
double speed_of(const Motion& motion, const Balls& balls, const Pair& pair, const Parting& parting);

/// A phyxel's part in a row: by `weight` in the motion of the centres, by `surface` in that of the
/// contact point.
struct RowPart {
  int phyxel = 0;
  double weight = 0.0, surface = 0.0;  // positive: of the upper side
  double given = 0.0, rubbed = 0.0;    // 1/kg; the same over the phyxel's mass
};

/// One inequality on velocities: normal . (upper - lower) >= target, with Coulomb friction at the
/// contact point.
struct Row {
  RowKey key;
  Parting parting;
  int first_part = 0, parts = 0;
  Vec3 point = Vec3::Zero();         // world, m; midway between the two
  std::array<int, 2> solid{-1, -1};  // upper, lower; in Arena::solids; -1: none
  double target = 0.0;               // m/s
  double inverse_diagonal = 0.0;     // kg, along the normal
  double inverse_tangential = 0.0;   // kg
  double friction = 0.0;
  double impulse = 0.0;      // N s
  Vec3 drag = Vec3::Zero();  // N s; friction's on the upper side
};

struct Rows {
  std::vector<Row> rows;
  std::vector<RowPart> parts;
  std::span<const RowPart> of(const Row& row) const {
    return std::span(parts).subspan(static_cast<std::size_t>(row.first_part),
                                    static_cast<std::size_t>(row.parts));
  }
};

/// The bodies of a row or of what may get one: upper, lower.
std::array<int, 2> bodies_of(const Arena& arena, const RowKey& key);

/// m/s; how fast a corner of a solid leaves the plane of another.
double speed_of(const Motion& motion, const Touching& touching, const Vec3& normal,
                const Vec3& point);

/// Adds the row of a corner of a solid, `parting.gap` before a plane.
void add_row(const Arena& arena, const Motion& motion, const Touching& touching,
             const Parting& parting, const Vec3& point, double keep, double h, Rows& out);

/// Adds the row of a pair. `keep` is the gap that it is to keep.
void add_row(const Arena& arena, const Motion& motion, const Balls& balls, const Pair& pair,
             const Parting& parting, double keep, double h, Rows& out);

}  // namespace repose::surfel
