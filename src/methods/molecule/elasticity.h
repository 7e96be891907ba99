#pragma once

#include <vector>

#include "arena.h"

namespace repose::molecule {

/// Forces of all springs in N. Each spring is evaluated once, added to one end and subtracted from
/// the other: the two are opposite to the last bit.
std::vector<Vec3> spring_forces(const Arena& arena, const std::vector<Vec3>& x);

/// J; of all springs.
double spring_energy(const Arena& arena, const std::vector<Vec3>& x);

/// Share of the relative speed of a spring's ends that its damping takes in a step h. Every end
/// gives each of its springs an equal share of its mass, so that all springs of a molecule together
/// never overshoot, however large the damping: m (1 - exp(-c h / m)), kg.
double damping_mass(const Spring& spring, double h);

/// Some spring's damping takes more than half of what its ends' masses let it take in a step h: it
/// is divided into two goes of half a step, or stiff bodies that slide would flutter.
bool is_much_damped(const Arena& arena, double h);

/// What a step of the springs writes to, kept between steps.
struct SpringSpace {
  std::vector<Vec3> impulses;  // N s, of each molecule
  std::vector<Vec3> across;    // N s, of springs between blocks
};

/// Damping alone acts on velocities, with damping masses as from damping_mass.
void damp(const Arena& arena, const std::vector<Vec3>& x, const std::vector<double>& damping_masses,
          SpringSpace& space, std::vector<Vec3>& v);

/// Springs, their damping and gravity act on velocities for a step h. `pressed` gets the springs
/// shorter than `least_share` of their length, increasing.
void pull_by_springs(const Arena& arena, const std::vector<Vec3>& x,
                     const std::vector<double>& damping_masses, double h, double least_share,
                     SpringSpace& space, std::vector<Vec3>& v, std::vector<int>& pressed);

}  // namespace repose::molecule
