#include "repose/shape/matter.h"

#include <algorithm>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "repose/shape/form.h"
#include "repose/shape/tessellate.h"

#include "shape/define/validate.h"
#include "shape/matter/self_meeting.h"
#include "shape/matter/turned_part.h"

namespace repose::shape {
namespace {

/// Meshes of patches: the first, how much finer each further one is, and the last.
constexpr double kFirstChord = 4e-3, kFiner = 0.25, kLastChord = 2e-4;  // of the bounding radius
constexpr int kMostTriangles = 200'000;

/// One formula bounds it; a tube's spine may come back upon itself.
bool known_simple(const Shape& shape) {
  const Form form = form_of(shape);
  return !std::holds_alternative<std::monostate>(form.is) &&
         !std::holds_alternative<TubeForm>(form.is);
}

/// Triangles that hang together along sides, each lot in increasing order.
std::vector<std::vector<int>> pieces_of(const TriangleMesh& mesh) {
  std::vector<int> leader(mesh.triangles.size());
  std::iota(leader.begin(), leader.end(), 0);
  const auto find = [&](int i) {
    const auto of = [&](int k) -> int& { return leader[static_cast<std::size_t>(k)]; };
    while (of(i) != i) i = of(i) = of(of(i));
    return i;
  };
  std::map<std::pair<int, int>, int> at;
  for (int t = 0; t < static_cast<int>(mesh.triangles.size()); ++t) {
    const auto& c = mesh.triangles[static_cast<std::size_t>(t)];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [found, fresh] = at.emplace(std::minmax(c[k], c[(k + 1) % 3]), t);
      if (fresh) continue;
      const int a = find(found->second), b = find(t);
      leader[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  std::map<int, std::vector<int>> lots;
  for (int t = 0; t < static_cast<int>(leader.size()); ++t) lots[find(t)].push_back(t);
  std::vector<std::vector<int>> out;
  for (auto& [first, lot] : lots) out.push_back(std::move(lot));
  return out;
}

struct Box {
  Vec3 low, high;
  bool holds(const Vec3& p) const {
    return (low.array() <= p.array()).all() && (p.array() <= high.array()).all();
  }
};

Vec3 middle_of(const TriangleMesh& mesh, int t) {
  Vec3 out = Vec3::Zero();
  for (const int c : mesh.triangles[static_cast<std::size_t>(t)])
    out += mesh.points[static_cast<std::size_t>(c)] / 3.0;
  return out;
}

Box box_of(const TriangleMesh& mesh, const std::vector<int>& lot) {
  Box out{middle_of(mesh, lot[0]), middle_of(mesh, lot[0])};
  for (const int t : lot)
    for (const int c : mesh.triangles[static_cast<std::size_t>(t)]) {
      out.low = out.low.cwiseMin(mesh.points[static_cast<std::size_t>(c)]);
      out.high = out.high.cwiseMax(mesh.points[static_cast<std::size_t>(c)]);
    }
  return out;
}

/// Six times the volume that a lot bounds, signed.
double volume_of(const TriangleMesh& mesh, const std::vector<int>& lot) {
  const Vec3 origin = middle_of(mesh, lot[0]);
  double sum = 0.0;
  for (const int t : lot) {
    const auto& c = mesh.triangles[static_cast<std::size_t>(t)];
    const auto from = [&](std::size_t k) {
      return Vec3(mesh.points[static_cast<std::size_t>(c[k])] - origin);
    };
    sum += from(0).dot(from(1).cross(from(2)));
  }
  return sum;
}

/// How often all lots but the k-th wind about a point of it.
Winding wound_by_others(const TriangleMesh& mesh, const std::vector<std::vector<int>>& lots,
                        const std::vector<Box>& boxes, std::size_t k) {
  constexpr std::size_t kTries = 8;
  for (std::size_t i = 0; i < std::min(lots[k].size(), kTries); ++i) {
    const Vec3 p = middle_of(mesh, lots[k][i]);
    std::vector<int> around;
    for (std::size_t l = 0; l < lots.size(); ++l)
      if (l != k && boxes[l].holds(p)) around.insert(around.end(), lots[l].begin(), lots[l].end());
    if (const Winding found = winding_about(p, mesh, around); found.known) return found;
  }
  return {};
}

/// Closed surfaces within one another that are not turned in and out by turns; empty: none.
std::string nested_wrongly(const TriangleMesh& mesh) {
  const std::vector<std::vector<int>> lots = pieces_of(mesh);
  if (lots.size() < 2) return {};
  std::vector<Box> boxes;
  for (const auto& lot : lots) boxes.push_back(box_of(mesh, lot));
  for (std::size_t k = 0; k < lots.size(); ++k) {
    const Winding others = wound_by_others(mesh, lots, boxes, k);
    const std::string where = point_text(middle_of(mesh, lots[k][0]));
    if (!others.known) return "closed surfaces of it lie on each other at " + where;
    const bool hollow = volume_of(mesh, lots[k]) < 0.0;
    if (others.number == (hollow ? 1 : 0)) continue;
    return hollow ? "the closed surface at " + where + " is turned inward outside of matter"
                  : "the closed surface at " + where +
                        " lies in another one turned the same way: what it bounds counts twice";
  }
  return {};
}

Matter matter_of_mesh(const TriangleMesh& mesh) {
  const SelfMeeting meeting = self_meeting(mesh);
  if (meeting.kind == Meeting::none) {
    const std::string why = nested_wrongly(mesh);
    return {why.empty(), why};
  }
  return {false, fmt::format("its surface {} itself at {} (triangles {} and {})",
                             meeting.kind == Meeting::cross ? "cuts" : "touches",
                             point_text(middle_of(mesh, meeting.triangles[0])),
                             meeting.triangles[0], meeting.triangles[1])};
}

/// The triangles of one part, their corners numbered by place.
TriangleMesh part_mesh(const Tessellation& all, int part) {
  TriangleMesh out;
  out.points.resize(static_cast<std::size_t>(all.welded_count), Vec3::Zero());
  for (std::size_t i = 0; i < all.points.size(); ++i)
    out.points[static_cast<std::size_t>(all.welded[i])] = all.points[i];
  for (const auto& c : all.triangles) {
    if (all.part[static_cast<std::size_t>(c[0])] != part) continue;
    const auto at = [&](std::size_t k) { return all.welded[static_cast<std::size_t>(c[k])]; };
    if (at(0) != at(1) && at(1) != at(2) && at(2) != at(0))
      out.triangles.push_back({at(0), at(1), at(2)});
  }
  return out;
}

/// The parts of a solid may overlap, for it is their union; each by itself must be simple. A mesh
/// that cuts itself may do so only because it is coarse.
Matter matter_of_solid(const Shape& shape, const Solid& solid) {
  Matter out;
  double turned = 0.0;
  std::vector<bool> told;  // what is turned is seen in the half plane, sooner
  for (const Part& part : solid.parts) {
    const auto within = turned_without_crossing(part, kFirstChord * shape.bounding_radius);
    told.push_back(within.has_value());
    turned = std::max(turned, within.value_or(0.0));
  }
  if (std::find(told.begin(), told.end(), false) == told.end()) return {true, "", turned};
  TessellateSettings settings;
  settings.max_triangles = kMostTriangles;
  for (double chord = kFirstChord; chord >= kLastChord; chord *= kFiner) {
    settings.chord_fraction = chord;
    const Tessellation mesh = tessellate(shape, settings);
    out = {true, "", std::max(mesh.chord_error, turned)};
    for (int part = 0; part < static_cast<int>(solid.parts.size()) && out.simple; ++part) {
      if (told[static_cast<std::size_t>(part)]) continue;
      const TriangleMesh of_part = part_mesh(mesh, part);
      const SelfMeeting meeting = self_meeting(of_part);
      out.simple = meeting.kind != Meeting::cross;
      if (!out.simple)
        out.why =
            fmt::format("its surface cuts itself at {}, as seen on a mesh within {:.2g} m of it",
                        point_text(middle_of(of_part, meeting.triangles[0])), out.within);
    }
    if (out.simple) return out;
  }
  return out;
}

}  // namespace

Matter matter_of(const Shape& shape) {
  if (!(shape.volume.volume > 0.0)) return {};
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape.geometry)) return matter_of_mesh(*mesh);
  const auto* solid = std::get_if<Solid>(&shape.geometry);
  if (!solid || known_simple(shape)) return {};
  return matter_of_solid(shape, *solid);
}

}  // namespace repose::shape
