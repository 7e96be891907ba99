#include "near.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "parts.h"

namespace repose::molecule {

namespace {

/// Beyond what is asked, pairs are found within so much of the least radius, so that the search
/// serves several steps.
constexpr double kAhead = 0.3;
/// ... and within so many times what is asked.
constexpr double kAheadOfAsked = 3.0;

/// Mean of the vectors that of(i) gives, and the largest distance from it.
template <class Of>
std::pair<Vec3, double> mean_and_spread(std::size_t first, std::size_t last, const Of& of) {
  const auto sum = [&](std::size_t from, std::size_t to) {
    Vec3 out = Vec3::Zero();
    for (std::size_t i = from; i < to; ++i) out += of(i);
    return out;
  };
  const Vec3 mean =
      over_parts<Vec3>(first, last, sum, [](const Vec3& a, const Vec3& b) { return Vec3(a + b); }) /
      static_cast<double>(last - first);
  const auto farthest = [&](std::size_t from, std::size_t to) {
    double out = 0.0;
    for (std::size_t i = from; i < to; ++i) out = std::max(out, (of(i) - mean).squaredNorm());
    return out;
  };
  const double squared =
      over_parts<double>(first, last, farthest, [](double a, double b) { return std::max(a, b); });
  return {mean, std::sqrt(squared)};
}

}  // namespace

double distance_turned(const Pose& from, const Pose& to, double reach) {
  const double angle = vector_from_rotation(to.rotation * from.rotation.conjugate()).norm();
  return (to.position - from.position).norm() + angle * reach;
}

double ahead(const Arena& arena, double needed) {
  return needed + std::max(kAhead * arena.least_radius, kAheadOfAsked * needed);
}

void NearSearch::follow(const Arena& arena, const Motion& motion) {
  const std::size_t bodies = arena.first_point.size() - 1;
  if (last_.size() != motion.x.size() || drifts_.size() != bodies) {
    clear();
    last_ = motion.x;
    drifts_.resize(bodies);
    return;
  }
  for (std::size_t b = 0; b < bodies; ++b) {
    const auto first = at(arena.first_point[b]), last = at(arena.first_point[b + 1]);
    if (first == last) continue;
    const auto [mean, spread] =
        mean_and_spread(first, last, [&](std::size_t i) { return Vec3(motion.x[i] - last_[i]); });
    drifts_[b].shift += mean;
    drifts_[b].travel += spread;
  }
  last_ = motion.x;
}

void NearSearch::look_at_paces(const Arena& arena, const Motion& motion) {
  paces_.assign(drifts_.size(), {});
  for (std::size_t b = 0; b < paces_.size(); ++b) {
    const auto first = at(arena.first_point[b]), last = at(arena.first_point[b + 1]);
    if (first == last) continue;
    const auto [mean, spread] =
        mean_and_spread(first, last, [&](std::size_t i) -> const Vec3& { return motion.v[i]; });
    paces_[b] = {mean, spread};
  }
}

void NearSearch::look_at_boxes(const Arena& arena, const Motion& motion) {
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  boxes_.assign(drifts_.size(), {Vec3::Constant(kEndless), Vec3::Constant(-kEndless)});
  const Box3 none = boxes_.empty() ? Box3{} : boxes_[0];
  const auto box_of = [&](std::size_t from, std::size_t to) {
    Box3 box = none;
    for (std::size_t i = from; i < to; ++i) {
      box.low = box.low.cwiseMin((motion.x[i].array() - arena.radius[i]).matrix());
      box.high = box.high.cwiseMax((motion.x[i].array() + arena.radius[i]).matrix());
    }
    return box;
  };
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    const auto first = at(arena.first_point[b]), last = at(arena.first_point[b + 1]);
    if (first == last) continue;
    boxes_[b] = over_parts<Box3>(first, last, box_of, [](const Box3& p, const Box3& q) {
      return Box3{p.low.cwiseMin(q.low), p.high.cwiseMax(q.high)};
    });
  }
}

/// Molecules of one body with themselves, or of two where their boxes come near each other.
void NearSearch::refresh(const Arena& arena, const Motion& motion, KnownPoints& known,
                         double needed) {
  const auto a = at(known.list.body_a), b = at(known.list.body_b);
  known.list.needed = needed;
  const Vec3 apart = (drifts_[a].shift - known.a.shift) - (drifts_[b].shift - known.b.shift);
  const double come =
      apart.norm() + (drifts_[a].travel - known.a.travel) + (drifts_[b].travel - known.b.travel);
  if (known.within >= 0.0 && come + needed <= known.within) return;
  const StageScope timed("find_pairs");
  known.within = ahead(arena, needed);
  known.a = drifts_[a];
  known.b = drifts_[b];
  known.list.pairs.clear();
  std::vector<int> listed;
  const auto add = [&](std::size_t from, const Box3& box) {
    for (int i = arena.first_point[from]; i < arena.first_point[from + 1]; ++i) {
      const double grow = arena.radius[at(i)] + known.within;
      if (((motion.x[at(i)].array() + grow) >= box.low.array()).all() &&
          ((motion.x[at(i)].array() - grow) <= box.high.array()).all())
        listed.push_back(i);
    }
  };
  add(a, boxes_[b]);
  if (a != b) add(b, boxes_[a]);
  near_points(arena, motion.x, listed, known.within, a == b, known.list.pairs);
  std::sort(known.list.pairs.begin(), known.list.pairs.end());
  ++searches_;
}

void NearSearch::find_points(const Arena& arena, const Motion& motion, const NearWish& wish) {
  const double h = wish.h, extra = wish.extra, beyond = std::max(extra, wish.skin_extra);
  near_.points.clear();
  std::vector<Box3> grown;
  for (std::size_t b = 0; b < boxes_.size(); ++b) {
    const double grow =
        h * (paces_[b].velocity.norm() + paces_[b].spread) + beyond + kAhead * arena.least_radius;
    grown.push_back(
        {(boxes_[b].low.array() - grow).matrix(), (boxes_[b].high.array() + grow).matrix()});
  }
  near_bodies_ = near_boxes(grown, wish.broad);
  std::vector<std::array<int, 2>> pairs = near_bodies_;
  for (std::size_t b = 0; b < boxes_.size(); ++b)
    if (arena.first_point[b] < arena.first_point[b + 1])
      pairs.push_back({static_cast<int>(b), static_cast<int>(b)});
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [a, b] : pairs) {
    if (!arena.collides[at(a)] || !arena.collides[at(b)]) continue;
    KnownPoints& known = points_[{a, b}];
    known.list.body_a = a;
    known.list.body_b = b;
    const Pace &p = paces_[at(a)], &q = paces_[at(b)];
    const double needed = h * ((p.velocity - q.velocity).norm() + p.spread + q.spread) + extra;
    refresh(arena, motion, known, needed);
    if (!known.list.pairs.empty()) near_.points.push_back(&known.list);
  }
}

void NearSearch::refresh(const Arena& arena, const Motion& motion, KnownSolids& known,
                         double needed) {
  const auto b = at(known.list.body);
  const Rigid& rigid = arena.rigids[at(known.list.rigid)];
  const Pose& pose = motion.rigids[at(known.list.rigid)].world_from_body;
  known.list.needed = needed;
  const double come = (drifts_[b].shift - known.drift.shift).norm() +
                      (drifts_[b].travel - known.drift.travel) +
                      (rigid.moves() ? distance_turned(known.pose, pose, rigid.reach) : 0.0);
  known.list.come = come;
  if (known.within >= 0.0 && come + needed <= known.within) return;
  const StageScope timed("find_pairs");
  known.list.come = 0.0;
  known.within = ahead(arena, needed);
  known.drift = drifts_[b];
  known.pose = pose;
  known.list.pairs.clear();
  ++searches_;
  // far from the solid's bounding ball: nothing to look at until the body has come near
  const Vec3 nearest = pose.position.cwiseMax(boxes_[b].low).cwiseMin(boxes_[b].high);
  const double away = (nearest - pose.position).norm() - rigid.reach;
  if (away > known.within) {
    known.within = away;
    return;
  }
  const Pose body_from_world = pose.inverse();
  std::vector<int> pieces;
  for (int i = arena.first_point[b]; i < arena.first_point[b + 1]; ++i) {
    if (arena.inverse_mass[at(i)] == 0.0 && !rigid.moves()) continue;
    pieces.clear();
    const Vec3 center = body_from_world * motion.x[at(i)];
    rigid.obstacle->near(center, arena.radius[at(i)] + known.within, pieces);
    for (const int piece : pieces)
      known.list.pairs.push_back(
          {i, known.list.rigid, piece,
           rigid.obstacle->plane(center, piece).gap(center) - arena.radius[at(i)]});
  }
}

void NearSearch::find_solids(const Arena& arena, const Motion& motion, double h, double extra) {
  near_.solids.clear();
  for (int b = 0; b < static_cast<int>(drifts_.size()); ++b) {
    if (arena.first_point[at(b)] == arena.first_point[at(b) + 1] || !arena.collides[at(b)])
      continue;
    for (int r = 0; r < static_cast<int>(arena.rigids.size()); ++r) {
      if (!arena.rigids[at(r)].collides) continue;
      KnownSolids& known = solids_[{b, r}];
      known.list.body = b;
      known.list.rigid = r;
      const double needed = h * (paces_[at(b)].velocity.norm() + paces_[at(b)].spread +
                                 fastest(arena.rigids[at(r)], motion.rigids[at(r)])) +
                            extra;
      refresh(arena, motion, known, needed);
      if (!known.list.pairs.empty()) near_.solids.push_back(&known.list);
    }
  }
}

const Near& NearSearch::update(const Arena& arena, const Motion& motion, const NearWish& wish) {
  if (!wish.same_places || boxes_.empty()) {
    follow(arena, motion);
    look_at_boxes(arena, motion);
  }
  look_at_paces(arena, motion);
  find_points(arena, motion, wish);
  near_.skins.clear();
  near_.skin_bodies.clear();
  near_.facets.clear();
  if (wish.skins) find_skins(arena, motion, wish.h, wish.skin_extra);
  if (wish.skins) find_facets(arena, motion, wish.h, wish.skin_extra);
  find_solids(arena, motion, wish.h, wish.extra);
  rigid::find_pairs(arena.rigids, motion.rigids, wish.h, wish.extra, near_.rigids);
  return near_;
}

}  // namespace repose::molecule
