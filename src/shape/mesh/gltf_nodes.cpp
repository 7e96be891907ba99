#include "shape/mesh/gltf_nodes.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/base/work.h"
#include "repose/math/pose.h"

#include "shape/mesh/gltf_fields.h"

namespace repose::shape {
namespace {

/// A rotation's length may differ from 1 by this much, for numbers written with few digits.
constexpr double kUnitSlack = 1e-2;

struct Tree {
  std::vector<std::vector<std::size_t>> children;  // by node
  std::vector<std::size_t> roots;                  // of the scene
};

Result<Tree> children_of(const GltfDocument& document) {
  Tree tree;
  std::vector<char> has_parent(document.nodes().size(), 0);
  for (const JsonView& node : document.nodes()) {
    const auto list = list_in(node, "children");
    if (!list) return list.error();
    tree.children.emplace_back();
    for (const JsonView& entry : *list) {
      const auto child = as_index(entry, document.nodes().size());
      if (!child) return child.error();
      if (has_parent[*child] != 0)
        return entry.error("this node has a parent already", "a tree: one parent for each node");
      has_parent[*child] = 1;
      tree.children.back().push_back(*child);
    }
  }
  // where no scene is named the first one counts, and without scenes all that stands on its own
  const auto chosen = index_in(document.root(), "scene", document.scenes().size());
  if (!chosen) return chosen.error();
  if (document.scenes().empty()) {
    for (std::size_t n = 0; n < has_parent.size(); ++n)
      if (has_parent[n] == 0) tree.roots.push_back(n);
    return tree;
  }
  const auto roots = list_in(document.scenes()[chosen->value_or(0)], "nodes");
  if (!roots) return roots.error();
  for (const JsonView& entry : *roots) {
    const auto root = as_index(entry, document.nodes().size());
    if (!root) return root.error();
    if (has_parent[*root] != 0)
      return entry.error("this node stands twice in the scene, or is some node's child",
                         "a scene's own nodes, each once and without a parent");
    has_parent[*root] = 1;
    tree.roots.push_back(*root);
  }
  return tree;
}

Result<Eigen::Affine3d> from_matrix(JsonView node, const std::vector<double>& m) {
  // column by column
  const Eigen::Matrix4d matrix = Eigen::Map<const Eigen::Matrix4d>(m.data());
  if (matrix.row(3) != Eigen::RowVector4d(0.0, 0.0, 0.0, 1.0))
    return node.find("matrix")->error("the last row of the matrix is not 0 0 0 1",
                                      "a matrix that moves, turns and scales");
  return Eigen::Affine3d(matrix);
}

/// Place of a node in its parent: a matrix, or translation, rotation and scale.
Result<Eigen::Affine3d> place_of(JsonView node) {
  std::vector<double> m(16), t(3, 0.0), r{0.0, 0.0, 0.0, 1.0}, s(3, 1.0);
  const auto matrix = numbers_in(node, "matrix", &m);
  if (!matrix) return matrix.error();
  const auto translation = numbers_in(node, "translation", &t);
  if (!translation) return translation.error();
  const auto rotation = numbers_in(node, "rotation", &r);
  if (!rotation) return rotation.error();
  const auto scale = numbers_in(node, "scale", &s);
  if (!scale) return scale.error();
  if (*matrix && (*translation || *rotation || *scale))
    return node.error("a matrix, and translation, rotation or scale as well", "one of the two");
  if (*matrix) return from_matrix(node, m);
  const Quat turn(r[3], r[0], r[1], r[2]);
  if (!(std::fabs(turn.norm() - 1.0) <= kUnitSlack))
    return node.find("rotation")
        ->error("the rotation is no unit quaternion", "x, y, z, w of length 1");
  return Eigen::Translation3d(t[0], t[1], t[2]) * turn.normalized() *
         Eigen::Scaling(Vec3(s[0], s[1], s[2]));
}

}  // namespace

Result<std::vector<GltfNode>> gltf_nodes(const GltfDocument& document) {
  const auto tree = children_of(document);
  if (!tree) return tree.error();
  struct Waiting {
    std::size_t node;
    int parent;
  };
  std::vector<Waiting> waiting;
  for (auto root = tree->roots.rbegin(); root != tree->roots.rend(); ++root)
    waiting.push_back({*root, -1});
  std::vector<GltfNode> out;
  while (!waiting.empty()) {
    spend_work(1);
    const Waiting next = waiting.back();
    waiting.pop_back();
    const JsonView node = document.nodes()[next.node];
    const auto place = place_of(node);
    if (!place) return place.error();
    const auto mesh = index_in(node, "mesh", document.meshes().size());
    if (!mesh) return mesh.error();
    const int number = static_cast<int>(out.size());
    out.push_back({next.node, next.parent, *place, *mesh});
    const auto& children = tree->children[next.node];
    for (auto child = children.rbegin(); child != children.rend(); ++child)
      waiting.push_back({*child, number});
  }
  return out;
}

Result<std::vector<GltfInstance>> gltf_instances(const GltfDocument& document) {
  const auto nodes = gltf_nodes(document);
  if (!nodes) return nodes.error();
  std::vector<Eigen::Affine3d> world;
  std::vector<GltfInstance> out;
  for (const GltfNode& node : *nodes) {
    world.push_back(node.parent < 0 ? node.parent_from_node
                                    : Eigen::Affine3d(world[static_cast<std::size_t>(node.parent)] *
                                                      node.parent_from_node));
    if (node.mesh) out.push_back({node.node, *node.mesh, world.back()});
  }
  return out;
}

}  // namespace repose::shape
