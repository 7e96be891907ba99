#include <algorithm>

#include "repose/scene/scene.h"

namespace repose {
namespace {

/// Bodies of a mixture until it repeats.
constexpr std::size_t kTurns = 1000;

}  // namespace

std::vector<const SceneBody*> patterns_of(const Instances& set) {
  std::vector<const SceneBody*> out{&set.body};
  for (const MixedBody& mixed : set.mixed_with) out.push_back(&mixed.body);
  return out;
}

std::vector<std::size_t> pattern_turns(const Instances& set) {
  if (set.mixed_with.empty()) return {0};
  std::vector<double> shares{1.0};
  for (const MixedBody& mixed : set.mixed_with) shares.push_back(mixed.share);
  double all = 0.0;
  for (const double share : shares) all += share;
  // whoever is farthest behind its share comes next
  std::vector<double> owed(shares.size(), 0.0);
  std::vector<std::size_t> out;
  for (std::size_t n = 0; n < kTurns; ++n) {
    for (std::size_t i = 0; i < shares.size(); ++i) owed[i] += shares[i] / all;
    const auto next = std::max_element(owed.begin(), owed.end()) - owed.begin();
    owed[static_cast<std::size_t>(next)] -= 1.0;
    out.push_back(static_cast<std::size_t>(next));
  }
  return out;
}

}  // namespace repose
