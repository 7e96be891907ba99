#include "pose_groups.h"

#include <algorithm>
#include <limits>
#include <map>

#include "repose/base/disjoint_sets.h"

namespace repose::poses {

std::vector<PoseGroup> group_poses(const NormalFan& fan, const std::vector<double>& shares,
                                   double least_rise) {
  const auto height = [&](int f) { return fan.faces()[static_cast<std::size_t>(f)].height; };
  DisjointSets sets(static_cast<int>(fan.faces().size()));  // each named by its lowest face
  const auto saddles = fan.saddles();
  for (const NormalFan::Saddle& s : saddles) {
    const int a = sets.name_of(s.end_a), b = sets.name_of(s.end_b);
    if (a == b || !(s.height - std::max(height(a), height(b)) <= least_rise)) continue;
    const bool a_stays = height(a) != height(b) ? height(a) < height(b) : a < b;
    sets.join_under(a_stays ? a : b, a_stays ? b : a);
  }
  std::map<int, PoseGroup> groups;
  for (std::size_t f = 0; f < fan.faces().size(); ++f) {
    const auto face = static_cast<int>(f);
    if (!fan.stable(face) && shares[f] == 0.0) continue;
    const int lowest = sets.name_of(face);
    PoseGroup& g = groups[lowest];
    g.lowest = lowest;
    g.members.push_back(face);
    g.shares.push_back(shares[f]);
    g.share += shares[f];
    g.barrier = std::numeric_limits<double>::infinity();
  }
  for (const NormalFan::Saddle& s : saddles) {
    const int a = sets.name_of(s.end_a), b = sets.name_of(s.end_b);
    if (a == b) continue;
    for (const int side : {a, b}) {
      PoseGroup& g = groups.at(side);
      g.barrier = std::min(g.barrier, s.height - height(side));
    }
  }
  std::vector<PoseGroup> out;
  for (auto& [lowest, g] : groups) {
    out.push_back(std::move(g));
  }
  return out;
}

}  // namespace repose::poses
