#pragma once

#include <vector>

#include "arena.h"
#include "padded.h"

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
    const std::vector<Vec4>& rest;  // m; of phyxels
    const std::vector<Vec4>& x;     // m; of phyxels
    const std::vector<Vec3>& centers;
  };
  /// m; no ball of the cluster reaches farther from its anchor.
  double reach(const Places& now, int cluster) { return local(now, cluster).reach; }
  /// Requires: both clusters are of one body.
  GapBound gap_bound(const Places& now, int a, int b);
  /// The same from the places of phyxels alone: quicker, and not as near. `centers` is not read.
  GapBound coarse_bound(const Places& now, int a, int b);

 private:
  struct Local {
    long found_coarse = -1;            // the step of the first three
    Mat3 gradient = Mat3::Identity();  // F
    double least = 1.0;                // of what F makes of a length
    double coarse_rest = 0.0;          // m; no |e| is larger, from phyxels
    long found = -1;                   // the step of the others
    double rest = 0.0;                 // m; no |e| is larger
    double reach = 0.0;                // m
  };
  Local& coarse(const Places& now, int cluster);
  const Local& local(const Places& now, int cluster);
  static GapBound bound(const Places& now, int a, int b, const Local& p, const Local& q,
                        double rests);

  long step_ = 0;
  std::vector<Local> locals_;  // per cluster
};

}  // namespace repose::surfel
