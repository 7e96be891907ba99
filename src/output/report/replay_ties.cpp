#include "repose/report/replay.h"

namespace repose::report {

std::vector<Tie> ties_of(const Problem& problem) {
  std::vector<Tie> out;
  for (const Joint& joint : problem.joints)
    out.push_back({name_of(joint.kind), joint.body_a, joint.body_b, joint.point_a, joint.point_b,
                   joint.axis});
  for (const Force& force : problem.forces)
    if (force.kind == ForceKind::spring || force.kind == ForceKind::connect)
      out.push_back({name_of(force.kind), force.body_a, force.body_b, force.point_a, force.point_b,
                     Vec3::UnitZ()});
  return out;
}

}  // namespace repose::report
