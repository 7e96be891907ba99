#pragma once

#include <string>
#include <vector>

#include "repose/check/gap.h"
#include "repose/run/session.h"

namespace repose::serve {

/// Where a body that is held somewhere would meet another, by the judge's word.
struct Interference {
  int other = -1;                           // index into Problem::bodies
  Vec3 point_world = Vec3::Zero();          // midway between the two witnesses
  double gap_lower = 0.0, gap_upper = 0.0;  // m; the signed gap lies between
  bool overlaps = false;                    // proven
};

/// The bodies of one state, prepared for many questions about one that a hand moves.
class HoldProbe {
 public:
  HoldProbe(const Problem& problem, const State& state);

  /// Those that the body meets when it stands at `world_from_body`, all others as they are; the
  /// deepest first. Nothing moves. Pairs that are certainly apart are left out.
  std::vector<Interference> at(int body, const Pose& world_from_body) const;

 private:
  check::Input input_;
};

}  // namespace repose::serve
