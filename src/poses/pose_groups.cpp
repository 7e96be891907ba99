#include "pose_groups.h"

#include <algorithm>
#include <limits>
#include <map>

namespace repose::check {

namespace {

/// Disjoint sets of faces, each named by its lowest.
class Sets {
 public:
  explicit Sets(const NormalFan& fan) : fan_(fan), above_(fan.faces().size()) {
    for (std::size_t f = 0; f < above_.size(); ++f) above_[f] = static_cast<int>(f);
  }
  int find(int f) {
    auto i = static_cast<std::size_t>(f);
    while (above_[i] != static_cast<int>(i)) {
      above_[i] = above_[static_cast<std::size_t>(above_[i])];
      i = static_cast<std::size_t>(above_[i]);
    }
    return static_cast<int>(i);
  }
  double height(int f) const { return fan_.faces()[static_cast<std::size_t>(f)].height; }
  /// Requires two different names.
  void join(int a, int b) {
    const bool a_stays = height(a) != height(b) ? height(a) < height(b) : a < b;
    above_[static_cast<std::size_t>(a_stays ? b : a)] = a_stays ? a : b;
  }

 private:
  const NormalFan& fan_;
  std::vector<int> above_;
};

}  // namespace

std::vector<PoseGroup> group_poses(const NormalFan& fan, const std::vector<double>& shares,
                                   double least_rise) {
  Sets sets(fan);
  const auto saddles = fan.saddles();
  for (const NormalFan::Saddle& s : saddles) {
    const int a = sets.find(s.end_a), b = sets.find(s.end_b);
    if (a != b && s.height - std::max(sets.height(a), sets.height(b)) <= least_rise)
      sets.join(a, b);
  }
  std::map<int, PoseGroup> groups;
  for (std::size_t f = 0; f < fan.faces().size(); ++f) {
    const auto face = static_cast<int>(f);
    if (!fan.stable(face) && shares[f] == 0.0) continue;
    const int lowest = sets.find(face);
    PoseGroup& g = groups[lowest];
    g.lowest = lowest;
    g.members.push_back(face);
    g.shares.push_back(shares[f]);
    g.share += shares[f];
    g.barrier = std::numeric_limits<double>::infinity();
  }
  for (const NormalFan::Saddle& s : saddles) {
    const int a = sets.find(s.end_a), b = sets.find(s.end_b);
    if (a == b) continue;
    for (const int side : {a, b}) {
      PoseGroup& g = groups.at(side);
      g.barrier = std::min(g.barrier, s.height - sets.height(side));
    }
  }
  std::vector<PoseGroup> out;
  for (auto& [lowest, g] : groups) {
    out.push_back(std::move(g));
  }
  return out;
}

}  // namespace repose::check
