#include <algorithm>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "near.h"

namespace repose::molecule {

namespace {

Box3 grown(const Box3& box, double by) {
  return {(box.low.array() - by).matrix(), (box.high.array() + by).matrix()};
}

bool is_in(const Vec3& p, const Box3& box) {
  return (p.array() >= box.low.array()).all() && (p.array() <= box.high.array()).all();
}

/// Molecules of one body that lie in a box, sorted along x.
std::vector<int> points_in(const Arena& arena, const Motion& motion, int body, const Box3& box) {
  std::vector<int> out;
  for (int i = arena.first_point[at(body)]; i < arena.first_point[at(body) + 1]; ++i)
    if (is_in(motion.x[at(i)], box)) out.push_back(i);
  std::sort(out.begin(), out.end(), [&](int p, int q) {
    const double a = motion.x[at(p)].x(), b = motion.x[at(q)].x();
    return a != b ? a < b : p < q;
  });
  return out;
}

}  // namespace

/// Triangles are taken one by one; the molecules near their boxes are found by x.
void NearSearch::refresh(const Arena& arena, const Motion& motion, KnownSkin& known,
                         double needed) {
  const auto a = at(known.list.body), b = at(known.list.skin);
  known.list.needed = needed;
  const Vec3 apart = (drifts_[a].shift - known.a.shift) - (drifts_[b].shift - known.b.shift);
  known.list.come =
      apart.norm() + (drifts_[a].travel - known.a.travel) + (drifts_[b].travel - known.b.travel);
  if (known.within >= 0.0 && known.list.come + needed <= known.within) return;
  const StageScope timed("find_pairs");
  known.list.come = 0.0;
  known.within = ahead(arena, needed);
  known.a = drifts_[a];
  known.b = drifts_[b];
  known.list.pairs.clear();
  ++searches_;
  const double reach = known.within + 2.0 * arena.most_radius;
  const std::vector<int> points =
      points_in(arena, motion, known.list.body, grown(boxes_[b], reach));
  for (std::size_t t = 0; !points.empty() && t < arena.surface[b].size(); ++t) {
    const auto& [p, q, r] = arena.surface[b][t];
    const Vec3 &u = motion.x[at(p)], &v = motion.x[at(q)], &w = motion.x[at(r)];
    const Box3 box = grown({u.cwiseMin(v).cwiseMin(w), u.cwiseMax(v).cwiseMax(w)}, reach);
    if (!box.overlaps(boxes_[a])) continue;
    const double thick = std::max({arena.radius[at(p)], arena.radius[at(q)], arena.radius[at(r)]});
    auto next = std::lower_bound(points.begin(), points.end(), box.low.x(),
                                 [&](int i, double x) { return motion.x[at(i)].x() < x; });
    for (; next != points.end() && motion.x[at(*next)].x() <= box.high.x(); ++next) {
      const Vec3& center = motion.x[at(*next)];
      if (!is_in(center, box)) continue;
      const double gap = (center - collide::nearest_in_triangle(center, u, v, w)).norm() - thick -
                         arena.radius[at(*next)];
      if (gap < known.within) known.list.pairs.push_back({*next, static_cast<int>(t), gap});
    }
  }
  std::sort(known.list.pairs.begin(), known.list.pairs.end(),
            [](const SkinPair& p, const SkinPair& q) {
              return p.point != q.point ? p.point < q.point : p.triangle < q.triangle;
            });
}

void NearSearch::find_skins(const Arena& arena, const Motion& motion, double h, double extra) {
  for (const auto& [a, b] : near_bodies_) {
    if (!arena.collides[at(a)] || !arena.collides[at(b)]) continue;
    if (!arena.surface[at(a)].empty() && !arena.surface[at(b)].empty())
      near_.skin_bodies.push_back({a, b});
    const Pace &p = paces_[at(a)], &q = paces_[at(b)];
    const double needed = h * ((p.velocity - q.velocity).norm() + p.spread + q.spread) + extra;
    for (const auto& [body, skin] : {std::pair{a, b}, {b, a}}) {
      if (arena.surface[at(skin)].empty()) continue;
      KnownSkin& known = skins_[{body, skin}];
      known.list.body = body;
      known.list.skin = skin;
      refresh(arena, motion, known, needed);
      if (!known.list.pairs.empty()) near_.skins.push_back(&known.list);
    }
  }
}

}  // namespace repose::molecule
