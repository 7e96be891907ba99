#pragma once

#include <vector>

#include "arena.h"

namespace repose::surfel {

/// What a look at all gradients found.
struct Strained {
  int inverted = 0;  // phyxels whose neighbourhood is flat or turned inside out
  /// Largest squared norm of an elastic gradient, times how much closer flow has brought phyxels;
  /// 3 at rest.
  double most_square = 3.0;
};

/// F_i = sum (x_j - x_i) g_ij^T: exact where the displacement is linear.
Mat3 gradient_of(const Arena& arena, const std::vector<Vec3>& x, int i);

/// N; the negative derivative of elastic_energy by places, in place of what `forces` held. Their
/// sum and, but for the law `linear`, their moment vanish.
Strained elastic_forces(const Arena& arena, Stress law, const Motion& motion,
                        std::vector<Vec3>& forces);

/// J.
double elastic_energy(const Arena& arena, Stress law, const Motion& motion);

/// Takes relative speed out of neighbours along the line between them, pair after pair: momentum
/// and angular momentum are kept, kinetic energy never grows, whatever the step. What damps over
/// more than a neighbourhood in a step is not reached in full.
void damp(const Arena& arena, double h, Motion& motion);

/// Lets strain beyond the yield strain last (Müller 2004): `creep` of the excess a second, without
/// a change of volume, up to most_plastic.
void flow(const Arena& arena, double h, Motion& motion);

}  // namespace repose::surfel
