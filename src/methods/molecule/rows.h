#pragma once

#include <array>
#include <compare>
#include <vector>

#include "near.h"

namespace repose::molecule {

/// Which contact a row is, from step to step.
struct RowKey {
  enum Kind { points, spring, solid, rigids, skin };
  int kind = points;
  int body_a = 0, body_b = 0;  // indices into Problem::bodies
  int a = 0, b = 0, piece = 0;
  friend auto operator<=>(const RowKey&, const RowKey&) = default;
};

/// One inequality on velocities: normal . (upper - lower) >= target, where upper and lower are
/// weighted means of molecules, or points of solids. The plane square to `normal` parts the two at
/// the step's start; as their gap along it is linear in time, it does so throughout if it does at
/// the end.
struct Row {
  RowKey key;
  Vec3 normal = Vec3::UnitZ();  // unit, from lower to upper
  int points = 0;
  std::array<int, 4> point{};
  std::array<double, 4> weight{};    // positive: of the upper side
  std::array<int, 2> rigid{-1, -1};  // upper, lower; -1: none
  std::array<Vec3, 2> turn{};        // arm x normal, with the sign of the side
  Vec3 foot_upper = Vec3::Zero();    // world, m: where friction acts
  Vec3 foot_lower = Vec3::Zero();
  double gap = 0.0;               // m, at the step's start
  double keep = 0.0;              // m; the gap that the row is to keep
  double target = 0.0;            // m/s
  double least = 0.0;             // m/s; what is still proven, if not aimed at
  double inverse_diagonal = 0.0;  // kg
  double friction = 0.0;
  double impulse = 0.0;      // N s
  Vec3 drag = Vec3::Zero();  // N s; impulse of friction on the upper side

  /// It must hold; rows of springs are a matter of shape.
  bool proves() const { return key.kind != RowKey::spring; }
};

/// Signs of the sides of a row's rigids.
inline constexpr std::array<double, 2> kSideSign{1.0, -1.0};

struct RowSettings {
  double h = 0.0;            // s
  double contact_gap = 0.0;  // of the sum of radii
  double least_length = 0.0;
};

/// A gap is kept as it is; a gap below `keep` grows by this share of it a step.
inline constexpr double kRecovery = 0.1;

/// Sets target and least from gap and keep.
void aim(Row& row, double h);
/// Sets inverse_diagonal from masses.
void weigh(const Arena& arena, const Motion& motion, Row& row);
/// m/s; normal . (upper - lower).
double speed(const Row& row, const Motion& motion);
/// Pushes the two sides apart.
void push(const Arena& arena, const Row& row, double impulse, Motion& motion);
/// What solids have of both.
double speed_of_solids(const Row& row, const std::vector<RigidMotion>& rigids);
void push_solids(const Arena& arena, const Row& row, double impulse,
                 std::vector<RigidMotion>& rigids);

/// The row of two molecules, of a molecule and a solid; their gap may be anything.
Row point_row(const Arena& arena, const Motion& motion, const PointPair& pair,
              const RowSettings& s);
Row solid_row(const Arena& arena, const Motion& motion, const SolidPair& pair,
              const RowSettings& s);
/// The rows of two solids, of each corner of the upper one that the step may bring to the plane.
void rigid_rows(const Arena& arena, const Motion& motion, const rigid::RigidPair& pair,
                const RowSettings& s, std::vector<Row>& rows);
Row spring_row(const Arena& arena, const Motion& motion, int spring, const RowSettings& s);

/// Rows of all pairs, and of those of the pressed springs, that could come nearer than they may in
/// this step with the velocities of `motion`; sorted by key, in place of what `rows` held.
void make_rows(const Arena& arena, const Motion& motion, const Near& near,
               const std::vector<int>& pressed, const RowSettings& s, std::vector<Row>& rows);

/// Pairs and springs that got no row but would come too near with the velocities of `motion`.
std::vector<Row> missed_rows(const Arena& arena, const Motion& motion, const Near& near,
                             const std::vector<int>& pressed, const std::vector<Row>& rows,
                             const RowSettings& s);

}  // namespace repose::molecule
