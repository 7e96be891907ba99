#pragma once

#include "repose/shape/shape.h"

namespace repose::shape {

struct SkinSettings {
  /// Between samples of the field, m; 0: half the least radius. Larger: fewer triangles, ripples
  /// cut off.
  double spacing = 0.0;
  /// No point of the skin is farther from the balls than this share of their radius; (0, 4]. One
  /// half is the potential field of 2/radius (Benedetti 2002, eq. 3.2). Larger: smoother, fatter.
  double reach = 0.5;
};

/// The spacing of the paper's rule for a body of that volume, m^3 (eq. 3.1; its lengths are
/// metres).
double paper_spacing(double volume);

/// A closed surface over balls, oriented outward. Every edge belongs to two triangles.
struct Skin {
  TriangleMesh mesh;
  std::vector<Vec3> normals;  // unit, outward, one for each point
  double spacing = 0.0;       // m; more than asked for where the samples would have been too many
};

/// The surface where the sum of the balls' fields is 1: of one ball ((1 - d^2/R^2)/(1 - r^2/R^2))^3
/// within R = (1 + reach) r, so that a ball alone keeps its radius r and the field is at least 1 in
/// every ball. Polygonised on a cubic grid; where the field bends between samples the mesh is off
/// by the order of spacing^2 / r. Requires: radii above 0, as many as centres.
Skin skin_of(const std::vector<Vec3>& centers, const std::vector<double>& radii,
             const SkinSettings& settings = {});

}  // namespace repose::shape
