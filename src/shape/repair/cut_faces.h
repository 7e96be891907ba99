#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "repose/shape/shape.h"

namespace repose::shape {

/// A mesh whose faces meet only along sides of theirs: what was cut, and where it came from.
struct CutFaces {
  std::vector<Vec3> points;  // those of the mesh first
  std::vector<std::array<int, 3>> parts;
  std::vector<int> face;                      // for every part the triangle it is of
  std::vector<std::pair<int, int>> segments;  // sides along which faces met, smaller number first
};

/// Cuts faces along the lines in which they meet each other. Points are rounded, the order in which
/// they lie is exact; nothing where faces touch, lie in one plane, or rounding has mixed up an
/// order.
std::optional<CutFaces> cut_faces(const TriangleMesh& mesh);

}  // namespace repose::shape
