#pragma once

#include "repose/base/names.h"

namespace repose::shape {

/// How a shape was defined. Its names are the words of the scene format.
enum class ShapeKind {
  ball,
  half_space,
  box,
  ellipsoid,
  superellipsoid,
  cylinder,
  cone,
  capsule,
  torus,
  revolution,
  tube,
  bezier,
  bspline,
  trimmed,
  formula,
  union_of_solids,
  mesh,
  convex,
  plane_region,
  sphere_set,
  point_set
};

}  // namespace repose::shape

namespace repose {

template <>
inline constexpr auto kNames<shape::ShapeKind> = std::to_array<std::string_view>(
    {"ball",         "half_space", "box",      "ellipsoid",  "superellipsoid", "cylinder",
     "cone",         "capsule",    "torus",    "revolution", "tube",           "bezier",
     "bspline",      "trimmed",    "formula",  "union",      "mesh",           "convex",
     "plane_region", "sphere_set", "point_set"});

}  // namespace repose
