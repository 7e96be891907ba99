#include "repose/shape/repair.h"

#include <algorithm>

#include "shape/enclose/min_ball.h"
#include "shape/mesh/mesh_topology.h"
#include "shape/repair/holes.h"
#include "shape/repair/sides.h"
#include "shape/repair/tidy_faces.h"
#include "shape/repair/unite.h"
#include "shape/repair/weld_near.h"

namespace repose::shape {
namespace {

std::size_t edges_of_count(const TriangleMesh& mesh, bool open) {
  const auto edges = mesh_edges(mesh);
  return static_cast<std::size_t>(std::count_if(edges.begin(), edges.end(), [&](const MeshEdge& e) {
    return open ? e.count == 1 : e.count > 2;
  }));
}

bool is_closed(const TriangleMesh& mesh) {
  return edges_of_count(mesh, true) + edges_of_count(mesh, false) == 0;
}

bool has(const std::vector<MeshFinding>& findings, MeshFault fault) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const MeshFinding& f) { return f.fault == fault; });
}

/// The mesh on its way, and what was done to it.
class Mending {
 public:
  Mending(const TriangleMesh& mesh, const RepairSettings& settings, MeshRepair* out)
      : out_(*out), size_(2.0 * min_ball(mesh.points).radius) {
    out_.mesh = mesh;
    near_ = settings.weld_fraction * size_;
  }

  void mend() {
    weld_equal();
    take(drop_repeated_faces(&out_.mesh));
    take(drop_faces_without_area(&out_.mesh));
    close_cracks();
    // welding may have made faces equal or thin
    take(drop_repeated_faces(&out_.mesh));
    take(drop_faces_without_area(&out_.mesh));
    close_cracks();
    take(drop_stray_sheets(&out_.mesh));
    take(drop_inner_walls(&out_.mesh));
    if (const auto crowded = edges_of_count(out_.mesh, false); crowded > 0) {
      refuse(
          std::to_string(crowded) +
          " edges stay between more than two faces: parts that touch along an edge would have to "
          "be moved apart");
      return;
    }
    bool one_sided = false;
    take(make_sides_agree(&out_.mesh, &one_sided));
    if (one_sided) {
      refuse("a piece is one-sided: no way of turning its faces gives it an outside");
      return;
    }
    close_holes();
    if (!is_closed(out_.mesh)) return;
    take(turn_outward(&out_.mesh));
    unite();
  }

 private:
  void take(const MeshChange& change) {
    if (change.count == 0) return;
    out_.changes.push_back(change);
    out_.displacement = std::max(out_.displacement, change.displacement);
  }
  void refuse(std::string why) { out_.refused.push_back(std::move(why)); }

  void weld_equal() {
    ChangeNote note(
        "equal points made one, points without faces and faces of equal corners left out");
    const TriangleMesh after = welded(out_.mesh);
    const std::size_t fewer = out_.mesh.points.size() - after.points.size() +
                              out_.mesh.triangles.size() - after.triangles.size();
    if (fewer == 0) return;
    note.count(fewer);
    out_.mesh = after;
    take(note.change());
  }

  /// A step that leaves more open or crowded edges than it found is undone.
  void close_cracks() {
    const auto faults = [&] {
      return edges_of_count(out_.mesh, true) + 2 * edges_of_count(out_.mesh, false);
    };
    for (const auto step : {weld_open_points, split_open_edges}) {
      const TriangleMesh before = out_.mesh;
      const std::size_t many = faults();
      if (many == 0) return;
      const MeshChange change = step(near_, &out_.mesh);
      if (faults() > many)
        out_.mesh = before;
      else
        take(change);
    }
  }

  void close_holes() {
    if (is_closed(out_.mesh)) return;
    TriangleMesh lidded = out_.mesh;
    const MeshChange change = fill_holes(&lidded, &out_.refused);
    const auto found = inspect_mesh(lidded);
    if (has(found, MeshFault::no_volume) || has(found, MeshFault::repeated_faces)) {
      refuse("it is a sheet: closing it would enclose no volume; \"open\": true keeps it as it is");
      return;
    }
    out_.mesh = std::move(lidded);
    take(change);
  }

  void unite() {
    const auto found = inspect_mesh(out_.mesh);
    const auto meets = [&](MeshFault fault) { return has(found, fault); };
    if (!meets(MeshFault::cutting_faces) && !meets(MeshFault::touching_faces) &&
        !meets(MeshFault::counted_twice))
      return;
    MeshChange change;
    auto one = united(out_.mesh, size_, &change);
    if (!one) {
      refuse(
          "its parts meet in a way that could not be united: too many places, or faces that "
          "rounding mixes up");
      return;
    }
    out_.mesh = std::move(*one);
    take(change);
  }

  MeshRepair& out_;
  double size_, near_ = 0.0;  // m
};

}  // namespace

MeshRepair repair_mesh(const TriangleMesh& mesh, const RepairSettings& settings) {
  MeshRepair out;
  out.mesh = mesh;
  out.before = inspect_mesh(mesh);
  if (!out.before.empty() && !mesh.triangles.empty()) Mending(mesh, settings, &out).mend();
  if (out.mesh.triangles.empty() && !mesh.triangles.empty()) {
    out.mesh = mesh;
    out.changes.clear();
    out.displacement = 0.0;
    out.refused = {"nothing would be left: no face of it bounds anything"};
  }
  out.after = inspect_mesh(out.mesh);
  return out;
}

}  // namespace repose::shape
