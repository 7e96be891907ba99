#include "shape/skin/cell_table.h"

#include <algorithm>

#include "repose/base/check.h"

namespace repose::shape {

namespace {

constexpr int kCorners = 8, kEdges = 12, kFaces = 6;

/// The edge between two neighbouring corners.
int edge_of(int a, int b) {
  for (int e = 0; e < kEdges; ++e) {
    const auto ends = edge_corners(e);
    if ((ends[0] == a && ends[1] == b) || (ends[0] == b && ends[1] == a)) return e;
  }
  REPOSE_CHECK(false, "corners that no edge joins");
}

/// The four corners of a face, counter-clockwise seen from outside the cube.
std::array<int, 4> face_corners(int face) {
  const int axis = face / 2, high = face % 2;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const auto corner = [&](int a, int b) { return high << axis | a << u | b << v; };
  std::array<int, 4> out{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
  if (high == 0) std::reverse(out.begin(), out.end());
  return out;
}

bool share_face(int edge_a, int edge_b) {
  for (int face = 0; face < kFaces; ++face) {
    const auto corners = face_corners(face);
    const auto on_it = [&](int edge) {
      const auto ends = edge_corners(edge);
      return std::count(corners.begin(), corners.end(), ends[0]) > 0 &&
             std::count(corners.begin(), corners.end(), ends[1]) > 0;
    };
    if (on_it(edge_a) && on_it(edge_b)) return true;
  }
  return false;
}

/// For every edge that is cut the edge that follows it around its polygon, seen from outside the
/// body: on each face a segment cuts off a run of inside corners.
std::array<int, kEdges> followers(int inside) {
  std::array<int, kEdges> next{};
  next.fill(-1);
  const auto is_inside = [inside](int corner) { return (inside >> corner & 1) != 0; };
  for (int face = 0; face < kFaces; ++face) {
    const auto c = face_corners(face);
    int count = 0;
    for (const int corner : c) count += is_inside(corner) ? 1 : 0;
    if (count == 0 || count == 4) continue;
    for (int k = 0; k < 4; ++k) {
      const int here = c[static_cast<std::size_t>(k)];
      const int before = c[static_cast<std::size_t>((k + 3) % 4)];
      if (!is_inside(here) || is_inside(before)) continue;
      // a run of inside corners begins here; it ends after a single one where the face is
      // ambiguous, since the next corner is outside then
      int last = k;
      while (is_inside(c[static_cast<std::size_t>((last + 1) % 4)])) ++last;
      const int end = c[static_cast<std::size_t>(last % 4)];
      const int after = c[static_cast<std::size_t>((last + 1) % 4)];
      // the segment goes this way so that polygons turn counter-clockwise seen from outside the
      // body
      next[static_cast<std::size_t>(edge_of(before, here))] = edge_of(end, after);
    }
  }
  return next;
}

/// A corner of the polygon from which no diagonal lies in a face of the cube; -1 if there is none.
/// A diagonal in a face could be one of the neighbouring cube's as well.
int free_apex(const std::vector<int>& polygon) {
  const int n = static_cast<int>(polygon.size());
  for (int apex = 0; apex < n; ++apex) {
    bool free = true;
    for (int k = 2; k + 1 < n; ++k)
      free = free && !share_face(polygon[static_cast<std::size_t>(apex)],
                                 polygon[static_cast<std::size_t>((apex + k) % n)]);
    if (free) return apex;
  }
  return -1;
}

void add_polygon(const std::vector<int>& polygon, CellCase& out) {
  const int n = static_cast<int>(polygon.size());
  const auto at = [&](int k) { return polygon[static_cast<std::size_t>(k % n)]; };
  if (const int apex = free_apex(polygon); apex >= 0) {
    for (int k = 1; k + 1 < n; ++k)
      out.triangles.push_back({at(apex), at(apex + k), at(apex + k + 1)});
    return;
  }
  const int middle = kMiddle + static_cast<int>(out.polygons.size());
  out.polygons.push_back(polygon);
  for (int k = 0; k < n; ++k) out.triangles.push_back({at(k), at(k + 1), middle});
}

CellCase case_of(int inside) {
  CellCase out;
  const auto next = followers(inside);
  std::array<bool, kEdges> done{};
  for (int first = 0; first < kEdges; ++first) {
    if (next[static_cast<std::size_t>(first)] < 0 || done[static_cast<std::size_t>(first)])
      continue;
    std::vector<int> polygon;
    for (int e = first; !done[static_cast<std::size_t>(e)]; e = next[static_cast<std::size_t>(e)]) {
      done[static_cast<std::size_t>(e)] = true;
      polygon.push_back(e);
    }
    add_polygon(polygon, out);
  }
  return out;
}

}  // namespace

std::array<int, 2> edge_corners(int edge) {
  const int axis = edge / 4, place = edge % 4;
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  const int low = (place & 1) << u | (place >> 1) << v;
  return {low, low | 1 << axis};
}

const std::array<CellCase, 256>& cell_cases() {
  static const auto cases = [] {
    std::array<CellCase, 256> out;
    for (int inside = 0; inside < 1 << kCorners; ++inside)
      out[static_cast<std::size_t>(inside)] = case_of(inside);
    return out;
  }();
  return cases;
}

}  // namespace repose::shape
