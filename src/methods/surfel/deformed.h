#pragma once

#include <vector>

#include "arena.h"
#include "padded.h"

namespace repose::surfel {

/// Directions between balls, all nearly square to one: |d . across| <= tilt |d|.
struct Directions {
  Vec3 across = Vec3::UnitZ();  // unit, body frame
  double tilt = 1.0;            // 1: any
};

/// What gaps between the balls of two clusters of one body become of those at rest.
struct GapBound {
  double share = 0.0;       // what is left of a length at rest at least
  double near_share = 0.0;  // the same of lengths in the directions that were asked for
  double radii = 0.0;       // m; no two are larger together
  double lost = 0.0;        // m; what is not linear takes no more
  /// m; no gap that is at least `at_rest` at rest is smaller now.
  double least(double at_rest) const { return share * at_rest - (1.0 - share) * radii - lost; }
  /// The same of pairs in the directions that were asked for.
  double least_near(double at_rest) const {
    return near_share * at_rest - (1.0 - near_share) * radii - lost;
  }
};

/// How far the balls of clusters have come from what a linear map of their rest makes of them:
/// c = x + F (C - X) + e about the anchor X, x of the cluster, with the gradient F there.
class Deformed {
 public:
  /// A step begins; what was found for the last one holds no more.
  void begin(const Arena& arena);

  /// What is asked of a cluster needs the places of its balls.
  struct Places {
    const Arena& arena;
    const std::vector<Vec4>& rest;     // m; of phyxels
    const std::vector<Vec4>& x;        // m; of phyxels
    const std::vector<Vec4>& centers;  // m; of balls, in the order of clusters
  };
  /// m; no ball of the cluster reaches farther from its anchor.
  double reach(const Places& now, int cluster) { return local(now, cluster).reach; }
  /// Requires: both clusters are of one body.
  GapBound gap_bound(const Places& now, int a, int b, const Directions& near);

 private:
  struct Local {
    long found = -1;                   // the step
    Mat3 gradient = Mat3::Identity();  // F
    double rest = 0.0;                 // m; no |e| is larger
    double reach = 0.0;                // m
  };
  const Local& local(const Places& now, int cluster);

  long step_ = 0;
  std::vector<Local> locals_;  // per cluster
};

}  // namespace repose::surfel
