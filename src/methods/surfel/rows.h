#pragma once

#include <span>
#include <vector>

#include "near.h"

namespace repose::surfel {

/// m/s; how fast the gap grows.
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
  Pair pair;
  Parting parting;
  int first_part = 0, parts = 0;
  Vec3 point = Vec3::Zero();        // world, m; midway between the two
  Vec3 lower_speed = Vec3::Zero();  // m/s, of a solid
  double target = 0.0;              // m/s
  double inverse_diagonal = 0.0;    // kg, along the normal
  double inverse_tangential = 0.0;  // kg
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

/// Adds the row of a pair. `keep` is the gap that it is to keep.
void add_row(const Arena& arena, const Motion& motion, const Balls& balls, const Pair& pair,
             const Parting& parting, double keep, double h, Rows& out);

}  // namespace repose::surfel
