#pragma once

#include "arena.h"
#include "rows.h"

namespace repose::molecule {

/// What the state says, in one row.
Motion read_motion(const Arena& arena, const State& state);

/// Back into the state. Bodies of which nothing moved keep sharing their points with states before.
void write_motion(const Arena& arena, const Motion& motion, State& state);

/// J; of molecules and solids.
double kinetic_energy(const Arena& arena, const Motion& motion);
/// J; gravity's, with zero at the origin.
double gravity_energy(const Arena& arena, const Motion& motion);

/// Rows of two bodies that push, as contacts with their forces.
std::vector<Contact> contacts_of(const Arena& arena, const std::vector<Row>& rows, double h);

/// The two bodies of a row: lower, upper.
std::array<int, 2> bodies_of(const Arena& arena, const Row& row);

}  // namespace repose::molecule
