#include <algorithm>
#include <cmath>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "facet.h"
#include "near.h"

namespace repose::molecule {

namespace {

bool is_held(const Arena& arena, const std::array<int, 3>& corners) {
  return std::all_of(corners.begin(), corners.end(),
                     [&](int corner) { return arena.inverse_mass[at(corner)] == 0.0; });
}

/// m; how far the corner that goes farthest goes in a step.
double way_of(const Motion& motion, const std::array<int, 3>& corners, double h) {
  double squared = 0.0;
  for (const int corner : corners) squared = std::max(squared, motion.v[at(corner)].squaredNorm());
  return h * std::sqrt(squared);
}

/// Pieces nearer to a thick triangle than `within`. The gap of the one nearest to its middle is as
/// large as can be, those of the others are seen along the same direction.
void find_pieces(const Facet& facet, int triangle, const Rigid& rigid, const RigidMotion& solid,
                 double thick, double within, std::vector<FacetPair>& out) {
  out.clear();
  const Pose& pose = solid.world_from_body;
  const Vec3 middle = pose.inverse() * facet.middle();
  std::vector<int> pieces;
  rigid.obstacle->near(middle, facet.reach() + thick + within, pieces);
  if (pieces.empty()) return;
  const auto away = [&](int piece) { return rigid.obstacle->plane(middle, piece).gap(middle); };
  int nearest = pieces[0];
  double least = away(nearest);
  for (const int piece : pieces)
    if (const double now = away(piece); now < least) {
      least = now;
      nearest = piece;
    }
  const collide::Parting parting = facet.part_from(rigid, solid, nearest);
  const double low = parting.normal.dot(facet.support(-parting.normal, 0));
  const Vec3 up = pose.inverse().turn(parting.normal);
  for (const int piece : pieces) {
    const double top = parting.normal.dot(pose * rigid.obstacle->support(up, piece));
    const double gap = (piece == nearest ? parting.gap : low - top) - thick;
    if (gap < within) out.push_back({triangle, piece, gap});
  }
  std::sort(out.begin(), out.end(), [](const FacetPair& p, const FacetPair& q) {
    return p.gap != q.gap ? p.gap < q.gap : p.piece < q.piece;
  });
}

}  // namespace

void NearSearch::refresh(const Arena& arena, const Motion& motion, double h, double extra,
                         KnownFacets& known) {
  const auto& skin = arena.surface[at(known.list.body)];
  const Rigid& rigid = arena.rigids[at(known.list.rigid)];
  const RigidMotion& solid = motion.rigids[at(known.list.rigid)];
  if (known.facets.size() != skin.size()) {
    known.facets.assign(skin.size(), {});
    known.pose = solid.world_from_body;
  }
  if (rigid.moves()) {
    known.travel += distance_turned(known.pose, solid.world_from_body, rigid.reach);
    known.pose = solid.world_from_body;
  }
  const double coming = h * fastest(rigid, solid) + extra;
  known.list.pairs.clear();
  // the whole body is farther from the solid's bounding ball than anything comes
  const std::size_t b = at(known.list.body);
  const Vec3& center = solid.world_from_body.position;
  const Vec3 nearest = center.cwiseMax(boxes_[b].low).cwiseMin(boxes_[b].high);
  const double most = coming + h * (paces_[b].velocity.norm() + paces_[b].spread);
  if ((nearest - center).norm() - rigid.reach - arena.most_radius > most) return;
  for (std::size_t t = 0; t < skin.size(); ++t) {
    if (!rigid.moves() && is_held(arena, skin[t])) continue;
    const double needed = coming + way_of(motion, skin[t], h);
    const Facet facet(motion, skin[t]);
    KnownFacet& last = known.facets[t];
    double come = known.travel - last.travel;
    if (last.within >= 0.0) come += facet.farthest_from(last.places);
    if (last.within < 0.0 || come + needed > last.within) {
      last.places = facet.points();
      last.travel = known.travel;
      last.within = ahead(arena, needed);
      come = 0.0;
      find_pieces(facet, static_cast<int>(t), rigid, solid, thickness_of(arena, skin[t]),
                  last.within, last.pairs);
      ++searches_;
    }
    for (const FacetPair& pair : last.pairs)
      if (pair.gap - come <= needed)
        known.list.pairs.push_back({pair.triangle, pair.piece, pair.gap - come});
  }
}

void NearSearch::find_facets(const Arena& arena, const Motion& motion, double h, double extra) {
  const StageScope timed("find_pairs");
  for (int b = 0; b < static_cast<int>(drifts_.size()); ++b) {
    if (arena.surface[at(b)].empty() || !arena.collides[at(b)]) continue;
    for (int r = 0; r < static_cast<int>(arena.rigids.size()); ++r) {
      const Rigid& rigid = arena.rigids[at(r)];
      if (!rigid.collides || rigid.obstacle->endless()) continue;
      KnownFacets& known = facets_[{b, r}];
      known.list.body = b;
      known.list.rigid = r;
      refresh(arena, motion, h, extra, known);
      if (!known.list.pairs.empty()) near_.facets.push_back(&known.list);
    }
  }
}

}  // namespace repose::molecule
