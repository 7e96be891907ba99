#include "skin_start.h"

#include <algorithm>
#include <map>

#include "repose/base/at.h"

#include "facet.h"

namespace repose::molecule {

namespace {

Box3 box_of(const Motion& motion, const std::array<int, 3>& t) {
  const Vec3 &a = motion.x[at(t[0])], &b = motion.x[at(t[1])], &c = motion.x[at(t[2])];
  return {a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c)};
}

bool cross(const Facet& a, const Facet& b) {
  return !(collide::part({&a, 0, Pose()}, {&b, 0, Pose()}).gap > 0.0);
}

bool skins_cross(const Arena& arena, const Motion& motion, int a, int b) {
  struct Boxed {
    Box3 box;
    int number;
  };
  std::vector<Boxed> lower;
  const auto& others = arena.surface[at(b)];
  for (std::size_t t = 0; t < others.size(); ++t)
    lower.push_back({box_of(motion, others[t]), static_cast<int>(t)});
  std::sort(lower.begin(), lower.end(),
            [](const Boxed& p, const Boxed& q) { return p.box.low.x() < q.box.low.x(); });
  for (const auto& triangle : arena.surface[at(a)]) {
    const Box3 box = box_of(motion, triangle);
    for (const Boxed& other : lower) {
      if (other.box.low.x() > box.high.x()) break;
      if (box.overlaps(other.box) &&
          cross(Facet(motion, triangle), Facet(motion, others[at(other.number)])))
        return true;
    }
  }
  return false;
}

/// Every side belongs to an even number of triangles: it has an inside.
bool is_closed(const std::vector<std::array<int, 3>>& skin) {
  std::map<std::array<int, 2>, int> sides;
  for (const auto& t : skin)
    for (std::size_t k = 0; k < 3; ++k)
      ++sides[{std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3])}];
  return !skin.empty() && std::all_of(sides.begin(), sides.end(),
                                      [](const auto& side) { return side.second % 2 == 0; });
}

/// A point within a closed skin: a ray from it meets the skin an odd number of times.
bool is_within(const Arena& arena, const Motion& motion, int body, const Vec3& p) {
  const Vec3 ray(0.324919696, 0.145898034, 0.934172359);
  int met = 0;
  for (const auto& t : arena.surface[at(body)]) {
    const Vec3 &a = motion.x[at(t[0])], &b = motion.x[at(t[1])], &c = motion.x[at(t[2])];
    const Vec3 normal = (b - a).cross(c - a);
    const double along = normal.dot(ray);
    if (along == 0.0 || !(normal.dot(a - p) / along > 0.0)) continue;
    const auto beside = [&](const Vec3& u, const Vec3& v) {
      return ray.dot((u - p).cross(v - p)) > 0.0;
    };
    const bool first = beside(a, b);
    met += first == beside(b, c) && first == beside(c, a) ? 1 : 0;
  }
  return met % 2 == 1;
}

bool holds_solid(const Arena& arena, const Motion& motion, int body, int rigid) {
  const collide::Obstacle& obstacle = *arena.rigids[at(rigid)].obstacle;
  if (obstacle.endless()) return false;
  for (int piece = 0; piece < obstacle.pieces(); ++piece)
    if (is_within(
            arena, motion, body,
            motion.rigids[at(rigid)].world_from_body * obstacle.support(Vec3::UnitX(), piece)))
      return true;
  return false;
}

}  // namespace

std::optional<SkinFault> find_skin_fault(const Arena& arena, const Motion& motion,
                                         const Near& near) {
  for (const FacetList* list : near.facets)
    for (const FacetPair& pair : list->pairs) {
      const Facet facet(motion, arena.surface[at(list->body)][at(pair.triangle)]);
      if (!(facet
                .part_from(arena.rigids[at(list->rigid)], motion.rigids[at(list->rigid)],
                           pair.piece)
                .gap > 0.0))
        return SkinFault{list->body, arena.rigids[at(list->rigid)].body, false};
    }
  for (const auto& [a, b] : near.skin_bodies)
    if (skins_cross(arena, motion, a, b)) return SkinFault{a, b, false};
  const int bodies = static_cast<int>(arena.surface.size());
  for (int b = 0; b < bodies; ++b) {
    if (!arena.collides[at(b)] || !is_closed(arena.surface[at(b)])) continue;
    for (int r = 0; r < static_cast<int>(arena.rigids.size()); ++r)
      if (arena.rigids[at(r)].collides && holds_solid(arena, motion, b, r))
        return SkinFault{b, arena.rigids[at(r)].body, true};
    for (int other = 0; other < bodies; ++other) {
      if (other == b || !arena.collides[at(other)] ||
          arena.first_point[at(other)] == arena.first_point[at(other) + 1])
        continue;
      if (is_within(arena, motion, b, motion.x[at(arena.first_point[at(other)])]))
        return SkinFault{b, other, true};
    }
  }
  return std::nullopt;
}

}  // namespace repose::molecule
