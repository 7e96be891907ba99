#include "paper_boxes.h"

#include <algorithm>
#include <cmath>

#include "repose/base/at.h"

namespace repose::surfel {

namespace {

/// Where the ways of phyxels tell how much nearer bodies came: so many times what their balls reach
/// at rest beyond them.
constexpr double kNearStretch = 1.5;

/// m; how far the phyxels of a body went at most against `mean`, of those in a box.
double farthest_in(const Arena& arena, const std::vector<Vec3>& from, const Motion& motion,
                   std::size_t body, const Box& box, const Vec3& mean) {
  double squared = 0.0;
  for (int i = arena.first_phyxel[body]; i < arena.first_phyxel[body + 1]; ++i)
    if (box.holds(motion.x[at(i)]))
      squared = std::max(squared, (motion.x[at(i)] - from[at(i)] - mean).squaredNorm());
  return std::sqrt(squared);
}

Vec3 mean_way(const std::vector<Vec3>& from, const Motion& motion, int first, int last) {
  Vec3 out = Vec3::Zero();
  for (int i = first; i < last; ++i) out += motion.x[at(i)] - from[at(i)];
  return out / std::max(1, last - first);
}

}  // namespace

Box intersection(const Box& p, const Box& q) {
  return {p.low.cwiseMax(q.low), p.high.cwiseMin(q.high)};
}

bool meets(const Arena& arena, std::size_t body) {
  return arena.collides[body] && arena.first_ball[body] < arena.first_ball[body + 1];
}

std::vector<double> reaches_of(const Arena& arena) {
  std::vector<double> out(arena.friction.size(), 0.0);
  for (const Cluster& cluster : arena.clusters.all)
    out[at(cluster.body)] =
        std::max(out[at(cluster.body)], cluster.reach_at_rest + cluster.most_radius);
  return out;
}

double modulus_of(const Matter& matter) {
  return matter.mu * (3.0 * matter.lambda + 2.0 * matter.mu) / (matter.lambda + matter.mu);
}

double pitch_of(const Matter& matter) {
  return std::cbrt(matter.volume);
}

double come_nearer(const Arena& arena, const std::vector<Vec3>& from, const Motion& motion) {
  const std::vector<double> reaches = reaches_of(arena);
  std::vector<Box> boxes(reaches.size());
  for (std::size_t b = 0; b < boxes.size(); ++b)
    for (int i = arena.first_phyxel[b]; meets(arena, b) && i < arena.first_phyxel[b + 1]; ++i)
      boxes[b].take(motion.x[at(i)], kNearStretch * reaches[b]);
  const Vec3 mean = mean_way(from, motion, 0, arena.phyxels());
  double most = 0.0;
  for (std::size_t j = 0; j < boxes.size(); ++j)
    for (std::size_t k = 0; k < j; ++k) {
      const Box box = intersection(boxes[j], boxes[k]);
      if (box.empty()) continue;
      most = std::max(most, farthest_in(arena, from, motion, j, box, mean) +
                                farthest_in(arena, from, motion, k, box, mean));
    }
  return most;
}

double come_nearer_within(const Arena& arena, const std::vector<Vec3>& from, const Motion& motion) {
  double squared = 0.0;
  for (std::size_t b = 0; b + 1 < arena.first_phyxel.size(); ++b) {
    const int first = arena.first_phyxel[b], last = arena.first_phyxel[b + 1];
    const Vec3 mean = mean_way(from, motion, first, last);
    for (int i = first; i < last; ++i)
      squared = std::max(squared, (motion.x[at(i)] - from[at(i)] - mean).squaredNorm());
  }
  return 2.0 * std::sqrt(squared);
}

double gone_farthest(const std::vector<Vec3>& from, const Motion& motion) {
  double squared = 0.0;
  for (std::size_t i = 0; i < from.size(); ++i)
    squared = std::max(squared, (motion.x[i] - from[i]).squaredNorm());
  return std::sqrt(squared);
}

double fastest_solid(const Arena& arena, const Motion& motion) {
  double out = 0.0;
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    out = std::max(out, fastest(arena.solids[s], motion.solids[s]));
  return out;
}

}  // namespace repose::surfel
