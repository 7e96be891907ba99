#include "graph.h"

#include <cmath>

#include <Eigen/SVD>

namespace repose::handover {

namespace {

/// Columns whose cosines are below this stand square to each other.
constexpr double kSquare = 1e-9;
/// A map whose columns differ from those of a rotation by less only turns.
constexpr double kTurnsOnly = 1e-10;
/// Moves below this are rounding: m, and the same of a turn.
constexpr double kNoMove = 1e-14;

bool is_square(const Mat3& m) {
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3;
    if (std::abs(m.col(a).dot(m.col(b))) > kSquare * m.col(a).norm() * m.col(b).norm())
      return false;
  }
  return true;
}

bool is_still(const Affine& by) {
  return (by.linear() - Mat3::Identity()).norm() <= kNoMove && by.translation().norm() <= kNoMove;
}

Affine affine(const Pose& pose) {
  return Eigen::Translation3d(pose.position) * pose.rotation;
}

}  // namespace

Split split(const Affine& map) {
  const Mat3 m = map.linear();
  Split out;
  out.pose.position = map.translation();
  // a mirror turns all three axes round, so that both ways below agree
  const double side = m.determinant() < 0.0 ? -1.0 : 1.0;
  if (is_square(m)) {
    const Vec3 lengths = side * m.colwise().norm().transpose();
    const Mat3 turn = m * lengths.cwiseInverse().asDiagonal();
    if (turn == Mat3::Identity()) {
      out.stretch = m;
      return out;
    }
    out.pose.rotation = Quat(turn).normalized();
    out.stretch = lengths.asDiagonal();
    return out;
  }
  const Eigen::JacobiSVD<Mat3> svd(m, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Mat3 turn = side * svd.matrixU() * svd.matrixV().transpose();
  out.pose.rotation = Quat(turn).normalized();
  out.stretch = out.pose.rotation.conjugate().toRotationMatrix() * m;
  return out;
}

bool NodeMove::rigid() const {
  const Mat3 m = by.linear();
  return (m.transpose() * m - Mat3::Identity()).norm() <= kTurnsOnly;
}

void Graph::place_nodes() {
  for (GraphNode& node : nodes) {
    const bool top = node.parent < 0 || node.in_world;
    const Affine& above =
        top ? world_from_file : nodes[static_cast<std::size_t>(node.parent)].world_from_node;
    node.world_from_node = above * node.parent_from_node;
  }
}

std::vector<NodeMove> moves_of(const Graph& graph, const Model& model,
                               const std::vector<Pose>& groups_now) {
  std::vector<int> group_of(graph.nodes.size(), -1);
  for (std::size_t g = 0; g < model.groups.size(); ++g)
    for (const std::size_t node : model.groups[g].nodes) group_of[node] = static_cast<int>(g);
  std::vector<NodeMove> out;
  // how the world of each node moves
  std::vector<Affine> moved(graph.nodes.size(), Affine::Identity());
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const GraphNode& node = graph.nodes[n];
    const bool top = node.parent < 0 || node.in_world;
    const auto p = static_cast<std::size_t>(std::max(node.parent, 0));
    const Affine above = top ? Affine::Identity() : moved[p];
    moved[n] = above;
    if (group_of[n] < 0) continue;
    const auto g = static_cast<std::size_t>(group_of[n]);
    moved[n] = affine(groups_now[g] * model.groups[g].world_from_group.inverse());
    const Affine world_from_parent = top ? graph.world_from_file : graph.nodes[p].world_from_node;
    NodeMove move{n, world_from_parent.inverse() * above.inverse() * moved[n] * world_from_parent};
    if (!is_still(move.by)) out.push_back(move);
  }
  return out;
}

}  // namespace repose::handover
