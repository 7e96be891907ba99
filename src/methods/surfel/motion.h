#pragma once

#include "arena.h"
#include "padded.h"

namespace repose::surfel {

/// Of SoftState::data, per point: the inverse of the lasting gradient, column by column.
inline constexpr std::size_t kPlasticNumbers = 9;
Mat3 plastic_of(const SoftState& soft, std::size_t point);
void put_plastic(const Mat3& plastic, std::size_t point, std::vector<double>& data);

/// What the state says, in one row.
Motion read_motion(const Arena& arena, const State& state);

/// Back into the state. Balls follow from the phyxels: their places and speeds are found when
/// someone asks for them.
void write_motion(const Arena& arena, const Motion& motion, State& state);

/// Weighted sums of the phyxels' values (places, velocities) at a ball, and at all of them.
Vec3 at_ball(const Arena& arena, const std::vector<Vec3>& values, int ball);
Vec3 at_ball(const Arena& arena, const std::vector<Vec4>& values, int ball);
std::vector<Vec3> at_balls(const Arena& arena, const std::vector<Vec3>& values);

/// J.
double kinetic_energy(const Arena& arena, const Motion& motion);
/// J; gravity's, with zero at the origin.
double gravity_energy(const Arena& arena, const Motion& motion);

/// Gravity, elastic forces, pulls, drags and viscosity act on velocities for a step that starts at
/// `time`; led solids get the velocity of their way.
void push_freely(const Arena& arena, const Problem& problem, const std::vector<Vec3>& forces,
                 double time, double h, Motion& motion);

/// Everything goes on for a step that ends at `time`: phyxels straight, solids turning evenly.
void advance(const Arena& arena, double time, double h, Motion& motion);

}  // namespace repose::surfel
