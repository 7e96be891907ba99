#pragma once

#include <vector>

#include "paper_surface.h"

namespace repose::surfel {

/// Spring and damper of a contact surfel, by area (Keiser 2004, section 7).
struct Response {
  double spring = 0.0;    // N/m^3: pressure by depth
  double damping = 0.0;   // N s/m^3
  double friction = 0.0;  // the smaller of the two bodies'
};

/// Penalty and friction force on a body by area (equations 4 and 5). `way`: from the contact surfel
/// to the body's nearest surfel; `speed`: of that one against the other body's.
Vec3 penalty_force(const Response& r, const Vec3& way, const Vec3& speed);
Vec3 friction_force(const Response& r, const Vec3& way, const Vec3& speed);

/// What the first body feels of both (equation 6); the second feels the opposite.
Vec3 shared_force(const Vec3& on_first, const Vec3& on_second);

/// m^2; what a contact surfel stands for: the inverse of the density k / (pi r^2) with the distance
/// r of the k-th nearest one (after equation 7). As printed, the equation multiplies by the
/// density, and a force would grow with the square of the sampling.
double surfel_area(const std::vector<Vec3>& surface, const HashedGrid& grid, double within,
                   std::size_t surfel);

/// (h^2 - d^2)^3 315 / (64 pi h^9) within h, else 0.
double even_kernel(double squared, double h);

/// A share of a force that goes to a phyxel.
struct PhyxelShare {
  int phyxel = 0;
  double share = 0.0;
};

/// The phyxels of a body as forces are spread over them.
class Spreading {
 public:
  /// `h`: where the kernel ends, m; farther out where fewer than six phyxels are within.
  Spreading(const std::vector<Vec3>& phyxels, double h);

  /// Adds a force at a point to the phyxels about it by the kernel's shares (equations 8 and 9);
  /// the last share is what is left, so that the sum is the force.
  void spread(const Vec3& point, const Vec3& force, std::vector<Vec3>& on_phyxels) const;
  /// The shares that a force there has, that of the nearest phyxel first; they sum up to 1. `first`
  /// is the place of the body's phyxels in the arena.
  void shares(const Vec3& point, int first, std::vector<PhyxelShare>& out) const;

 private:
  const std::vector<Vec3>& phyxels_;
  double h_;
  HashedGrid grid_;
};

}  // namespace repose::surfel
