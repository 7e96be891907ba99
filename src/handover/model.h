#pragma once

#include <array>
#include <memory>

#include "reading.h"

namespace repose::handover {

/// One geom or collision element: a shape in the frame of its group.
struct Piece {
  std::string name;  // may be empty
  ShapeUse shape;
  Pose group_from_piece;
  std::optional<double> mass;  // kg; else density * volume
  double density = 1000.0;     // kg/m^3
  double friction = 0.5;
  Where at;
};

enum class SlotKind { mjcf_body, urdf_origin, sdf_pose };
/// Where a file says a pose: base_from_world * world_from_group * after. The base is a frame of the
/// file, that of another group where one is named.
struct Slot {
  SlotKind kind = SlotKind::mjcf_body;
  At at;  // the element that has the pose, or in which it stands
  Pose base_from_world, after;
  int base_group = -1;
};

/// What moves as one: a link and all that is fixed to it.
struct Group {
  Group() = default;
  Group(std::string name, Where at) : name(std::move(name)), at(std::move(at)) {}

  std::string name;
  Pose world_from_group;  // at the start
  bool free = false;      // nothing holds it
  bool jointed = false;   // held by joints that could move
  std::vector<Piece> pieces;
  std::optional<double> mass;  // kg, of all of it; else that of its pieces
  std::optional<Vec3> center;  // of mass, group frame; else that of its pieces
  Where at;
  std::vector<Slot> slots;
  std::string no_slot;                  // why its pose cannot be written; empty: it can
  int key_at = -1;                      // MJCF: where in qpos its seven numbers begin
  std::vector<std::size_t> nodes = {};  // of a scene graph: those that carry it
};

class GraphFile;

/// A whole file of another tool, read.
struct Model {
  explicit Model(std::string file) : files(std::move(file)) {}

  Format format = Format::mjcf;
  Files files;
  std::string about;
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);
  std::vector<Group> groups;
  Named<ShapeSpec> shapes;                         // meshes, each once
  std::map<std::string, std::size_t> shape_index;  // by name
  Notes notes;
  std::vector<std::string> remarks;
  std::vector<std::string> joints;         // names of those that can be told where to stand
  std::vector<double> qpos;                // MJCF: of all joints in order
  std::shared_ptr<const GraphFile> graph;  // USDA and glTF: instead of files

  /// The shape of that name; null if there is none.
  const ShapeSpec* find_shape(const std::string& name) const {
    const auto found = shape_index.find(name);
    return found == shape_index.end() ? nullptr : &shapes[found->second].second;
  }
};

/// A group as a body of the scene.
struct Passenger {
  std::string body;  // of the scene
  std::size_t group = 0;
  Pose group_from_body;
};
struct Origin {
  explicit Origin(std::string file) : model(std::move(file)) {}
  Model model;
  OpenOptions options;
  std::vector<Passenger> moving;
};

}  // namespace repose::handover
