#pragma once

#include <vector>

#include "paper_surface.h"

namespace repose::surfel {

/// Two bodies that meet, as the contact surface sees them.
struct Meeting {
  const ImplicitSurface& first;
  const ImplicitSurface& second;
  /// Young's moduli: each surface goes its way by 1/E, so that what is soft adapts to what is
  /// stiff, as the paper says. (Its lambda = 1/E in equation 3 would have the stiff one adapt.)
  double lambda_first = 1.0, lambda_second = 1.0;
  double spacing = 0.0;  // m, of the surfels
  double ahead = 0.0;    // m; what is so near to both bodies counts to their common volume

  /// F(x) of equation 3; not known (NaN) off the volume of both.
  double value(const Vec3& x) const;
  /// m; what is outside of a body by less than this counts to its volume.
  double slack() const;
};

/// Surfels of the first body that lie within the second one (section 5): those of the box, by
/// equation 2.
std::vector<int> colliding_surfels(const SurfelCloud& cloud, const ImplicitSurface& other,
                                   const Vec3& low, const Vec3& high);

/// Surfels of the box that lie within the other body or are nearer to it than `ahead`, by equation
/// 1; and how many of them lie within, by equation 2.
struct NearSurfels {
  std::vector<int> all;
  int colliding = 0;
};
NearSurfels near_surfels(const SurfelCloud& cloud, const ImplicitSurface& other, const Vec3& low,
                         const Vec3& high, double ahead);

/// The contact surface (equation 3): colliding surfels moved along their projection to where F
/// vanishes, by bracketing; those whose way leaves the volume are left out.
std::vector<Vec3> contact_surface(const Meeting& meeting, const std::vector<Vec3>& from_first,
                                  const std::vector<Vec3>& from_second);

/// Contact surfels of an earlier look, where they have gone with both bodies, upon the contact
/// surface as it is now. `from`: which of them they are; what came off the volume is left out.
struct Sampling {
  std::vector<Vec3> points;  // m
  std::vector<int> from;     // -1: none of them
};
Sampling drawn_onto(const Meeting& meeting, const std::vector<Vec3>& carried);

/// Relaxation and resampling (section 6): `fresh` contact surfels are spread evenly among those
/// that an earlier look spread, crowded ones are left out and holes filled, all upon the contact
/// surface.
Sampling resampled(const Meeting& meeting, Sampling carried, const std::vector<Vec3>& fresh);

/// The normals of a surface by principal components of every neighbourhood (section 6), turned so
/// that they agree with `like`.
std::vector<Vec3> principal_normals(const std::vector<Vec3>& surface, double within,
                                    const std::vector<Vec3>& like);

}  // namespace repose::surfel
