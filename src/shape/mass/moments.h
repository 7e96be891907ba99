#pragma once

#include "repose/shape/shape.h"

namespace repose::shape {

/// Integrals over a solid and its surface, about a fixed reference point near it.
struct Moments {
  double area = 0.0;
  double volume = 0.0;
  Vec3 first = Vec3::Zero();   // of x
  Mat3 second = Mat3::Zero();  // of x x^T

  Moments& operator+=(const Moments& other) {
    area += other.area;
    volume += other.volume;
    first += other.first;
    second += other.second;
    return *this;
  }
};

/// Centre and central inertia from moments about `reference`.
VolumeProperties properties_from(const Moments& moments, const Vec3& reference);

/// Exact for the polyhedron the triangles bound (outward oriented).
VolumeProperties mesh_properties(const TriangleMesh& mesh);
/// Area only; of open meshes.
double mesh_area(const TriangleMesh& mesh);

/// Faces fanned from their first corners.
TriangleMesh triangles_of(const ConvexPolyhedron& polyhedron);

/// Solid of mass `volume` made of several, each with its own properties, that do not overlap (or
/// count twice where they do).
VolumeProperties sum_of(const std::vector<VolumeProperties>& parts);

/// The same solid seen from another frame.
VolumeProperties moved(const VolumeProperties& properties, const Pose& pose);

}  // namespace repose::shape
