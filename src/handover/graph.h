#pragma once

#include <variant>

#include "model.h"

namespace repose::handover {

using Affine = Eigen::Affine3d;

/// A shape of a node, in the node's frame and the file's unit.
struct GraphShape {
  /// Triangles of the graph; `hull`: only the hull of their points counts.
  struct Triangles {
    std::size_t mesh = 0;
    bool hull = false;
  };
  using What = std::variant<shape::BallInput, shape::BoxInput, shape::CylinderInput,
                            shape::CapsuleInput, shape::ConeInput, HalfSpaceSpec, Triangles>;
  What what;
  Pose node_from_shape;
  Where at;
  bool seen = true;  // drawn; what only stands for physics is not
};

/// A frame of a scene graph and what hangs on it.
struct GraphNode {
  enum class Role { plain, moving, held };

  std::string name, path;
  int parent = -1;
  Affine parent_from_node = Affine::Identity();
  Affine world_from_node = Affine::Identity();  // m, z up
  bool in_world = false;                        // its place is in the file's world, not its parent
  std::vector<GraphShape> shapes;
  Where at;
  // structure, where the file tells it
  bool whole = false;   // it and all below it is one object
  bool bundle = false;  // what is below it is several
  // physics, where the file tells it
  Role role = Role::plain;
  bool collides = false;  // the shapes of it and of what is below it
  std::optional<double> mass, density;
  std::optional<Vec3> center;  // of mass, node frame
  double friction = Piece{}.friction;
  std::string no_slot;  // why its place cannot be written; empty: it can
};

/// What holds two bodies together, or one to the world (-1).
struct GraphJoint {
  int node_a = -1, node_b = -1;
  bool rigid = false;
};

/// A scene graph of any format. Parents stand before their children.
struct Graph {
  std::vector<GraphNode> nodes;
  std::vector<GraphJoint> joints;
  std::vector<shape::TriangleMesh> meshes;  // file's unit
  std::vector<std::string> mesh_names;
  Affine world_from_file = Affine::Identity();  // m, z up: a rotation and one scale
  bool physics = false;                         // the file says what moves and what collides

  void place_nodes();
};

/// A node's place changes: parent_from_node becomes by * parent_from_node.
struct NodeMove {
  std::size_t node = 0;
  Affine by = Affine::Identity();
  /// `by` only turns and moves.
  bool rigid() const;
};

/// A file with a scene graph, and how other places are written into it.
class GraphFile {
 public:
  GraphFile() = default;
  virtual ~GraphFile() = default;
  GraphFile(const GraphFile&) = delete;
  GraphFile& operator=(const GraphFile&) = delete;

  Graph graph;
  /// The file's bytes with these moves; whatever else stood there is the same.
  virtual std::string with_moves(const std::vector<NodeMove>& moves) const = 0;
};

/// Groups of the model from the nodes of a graph. Where the file tells what moves and collides it
/// is taken at its word. Elsewhere every object is a body; what is open, or else the widest,
/// stands.
void make_bodies(const Graph& graph, Model& model, const OpenOptions& options);

/// What must change in the nodes so that the groups stand where they are now.
std::vector<NodeMove> moves_of(const Graph& graph, const Model& model,
                               const std::vector<Pose>& groups_now);

/// An affine map as a rigid one after a linear one: world_from_own = pose * own_from_shape.
struct Split {
  Pose pose;
  Mat3 stretch = Mat3::Identity();  // diagonal where the map has no shear
};
Split split(const Affine& map);

}  // namespace repose::handover
