#include <algorithm>

#include "repose/shape/matter.h"
#include "repose/shape/repair.h"

#include "shape/enclose/min_ball.h"
#include "shape/mass/moments.h"
#include "shape/matter/self_meeting.h"
#include "shape/mesh/mesh_topology.h"
#include "shape/repair/sides.h"
#include "shape/repair/tidy_faces.h"

namespace repose::shape {
namespace {

constexpr std::size_t kPlaces = 5;            // named of each fault
constexpr std::size_t kMostMeetings = 10000;  // counted
/// Less is rounding; of the cube of the size.
constexpr double kLeastVolume = 1e-15;

class Findings {
 public:
  void add(MeshFault fault, std::size_t count, std::vector<Vec3> places, std::string note = {}) {
    if (count == 0) return;
    if (places.size() > kPlaces) places.resize(kPlaces);
    held_.push_back({fault, count, false, std::move(places), std::move(note)});
  }
  void add(MeshFault fault, const std::vector<Vec3>& places) { add(fault, places.size(), places); }
  MeshFinding& last() { return held_.back(); }
  std::vector<MeshFinding> take() { return std::move(held_); }

 private:
  std::vector<MeshFinding> held_;
};

Vec3 middle_of(const TriangleMesh& mesh, const std::array<int, 3>& c) {
  return (mesh.points[c[0]] + mesh.points[c[1]] + mesh.points[c[2]]) / 3.0;
}

void find_repeats(const TriangleMesh& mesh, const TriangleMesh& one, Findings* out) {
  // points that no triangle uses are no fault: they bound nothing
  std::vector<char> used(mesh.points.size(), 0);
  for (const auto& c : mesh.triangles)
    for (const int corner : c) used[corner] = 1;
  const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), 1));
  std::size_t twice = 0;
  std::vector<Vec3> thin;
  for (const auto& c : mesh.triangles) {
    if (has_area(mesh, c)) continue;
    ++twice;
    thin.push_back(middle_of(mesh, c));
  }
  // points that only faces without area use go with these
  if (twice == 0 && count > one.points.size())
    out->add(MeshFault::repeated_points, count - one.points.size(), {});
  std::vector<Vec3> places;
  const std::size_t repeated = count_repeated_faces(one, &places);
  out->add(MeshFault::repeated_faces, repeated, places);
  out->add(MeshFault::faces_without_area, twice, thin);
}

/// Answers whether every edge lies between two triangles that agree.
bool find_edges(const TriangleMesh& mesh, Findings* out) {
  std::vector<Vec3> open, crowded;
  for (const MeshEdge& e : mesh_edges(mesh)) {
    if (e.count == 2) continue;
    (e.count < 2 ? open : crowded).push_back(0.5 * (mesh.points[e.a] + mesh.points[e.b]));
  }
  const std::vector<Vec3> against = disagreeing_edges(mesh);
  out->add(MeshFault::open_edges, open);
  out->add(MeshFault::crowded_edges, crowded);
  out->add(MeshFault::disagreeing_edges, against);
  if (!against.empty()) {
    TriangleMesh turned = mesh;
    bool one_sided = false;
    make_sides_agree(&turned, &one_sided);
    if (one_sided) out->add(MeshFault::one_sided, 1, {});
  }
  return open.empty() && crowded.empty() && against.empty();
}

bool find_meetings(const TriangleMesh& mesh, Findings* out) {
  const auto meetings = all_meetings(mesh, kMostMeetings);
  std::vector<Vec3> cuts, touches;
  for (const SelfMeeting& m : meetings)
    (m.kind == Meeting::cross ? cuts : touches)
        .push_back(middle_of(mesh, mesh.triangles[m.triangles[0]]));
  const bool all = meetings.size() < kMostMeetings;
  for (const auto& [fault, places] :
       {std::pair(MeshFault::cutting_faces, cuts), std::pair(MeshFault::touching_faces, touches)}) {
    out->add(fault, places);
    if (!places.empty()) out->last().at_least = !all;
  }
  return !meetings.empty();
}

void find_matter(const TriangleMesh& mesh, bool meets, Findings* out) {
  const double size = 2.0 * min_ball(mesh.points).radius;
  if (!(enclosed_volume(mesh) > kLeastVolume * size * size * size)) {
    out->add(MeshFault::no_volume, 1, {});
    return;
  }
  const std::vector<Vec3> inside_out = pieces_inside_out(mesh);
  out->add(MeshFault::inside_out, inside_out);
  if (!inside_out.empty() || meets) return;
  Shape shape;
  shape.kind = ShapeKind::mesh;
  shape.geometry = mesh;
  shape.volume = mesh_properties(mesh);
  const Matter matter = matter_of(shape);
  if (!matter.simple) out->add(MeshFault::counted_twice, 1, {}, matter.why);
}

}  // namespace

std::vector<MeshFinding> inspect_mesh(const TriangleMesh& mesh) {
  Findings out;
  const TriangleMesh one = welded(mesh);
  find_repeats(mesh, one, &out);
  const bool closed = find_edges(one, &out);
  const bool meets = find_meetings(one, &out);
  if (closed && !one.triangles.empty()) find_matter(one, meets, &out);
  if (one.triangles.empty()) out.add(MeshFault::no_volume, 1, {});
  return out.take();
}

}  // namespace repose::shape
