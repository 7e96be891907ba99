#include "check/statics/potential.h"

#include <cmath>

#include "check/statics/wrenches.h"

namespace repose::check {

namespace {

/// The motion of a point that is a body's, or the world's.
class Ways {
 public:
  Ways(const Input& input, const std::vector<SmallMotion>& motions)
      : input_(input), motions_(motions) {}

  Vec3 of(int body, const Vec3& point_world) const {
    if (body < 0) return Vec3::Zero();
    const auto i = static_cast<std::size_t>(body);
    return way_of(motions_[i], point_world - input_.bodies[i].center_world());
  }
  Vec3 turn(int body) const {
    return body < 0 ? Vec3(Vec3::Zero()) : motions_[static_cast<std::size_t>(body)].turn;
  }

 private:
  const Input& input_;
  const std::vector<SmallMotion>& motions_;
};

/// How much longer the way from a to b is after both ends have moved.
double longer_by(const Vec3& a_to_b, const Vec3& moved) {
  const double before = a_to_b.norm(), after = (a_to_b + moved).norm();
  return before + after > 0.0 ? (2.0 * a_to_b + moved).dot(moved) / (before + after) : 0.0;
}

/// What a tie gains beyond the work of the loads that stand for it.
double tied(const Tie& tie, const Ways& ways) {
  const Vec3 a_to_b = tie.point_b_world - tie.point_a_world;
  const Vec3 moved =
      ways.of(tie.body_b, tie.point_b_world) - ways.of(tie.body_a, tie.point_a_world);
  const double longer = longer_by(a_to_b, moved), length = a_to_b.norm();
  const double along = length > 0.0 ? a_to_b.dot(moved) / length : 0.0;
  return tie.pull * (longer - along) + 0.5 * tie.stiffness * longer * longer;
}

/// R phi of one joint.
double held(const Restraint& joint, const Reaction& reaction, const Ways& ways) {
  const double turned = reaction.torque_on_b.dot(ways.turn(joint.body_b) - ways.turn(joint.body_a));
  const Vec3 moved = ways.of(joint.body_b, joint.point_world + joint.span_world) -
                     ways.of(joint.body_a, joint.point_world);
  const double length = joint.span_world.norm();
  if (length > 0.0)
    return turned +
           reaction.force_on_b.dot(joint.span_world) / length * longer_by(joint.span_world, moved);
  if (!joint.turns_with_a) return turned + reaction.force_on_b.dot(moved);
  const Vec3 carried = rotation_from_vector(ways.turn(joint.body_a)) * reaction.force_on_b;
  return turned + carried.dot(moved);
}

}  // namespace

Vec3 way_of(const SmallMotion& motion, const Vec3& arm) {
  // (R - 1) arm by Rodrigues' formula
  const double angle = motion.turn.norm();
  if (angle == 0.0) return motion.move;
  const Vec3 axis = motion.turn / angle, across = axis.cross(arm);
  const double half = std::sin(0.5 * angle);
  return motion.move + std::sin(angle) * across + 2.0 * half * half * axis.cross(across);
}

double energy_after(const Input& input, const Balance& balance,
                    const std::vector<SmallMotion>& motions) {
  const Ways ways(input, motions);
  double out = 0.0;
  for (std::size_t i = 0; i < input.bodies.size(); ++i)
    if (!input.bodies[i].fixed) out -= input.bodies[i].mass * input.gravity.dot(motions[i].move);
  for (const Load& load : input.loads)
    out -= load.force.dot(ways.of(load.body, load.point_world)) +
           load.torque.dot(ways.turn(load.body));
  for (const Tie& tie : input.ties) out += tied(tie, ways);
  for (std::size_t j = 0; j < balance.reactions.size(); ++j)
    out -= held(input.restraints[j], balance.reactions[j], ways);
  return out;
}

double whole_load(const Input& input) {
  double weight = 0.0, loads = 0.0;
  for (const PlacedBody& body : input.bodies)
    if (!body.fixed) weight += felt_weight(input, body);
  for (const Load& load : input.loads)
    if (!input.bodies[static_cast<std::size_t>(load.body)].fixed) loads += load.force.norm();
  return weight > 0.0 ? weight : loads;
}

}  // namespace repose::check
