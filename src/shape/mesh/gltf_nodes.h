#pragma once

#include <vector>

#include <Eigen/Geometry>

#include "shape/mesh/gltf_document.h"

namespace repose::shape {

/// A mesh where a node puts it.
struct GltfInstance {
  std::size_t node = 0, mesh = 0;
  Eigen::Affine3d world_from_mesh;
};

/// Every mesh of the file's scene with its place, parents before children, in the order in which
/// they are written. Refused: a node with two parents or within itself. (So there are no more
/// instances than nodes, and no walk ends in a circle.)
Result<std::vector<GltfInstance>> gltf_instances(const GltfDocument& document);

}  // namespace repose::shape
