#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Geometry>

#include "repose/base/json.h"
#include "repose/shape/shape.h"

namespace repose::shape {

/// The scene of a glTF 2.0 file: its nodes with their places, and its meshes in their own frames.
struct GltfScene {
  struct Node {
    JsonView at;             // in the file
    std::size_t number = 0;  // among all nodes of the file
    int parent = -1;         // in this list
    Eigen::Affine3d parent_from_node = Eigen::Affine3d::Identity();
    std::optional<std::size_t> mesh;
  };
  std::shared_ptr<const JsonDocument> json;
  std::vector<Node> nodes;           // parents before children
  std::vector<TriangleMesh> meshes;  // by mesh of the file; those that no node names are empty
};

/// Reads the text of a .gltf file or the bytes of a .glb file. `path` is the name it has: buffers
/// are looked for beside it. Limits are those of read_mesh_file, for all meshes together.
Result<GltfScene> read_gltf_scene(const std::string& path, const std::string& bytes);

}  // namespace repose::shape
