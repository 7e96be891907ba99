#pragma once

#include <vector>

#include "arena.h"

namespace repose::surfel {

/// What gaps between the balls of two clusters of one body become of those at rest.
struct GapBound {
  double share = 0.0, lost = 0.0;  // 1; m
  /// m; no gap that is at least `at_rest` at rest is smaller now.
  double least(double at_rest) const { return share * at_rest - lost; }
};

/// How far the balls of clusters have come from what a linear map of their rest makes of them:
/// c = x + F (C - X) + e about the anchor X, x of the cluster, with the gradient F there.
class Deformed {
 public:
  /// A step begins; what was found for the last one holds no more.
  void begin(const Arena& arena);

  /// What is asked of a cluster needs the places of its balls, `centers`.
  struct Places {
    const Arena& arena;
    const Motion& motion;
    const std::vector<Vec3>& centers;
  };
  /// m; no ball of the cluster reaches farther from its anchor.
  double reach(const Places& now, int cluster) { return local(now, cluster).reach; }
  /// Requires: both clusters are of one body.
  GapBound gap_bound(const Places& now, int a, int b);

 private:
  struct Local {
    long found = -1;                   // the step
    Mat3 gradient = Mat3::Identity();  // F
    double least = 1.0;                // of what F makes of a length
    double rest = 0.0;                 // m; no |e| is larger
    double reach = 0.0;                // m
  };
  const Local& local(const Places& now, int cluster);

  long step_ = 0;
  std::vector<Local> locals_;  // per cluster
};

}  // namespace repose::surfel
