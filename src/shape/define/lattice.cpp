#include "repose/shape/lattice.h"

#include <algorithm>
#include <cmath>

namespace repose::shape {

namespace {

using Place = std::array<int, 3>;

/// Corners of the faces, counted about the outward normal.
constexpr std::array<std::array<std::size_t, 4>, 6> kFaces{
    {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};

}  // namespace

std::vector<LatticeCell> whole_cells(const std::vector<Place>& places) {
  std::vector<int> order(places.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto place = [&](int i) -> const Place& { return places[static_cast<std::size_t>(i)]; };
  std::sort(order.begin(), order.end(), [&](int p, int q) { return place(p) < place(q); });
  const auto find = [&](const Place& wanted) {
    const auto found =
        std::lower_bound(order.begin(), order.end(), wanted,
                         [&](int i, const Place& other) { return place(i) < other; });
    return found != order.end() && place(*found) == wanted ? *found : -1;
  };
  std::vector<LatticeCell> out;
  for (const int low : order) {
    const Place& p = place(low);
    LatticeCell cell{};
    bool whole = true;
    for (int k = 0; whole && k < 8; ++k) {
      const int corner = find({p[0] + (k & 1), p[1] + (k >> 1 & 1), p[2] + (k >> 2 & 1)});
      cell[static_cast<std::size_t>(k)] = corner;
      whole = corner >= 0;
    }
    if (whole) out.push_back(cell);
  }
  return out;
}

double cell_volume(const LatticeCell& cell, const std::vector<Vec3>& points) {
  const Vec3& origin = points[static_cast<std::size_t>(cell[0])];
  double out = 0.0;
  for (const auto& face : kFaces) {
    std::array<Vec3, 4> p;
    for (std::size_t k = 0; k < 4; ++k)
      p[k] = points[static_cast<std::size_t>(cell[face[k]])] - origin;
    const auto wedge = [&](std::size_t a, std::size_t b, std::size_t c) {
      return p[a].dot(p[b].cross(p[c]));
    };
    out += wedge(0, 1, 2) + wedge(0, 2, 3) + wedge(0, 1, 3) + wedge(1, 2, 3);
  }
  // a sixth of a wedge is a tetrahedron; every face is cut both ways
  return out / 12.0;
}

}  // namespace repose::shape
