#include "check/statics/claims.h"

#include <map>

namespace repose::check {

Wrenches::Forces claimed_forces(const Input& input, const std::vector<ContactPoint>& contacts,
                                const Wrenches& wrenches) {
  Wrenches::Forces z;
  if (input.claims.empty() || contacts.empty()) return z;
  std::map<std::array<int, 2>, std::vector<std::size_t>> of_pair;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    of_pair[{contacts[c].body_a, contacts[c].body_b}].push_back(c);
  std::vector<Vec3> force(contacts.size(), Vec3::Zero());
  for (const ClaimedContact& claim : input.claims) {
    if (!claim.point_world.allFinite() || !claim.force_on_b.allFinite()) continue;
    auto found = of_pair.find({claim.body_a, claim.body_b});
    const bool turned = found == of_pair.end();
    if (turned) found = of_pair.find({claim.body_b, claim.body_a});
    if (found == of_pair.end()) continue;
    const auto off = [&](std::size_t c) {
      return (contacts[c].point - claim.point_world).squaredNorm();
    };
    std::size_t nearest = found->second.front();
    for (const std::size_t c : found->second)
      if (off(c) < off(nearest)) nearest = c;
    force[nearest] += turned ? Vec3(-claim.force_on_b) : claim.force_on_b;
  }
  z.setZero(static_cast<Eigen::Index>(wrenches.unknowns()));
  for (std::size_t c = 0; c < contacts.size(); ++c) wrenches.set_force(force[c], c, z);
  wrenches.project(z);
  return z;
}

}  // namespace repose::check
