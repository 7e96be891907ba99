#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "repose/base/names.h"
#include "repose/shape/shape.h"

namespace repose::shape {

/// What can be wrong with a mesh, in the order in which it is mended.
enum class MeshFault {
  repeated_points,     // of equal coordinates
  repeated_faces,      // of the same three corners
  faces_without_area,  // a corner twice, or three in a line
  open_edges,          // of one triangle
  crowded_edges,       // of more than two
  disagreeing_edges,   // whose two triangles are turned against each other
  one_sided,           // no way of turning them agrees
  inside_out,          // closed pieces that are turned inward and are no hollows
  no_volume,           // closed, and encloses nothing
  cutting_faces,       // pairs that pass through each other
  touching_faces,      // pairs that touch where they have no corner or side in common
  counted_twice        // closed pieces within matter that are turned as matter is
};
}  // namespace repose::shape

namespace repose {
template <>
inline constexpr auto kNames<shape::MeshFault> = std::to_array<std::string_view>(
    {"repeated points", "repeated faces", "faces without area", "open edges", "crowded edges",
     "disagreeing edges", "one-sided", "inside out", "no volume", "cutting faces", "touching faces",
     "counted twice"});
}  // namespace repose

namespace repose::shape {

/// A fault of a mesh: how often, and the first few places.
struct MeshFinding {
  MeshFault fault = MeshFault::open_edges;
  std::size_t count = 0;
  bool at_least = false;     // the search ended at this count
  std::vector<Vec3> places;  // m
  std::string note;          // what more is known; may be empty
};

/// All that is wrong. Closedness, sides and matter are those of the mesh with equal points made
/// one, as make_mesh and the judge see it; signs are exact.
std::vector<MeshFinding> inspect_mesh(const TriangleMesh& mesh);

/// What a step of mending did. Area and region are those of triangles that came, went or moved.
struct MeshChange {
  std::string what;  // "points made one", ...
  std::size_t count = 0;
  double area = 0.0;          // m^2
  double displacement = 0.0;  // m, most that a point of the old surface was moved
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  // box of the region
};

struct RepairSettings {
  /// Points on open edges nearer to each other, or to an open edge, are made one. Of the mesh's
  /// size; [0, 0.1]. Larger: wider cracks close, and finer features on a rim go.
  double weld_fraction = 1e-6;
};

struct MeshRepair {
  TriangleMesh mesh;  // as far as it could be mended
  std::vector<MeshFinding> before, after;
  std::vector<MeshChange> changes;
  std::vector<std::string> refused;  // what could not be mended, and why
  double displacement = 0.0;         // m, most over all changes

  bool sound() const { return after.empty(); }
};

/// Mends what can be mended: equal and near points made one, faces without area and repeated faces
/// dropped, edges split where a corner lies on them, sides made to agree and outward, holes closed,
/// parts that cut each other united. A step that would not help is not taken. A sound mesh comes
/// back as it is.
MeshRepair repair_mesh(const TriangleMesh& mesh, const RepairSettings& settings = {});

}  // namespace repose::shape
