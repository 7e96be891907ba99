#pragma once

#include <optional>
#include <vector>

#include <Eigen/Geometry>

#include "shape/mesh/gltf_document.h"

namespace repose::shape {

/// A node of the file's scene.
struct GltfNode {
  std::size_t node = 0;  // in the file
  int parent = -1;       // in the list that it stands in
  Eigen::Affine3d parent_from_node;
  std::optional<std::size_t> mesh;
};

/// Every node of the file's scene, parents before children, in the order in which they are written.
/// Refused: a node with two parents or within itself. (So no walk ends in a circle.)
Result<std::vector<GltfNode>> gltf_nodes(const GltfDocument& document);

/// A mesh where a node puts it.
struct GltfInstance {
  std::size_t node = 0, mesh = 0;
  Eigen::Affine3d world_from_mesh;
};

/// Every mesh of the file's scene with its place, in the order of gltf_nodes.
Result<std::vector<GltfInstance>> gltf_instances(const GltfDocument& document);

}  // namespace repose::shape
