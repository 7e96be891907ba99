#include "shape/enclose/plane_gap.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::shape {
namespace {

/// Distance to the loop's edges; *crossings counts those a ray along +x meets.
double loop_distance(const std::vector<Vec2>& loop, const Vec2& p, int* crossings) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 a = loop[i], b = loop[(i + 1) % loop.size()], d = b - a;
    const double t = std::clamp((p - a).dot(d) / d.squaredNorm(), 0.0, 1.0);
    least = std::min(least, (a + t * d - p).norm());
    const bool spans = (a.y() > p.y()) != (b.y() > p.y());
    if (spans && p.x() < a.x() + (p.y() - a.y()) / d.y() * d.x()) ++*crossings;
  }
  return least;
}

}  // namespace

double polygon_gap(const Polygon& polygon, const Vec2& p) {
  int crossings = 0;
  double least = loop_distance(polygon.outer, p, &crossings);
  for (const auto& hole : polygon.holes)
    least = std::min(least, loop_distance(hole, p, &crossings));
  return crossings % 2 == 1 ? -least : least;
}

double disc_gap(const Disc& disc, const Vec2& p) {
  return (p - disc.center).norm() - disc.radius;
}

double slab_gap(const PlaneRegion& region, const Vec3& p) {
  double flat = std::numeric_limits<double>::infinity();
  const Vec2 q = p.head<2>();
  for (const Polygon& polygon : region.polygons) flat = std::min(flat, polygon_gap(polygon, q));
  for (const Disc& disc : region.discs) flat = std::min(flat, disc_gap(disc, q));
  const double high = std::fabs(p.z()) - 0.5 * region.thickness;
  if (flat <= 0.0 && high <= 0.0) return std::max(flat, high);
  return std::hypot(std::max(flat, 0.0), std::max(high, 0.0));
}

}  // namespace repose::shape
