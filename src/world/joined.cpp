#include "repose/world/joined.h"

#include <algorithm>

#include "repose/base/setting_values.h"

namespace repose {

bool lets_pass(const Joint& joint) {
  switch (joint.kind) {
    case JointKind::pin:
    case JointKind::point_on_line:
    case JointKind::slider:
    case JointKind::weld:
      return !joint.body_b.empty() && !flag_or(joint.values, "collides", false);
    case JointKind::rod:
    case JointKind::rope:
    case JointKind::gear:
    case JointKind::motor:
    case JointKind::spring:
      break;
  }
  return false;
}

std::vector<std::pair<int, int>> passing_pairs(const Problem& problem) {
  std::vector<std::pair<int, int>> out;
  for (const Joint& joint : problem.joints) {
    if (!lets_pass(joint)) continue;
    const int a = problem.find_body(joint.body_a), b = problem.find_body(joint.body_b);
    if (a >= 0 && b >= 0 && a != b) out.emplace_back(std::minmax(a, b));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void note_start(Joint& joint, const Pose& a, const Pose& b) {
  joint.values[kLengthAtStart] = (a * joint.point_a - b * joint.point_b).norm();
  const Vec3 turn = vector_from_rotation((a.rotation.conjugate() * b.rotation).normalized());
  joint.values[kTurnAtStart] = std::array<double, 3>{turn.x(), turn.y(), turn.z()};
}

}  // namespace repose
