#pragma once

#include "repose/math/vec.h"
#include "repose/surfel/settings.h"

namespace repose::surfel {

/// J/m^3 of a displacement gradient; 0 at rest.
double energy_density(Stress law, double mu, double lambda, const Mat3& gradient);

/// Pa; first Piola-Kirchhoff stress, the derivative of energy_density. Finite for every gradient,
/// flat and inverted ones included.
Mat3 stress_of(Stress law, double mu, double lambda, const Mat3& gradient);

}  // namespace repose::surfel
