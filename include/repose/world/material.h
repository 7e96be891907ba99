#pragma once

#include <array>
#include <string>

namespace repose {

/// What a body is made of, as far as contact, deformation and drawing care.
struct Material {
  std::string name;
  double density = 1000.0;                        // kg/m^3
  double friction = 0.5;                          // Coulomb coefficient; a pair takes the smaller
  double restitution = 0.0;                       // [0, 1]; a pair takes the larger
  std::array<double, 3> color{0.72, 0.70, 0.66};  // linear RGB, [0, 1]
  double opacity = 1.0;                           // [0, 1]
  double roughness = 0.5;                         // [0, 1]; 0 is a mirror

  // soft bodies
  double young_modulus = 0.0;   // Pa; 0: not given
  double poisson_ratio = 0.25;  // (-1, 1/2)
  double damping = 0.0;         // s; stress is E (strain + damping * rate of strain)
  double drag = 0.0;            // 1/s; the medium takes drag * mass * velocity from every point
  double medium_density = 0.0;  // kg/m^3; drag of balls that grows with the square of their speed
  double yield_strain = 0.0;    // 1; strain beyond it starts to last; 0: never
  double creep = 0.0;           // 1/s; the share of the strain beyond it that lasts after a second
  double most_plastic = 0.0;    // 1; largest lasting strain; 0: no limit
  double break_strain = 0.0;    // 1; stretched beyond it the material parts; 0: never

  friend bool operator==(const Material&, const Material&) = default;
};

}  // namespace repose
