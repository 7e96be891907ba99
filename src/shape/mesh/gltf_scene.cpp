#include "repose/shape/gltf_scene.h"

#include "shape/mesh/gltf_nodes.h"
#include "shape/mesh/mesh.h"

namespace repose::shape {

Result<GltfScene> read_gltf_scene(const std::string& path, const std::string& bytes) {
  const auto in_file = [&](InputError error) {
    if (error.file.empty()) error.file = path;
    return error;
  };
  auto document = GltfDocument::open(path, std::make_shared<MemoryBytes>(bytes));
  if (!document) return in_file(document.error());
  const auto nodes = gltf_nodes(*document);
  if (!nodes) return in_file(nodes.error());
  GltfScene out;
  out.json = document->json();
  out.meshes.resize(document->meshes().size());
  std::vector<char> read(out.meshes.size(), 0);
  std::uint64_t points = 0, triangles = 0;
  for (const GltfNode& node : *nodes) {
    out.nodes.push_back(
        {document->nodes()[node.node], node.node, node.parent, node.parent_from_node, node.mesh});
    if (!node.mesh || read[*node.mesh] != 0) continue;
    read[*node.mesh] = 1;
    auto mesh = read_gltf_mesh(&*document, *node.mesh);
    if (!mesh) return in_file(mesh.error());
    points += mesh->points.size();
    triangles += mesh->triangles.size();
    if (auto bad = check_mesh_size(points, triangles)) return in_file(*bad);
    out.meshes[*node.mesh] = std::move(*mesh);
  }
  return out;
}

}  // namespace repose::shape
