#include "shape/tessellate/polygon_triangles.h"

#include <algorithm>

#include "shape/tessellate/greedy_triangles.h"

namespace repose::shape {
namespace {

double cross(const Vec2& a, const Vec2& b, const Vec2& c) {
  return (b - a).x() * (c - a).y() - (b - a).y() * (c - a).x();
}

bool in_triangle(const Vec2& p, const Vec2& a, const Vec2& b, const Vec2& c) {
  return cross(a, b, p) >= 0.0 && cross(b, c, p) >= 0.0 && cross(c, a, p) >= 0.0;
}

bool segments_cross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return cross(a, b, c) * cross(a, b, d) < 0.0 && cross(c, d, a) * cross(c, d, b) < 0.0;
}

/// The ring vertex that sees `from` without crossing the ring or any hole, nearest first.
std::size_t bridge_to(const std::vector<Vec2>& points, const std::vector<int>& ring,
                      const std::vector<std::vector<int>>& holes, int from) {
  std::vector<std::size_t> order(ring.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double da = (points[ring[a]] - points[from]).squaredNorm();
    const double db = (points[ring[b]] - points[from]).squaredNorm();
    return da != db ? da < db : a < b;
  });
  const auto blocked = [&](const std::vector<int>& loop, int to) {
    for (std::size_t k = 0; k < loop.size(); ++k)
      if (segments_cross(points[from], points[to], points[loop[k]],
                         points[loop[(k + 1) % loop.size()]]))
        return true;
    return false;
  };
  for (const std::size_t at : order) {
    bool free = !blocked(ring, ring[at]);
    for (const auto& hole : holes) free = free && !blocked(hole, ring[at]);
    if (free) return at;
  }
  return order[0];
}

bool is_ear(const std::vector<Vec2>& points, const std::vector<int>& ring, std::size_t at) {
  const std::size_t n = ring.size();
  const int ia = ring[(at + n - 1) % n], ib = ring[at], ic = ring[(at + 1) % n];
  const Vec2 a = points[ia], b = points[ib], c = points[ic];
  if (!(cross(a, b, c) > 0.0)) return false;
  for (const int i : ring) {
    const Vec2& p = points[i];
    if (p == a || p == b || p == c) continue;
    if (in_triangle(p, a, b, c)) return false;
  }
  return true;
}

}  // namespace

double twice_area(const std::vector<Vec2>& loop) {
  double sum = 0.0;
  for (std::size_t i = 1; i + 1 < loop.size(); ++i) sum += cross(loop[0], loop[i], loop[i + 1]);
  return sum;
}

std::vector<std::array<int, 3>> triangulate(const Polygon& polygon) {
  // bridges to holes that stand in rows may run through corners
  if (!polygon.holes.empty())
    if (auto cut = greedy_triangles(polygon)) return std::move(*cut);
  std::vector<Vec2> points = polygon.outer;
  std::vector<int> ring(points.size());
  for (std::size_t i = 0; i < ring.size(); ++i) ring[i] = static_cast<int>(i);
  std::vector<std::vector<int>> holes;
  for (const auto& hole : polygon.holes) {
    holes.emplace_back();
    for (const Vec2& p : hole) {
      holes.back().push_back(static_cast<int>(points.size()));
      points.push_back(p);
    }
  }
  // join each hole to the ring by a bridge walked both ways
  while (!holes.empty()) {
    const std::vector<int> hole = holes.front();
    const std::size_t at = bridge_to(points, ring, holes, hole[0]);
    holes.erase(holes.begin());
    std::vector<int> walk(hole);
    walk.push_back(hole[0]);
    walk.push_back(ring[at]);
    ring.insert(ring.begin() + static_cast<std::ptrdiff_t>(at) + 1, walk.begin(), walk.end());
  }
  std::vector<std::array<int, 3>> out;
  while (ring.size() > 3) {
    std::size_t at = 0;
    while (at < ring.size() && !is_ear(points, ring, at)) ++at;
    if (at == ring.size()) at = 0;  // rounding hid every ear: cut anywhere
    const std::size_t n = ring.size();
    out.push_back({ring[(at + n - 1) % n], ring[at], ring[(at + 1) % n]});
    ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(at));
  }
  out.push_back({ring[0], ring[1], ring[2]});
  return out;
}

}  // namespace repose::shape
