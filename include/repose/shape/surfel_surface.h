#pragma once

#include <array>
#include <span>
#include <vector>

#include "repose/math/vec.h"

namespace repose::shape {

/// The balls of a surfel body and the phyxels beneath them, at rest.
struct SurfelRest {
  std::vector<Vec3> centers, normals;  // of balls; m, unit and outward
  std::vector<double> radii;           // m
  std::vector<Vec3> phyxels;           // m
};

/// The surface of a surfel body as it is drawn: surfels that lie close over all that is seen of the
/// balls from outside, between their tops and the seams, with smooth normals. About every surfel
/// lies a star of triangles to its neighbours (local Delaunay), so that no hole is left where the
/// surface is smooth; in sharp inward creases small ones may be. Stars of neighbours may differ and
/// overlap. For drawing alone: what is kept apart and judged are the balls.
struct SurfelSurface {
  std::vector<Vec3> points, normals;  // m; unit, outward
  std::vector<std::array<int, 3>> triangles;
};
SurfelSurface surfel_surface_of(const SurfelRest& rest);

/// That surface as it goes with the phyxels of its body.
class SurfelSurfaceMotion {
 public:
  explicit SurfelSurfaceMotion(const SurfelRest& rest);

  const SurfelSurface& at_rest() const { return rest_; }
  /// m; mean distance of phyxels to the next one at rest.
  double phyxel_distance() const { return distance_; }
  /// m; of the surfels, the median.
  double spacing() const { return spacing_; }

  /// With the triangles of the surface at rest.
  struct Places {
    std::vector<Vec3> points, normals;  // m; unit
  };
  Places at(std::span<const Vec3> phyxels_now) const;

  /// The norm of Green's strain, (F^T F - 1) / 2, at every point.
  std::vector<double> strains(std::span<const Vec3> phyxels_now) const;

 private:
  /// What a point's place and gradient take of a phyxel's place.
  struct Share {
    int phyxel;
    double weight;  // 1
    Vec3 slope;     // 1/m
  };
  void attach(const std::vector<Vec3>& phyxels);
  Mat3 gradient(std::size_t point, std::span<const Vec3> now) const;

  SurfelSurface rest_;
  std::size_t phyxels_ = 0;
  double distance_ = 1.0;           // m, of phyxels
  double spacing_ = 0.0;            // m, of surfels
  std::vector<std::size_t> first_;  // share of each point, and one past the end
  std::vector<Share> shares_;
};

}  // namespace repose::shape
