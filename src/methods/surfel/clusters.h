#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "repose/math/vec.h"

namespace repose::surfel {

struct Arena;

/// The balls about one phyxel, its anchor. They stay about it: the velocity of a ball differs from
/// the anchor's by at most `spread` times the largest difference among the phyxels that carry them.
struct Cluster {
  int anchor = 0;
  int body = 0;
  int first_ball = 0, last_ball = 0;      // in Clusters::balls
  int first_phyxel = 0, last_phyxel = 0;  // in Clusters::phyxels
  double spread = 1.0;                    // largest sum of the sizes of a ball's weights
  double reach_at_rest = 0.0;             // m; no centre is farther from the anchor at rest
  double most_radius = 0.0;               // m, of its balls
};

/// All balls of bodies that collide, by the phyxel that is nearest at rest.
struct Clusters {
  std::vector<Cluster> all;
  std::vector<int> balls, phyxels;
  /// m; centres and radii of the balls at rest, in their order, number by number.
  Eigen::Array<double, 4, Eigen::Dynamic, Eigen::RowMajor> rest;
  // what carries the balls, in their order, so that a search reads one cluster after the other
  std::vector<int> first_carrier;       // of each ball, and one past the end
  std::vector<std::uint16_t> carriers;  // counted among the cluster's phyxels
  std::vector<double> weights;

  std::size_t size() const { return all.size(); }
  std::span<const int> balls_of(const Cluster& c) const {
    return std::span(balls).subspan(static_cast<std::size_t>(c.first_ball),
                                    static_cast<std::size_t>(c.last_ball - c.first_ball));
  }
  std::span<const int> phyxels_of(const Cluster& c) const {
    return std::span(phyxels).subspan(static_cast<std::size_t>(c.first_phyxel),
                                      static_cast<std::size_t>(c.last_phyxel - c.first_phyxel));
  }
};
Clusters clusters_of(const Arena& arena);

}  // namespace repose::surfel
