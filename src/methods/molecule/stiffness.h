#pragma once

#include <array>
#include <vector>

#include "repose/math/vec.h"

namespace repose::molecule {

/// Points and what joins them, at rest; on a cubic lattice where `places` says so.
struct Body3 {
  std::vector<Vec3> points;                // m
  std::vector<std::array<int, 2>> links;   // pairs of points
  std::vector<double> moduli;              // Pa, per point
  double pitch = 0.0;                      // m; 0: no lattice
  std::vector<std::array<int, 3>> places;  // per point, in pitches; empty: no lattice
  double volume = 0.0;                     // m^3; used where there is no lattice
};

struct Stiffness {
  std::vector<double> values;  // N/m, per link
  /// How far the elastic moduli of the whole are from the isotropic ones asked for, relative. 0
  /// where the lattice rule applies, which is exact under every uniform strain.
  double error = 0.0;
};

/// Stiffness of springs from Young's modulus and geometry.
///
/// On a cubic lattice of pitch a with all pairs up to sqrt(2) pitches joined, k = 0.4 E a makes an
/// isotropic solid of modulus E and Poisson's ratio 1/4; a spring gets the share of the cells that
/// hold it (an edge a quarter for each, a face diagonal a half), so that a finite body is exact
/// under uniform strain. A cell whose corners were drawn onto a shape is fitted for itself: its
/// shares come nearest to the moduli of its volume. Sheets of one layer are plates of thickness a
/// in plane stress (edges 3/4 E a, diagonals 3/8 E a, ratio 1/3), rows are rods of section a^2 (E
/// a). All else is fitted: one stiffness for each length, so that moduli under uniform strain come
/// nearest.
Stiffness stiffness_of(const Body3& body);

}  // namespace repose::molecule
