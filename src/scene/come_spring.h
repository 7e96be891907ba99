#pragma once

namespace repose {

/// The molecule method's setting that <simulation fps> gives.
inline constexpr const char* kIterations = "iterations_per_second";

/// N/m; of every connection of a cubic lattice with neighbours up to sqrt(2) pitches, so that the
/// body has Young's modulus E and Poisson ratio 1/4: k = 2/5 E a. A damping constant c, N s/m, of
/// such a connection is a material's damping c/k, s.
inline double spring_constant(double young_modulus, double pitch) {
  return 0.4 * young_modulus * pitch;
}

}  // namespace repose
