#include "clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/at.h"
#include "repose/base/check.h"
#include "repose/collide/nearest.h"

#include "arena.h"

namespace repose::surfel {

namespace {

/// The phyxel nearest to every ball at rest; -1 of balls that meet nothing.
std::vector<int> anchors_of(const Arena& arena) {
  std::vector<int> out(at(arena.balls()), -1);
  for (std::size_t b = 0; b + 1 < arena.first_ball.size(); ++b) {
    if (!arena.collides[b] || arena.first_ball[b] == arena.first_ball[b + 1]) continue;
    const int first = arena.first_phyxel[b];
    const collide::NearestPoints grid(std::vector<Vec3>(
        arena.rest.begin() + first, arena.rest.begin() + arena.first_phyxel[b + 1]));
    for (int k = arena.first_ball[b]; k < arena.first_ball[b + 1]; ++k)
      out[at(k)] = first + grid.nearest(arena.rest_center[at(k)], 1).front();
  }
  return out;
}

void close_cluster(const Arena& arena, Cluster cluster, Clusters& out) {
  cluster.last_ball = static_cast<int>(out.balls.size());
  cluster.first_phyxel = static_cast<int>(out.phyxels.size());
  std::vector<int> phyxels;
  for (int n = cluster.first_ball; n < cluster.last_ball; ++n) {
    double sizes = 0.0;
    const Carriers carriers = arena.carrying(out.balls[at(n)]);
    for (std::size_t k = 0; k < carriers.size(); ++k) {
      if (carriers.weights[k] == 0.0) continue;
      phyxels.push_back(carriers.phyxels[k]);
      sizes += std::fabs(carriers.weights[k]);
    }
    cluster.spread = std::max(cluster.spread, sizes);
    cluster.most_radius = std::max(cluster.most_radius, arena.radius[at(out.balls[at(n)])]);
    cluster.reach_at_rest =
        std::max(cluster.reach_at_rest,
                 (arena.rest_center[at(out.balls[at(n)])] - arena.rest[at(cluster.anchor)]).norm());
  }
  std::sort(phyxels.begin(), phyxels.end());
  phyxels.erase(std::unique(phyxels.begin(), phyxels.end()), phyxels.end());
  REPOSE_CHECK(phyxels.size() <= std::numeric_limits<std::uint16_t>::max(),
               "the balls about one phyxel are carried by too many");
  for (int n = cluster.first_ball; n < cluster.last_ball; ++n) {
    const Carriers carriers = arena.carrying(out.balls[at(n)]);
    for (std::size_t k = 0; k < carriers.size(); ++k) {
      if (carriers.weights[k] == 0.0) continue;
      const auto place = std::lower_bound(phyxels.begin(), phyxels.end(), carriers.phyxels[k]);
      out.carriers.push_back(static_cast<std::uint16_t>(place - phyxels.begin()));
      out.weights.push_back(carriers.weights[k]);
    }
    out.first_carrier.push_back(static_cast<int>(out.carriers.size()));
  }
  out.phyxels.insert(out.phyxels.end(), phyxels.begin(), phyxels.end());
  cluster.last_phyxel = static_cast<int>(out.phyxels.size());
  out.all.push_back(cluster);
}

}  // namespace

Clusters clusters_of(const Arena& arena) {
  const std::vector<int> anchors = anchors_of(arena);
  std::vector<std::pair<int, int>> order;  // anchor, ball
  for (int k = 0; k < arena.balls(); ++k)
    if (anchors[at(k)] >= 0) order.emplace_back(anchors[at(k)], k);
  std::sort(order.begin(), order.end());
  Clusters out;
  out.first_carrier.push_back(0);
  for (std::size_t first = 0; first < order.size();) {
    Cluster cluster;
    cluster.anchor = order[first].first;
    cluster.body = arena.body_of[at(cluster.anchor)];
    cluster.first_ball = static_cast<int>(out.balls.size());
    for (; first < order.size() && order[first].first == cluster.anchor; ++first)
      out.balls.push_back(order[first].second);
    close_cluster(arena, cluster, out);
  }
  out.rest.resize(4, static_cast<Eigen::Index>(out.balls.size()));
  for (std::size_t k = 0; k < out.balls.size(); ++k)
    out.rest.col(static_cast<Eigen::Index>(k)) << arena.rest_center[at(out.balls[k])].array(),
        arena.radius[at(out.balls[k])];
  return out;
}

}  // namespace repose::surfel
