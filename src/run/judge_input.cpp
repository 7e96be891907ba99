#include "repose/run/judge_input.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/base/setting_values.h"
#include "repose/shape/cover.h"
#include "repose/world/joined.h"
#include "repose/world/load.h"

#include "attraction.h"

namespace repose {

namespace {

/// Where a point of a body, or of the world where the name is empty, stands.
Vec3 world_point(const Problem& problem, const State& state, const std::string& body,
                 const Vec3& point) {
  const int i = body.empty() ? -1 : problem.find_body(body);
  return i < 0 ? point : state.bodies[static_cast<std::size_t>(i)].world_from_body * point;
}

int index_of(const Problem& problem, const std::string& body) {
  return body.empty() ? -1 : problem.find_body(body);
}

/// A pull of `strength` newtons of each point towards the other, and `stiffness` more for each
/// metre that they are farther apart.
void add_pull(check::Input& out, int a, const Vec3& at_a, int b, const Vec3& at_b, double strength,
              double stiffness) {
  const Vec3 between = at_b - at_a;
  const double length = between.norm();
  out.ties.push_back({a, b, at_a, at_b, strength, stiffness});
  if (length == 0.0) return;
  const Vec3 force = between * (strength / length);
  if (a >= 0) out.loads.push_back({a, force, at_a, Vec3::Zero()});
  if (b >= 0) out.loads.push_back({b, -force, at_b, Vec3::Zero()});
}

void add_spring(check::Input& out, int a, const Vec3& at_a, int b, const Vec3& at_b,
                const SettingValues& values) {
  const double stretch = (at_b - at_a).norm() - number_or(values, "length", 0.0);
  const double stiffness = number_or(values, "stiffness", 0.0);
  add_pull(out, a, at_a, b, at_b, stiffness * stretch, stiffness);
}

/// On every point of a soft body, or at one of a rigid body.
void add_pulls(check::Input& out, const State& state, const Force& f, int body, const Vec3& at) {
  const Vec3 force = pull_at(f, state.time);
  if (f.points.empty()) out.loads.push_back({body, force, at, Vec3::Zero()});
  const SoftState& soft = state.bodies[static_cast<std::size_t>(body)].soft;
  // a body that parted since has fewer points
  for (const int point : f.points)
    if (static_cast<std::size_t>(point) < soft.size())
      out.loads.push_back(
          {body, force, soft.positions[static_cast<std::size_t>(point)], Vec3::Zero()});
}

void add_force(check::Input& out, const Problem& problem, const State& state, const Force& f) {
  const int a = index_of(problem, f.body_a), b = index_of(problem, f.body_b);
  const Vec3 at_a = world_point(problem, state, f.body_a, f.point_a);
  const Vec3 at_b = world_point(problem, state, f.body_b, f.point_b);
  if (f.kind == ForceKind::pull && a >= 0) add_pulls(out, state, f, a, at_a);
  if (f.kind == ForceKind::push && a >= 0) out.loads.push_back({a, f.vector, at_a, Vec3::Zero()});
  if (f.kind == ForceKind::spring) add_spring(out, a, at_a, b, at_b, f.values);
  if (f.kind == ForceKind::connect)
    add_pull(out, a, at_a, b, at_b, connect_strength(problem, f), 0.0);
  if (f.kind == ForceKind::attract) add_attraction(problem, state, f, out);
}

void square_to(const Vec3& axis, std::vector<Vec3>& out) {
  const Vec3 t = axis.unitOrthogonal();
  out.push_back(t);
  out.push_back(axis.cross(t));
}

/// A stop counts as met, and a joint as holding, within this share of the smaller body's size.
constexpr double kStopMet = 1e-6;

/// The size of the smaller of a joint's bodies, m; endless ground and the world have none. 0: both.
double joint_size(const Problem& problem, const check::Restraint& joint) {
  double out = std::numeric_limits<double>::infinity();
  for (const int i : {joint.body_a, joint.body_b})
    if (i >= 0) out = std::min(out, problem.bodies[static_cast<std::size_t>(i)].size());
  return std::isfinite(out) ? out : 0.0;
}

/// What a stop of travel or length gives where it is met: a push of the second body along a
/// direction, never a pull. What has gone through its stop is held by it no more.
void add_stops(check::Input& out, const check::Restraint& joint, const SettingValues& values,
               const std::string& what, double measured, const Vec3& grows, double within) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  check::Restraint stop = joint;
  stop.torques.clear();
  stop.min = 0.0;
  if (std::fabs(measured - number_or(values, what + "_min", -kNone)) <= within) {
    stop.forces = {grows};
    out.restraints.push_back(stop);
  }
  if (std::fabs(measured - number_or(values, what + "_max", kNone)) <= within) {
    stop.forces = {-grows};
    out.restraints.push_back(stop);
  }
}

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// rad/s, of the first body against the second.
double motor_speed(const Joint& j) {
  return number_or(j.values, "speed", 1.0);
}

/// How far the second body has turned against the first since the start, rad.
double turned_by(const Problem& problem, const State& state, const Joint& j) {
  const auto rotation = [&](const std::string& body) {
    const int i = index_of(problem, body);
    return i < 0 ? Quat::Identity()
                 : state.bodies[static_cast<std::size_t>(i)].world_from_body.rotation.normalized();
  };
  const auto start = vector_in(j.values, kTurnAtStart);
  if (!start) return 0.0;
  return (rotation(j.body_a).conjugate() * rotation(j.body_b))
      .angularDistance(rotation_from_vector(Vec3((*start)[0], (*start)[1], (*start)[2])));
}

/// How far a joint is from holding where its bodies have not turned, m; infinite for a rope that
/// hangs slack.
double open_by(const Joint& j, const Vec3& a_from_b, const Vec3& axis, double slack) {
  const double apart = a_from_b.norm();
  const double start = number_or(j.values, kLengthAtStart, apart);
  const double length = number_or(j.values, "length", start);
  switch (j.kind) {
    case JointKind::pin:
    case JointKind::weld:
      return apart;
    case JointKind::slider:
    case JointKind::point_on_line:
      return (a_from_b - axis * axis.dot(a_from_b)).norm();
    case JointKind::rod:
      return std::fabs(apart - length);
    case JointKind::rope:
      return apart < length - slack ? std::numeric_limits<double>::infinity()
                                    : std::max(0.0, apart - length);
    case JointKind::gear:
    case JointKind::motor:
    case JointKind::spring:
      return 0.0;
  }
  return 0.0;
}

void add_joint(check::Input& out, const Problem& problem, const State& state, const Joint& j) {
  check::Restraint made;
  made.name = j.name;
  made.body_a = index_of(problem, j.body_a);
  made.body_b = index_of(problem, j.body_b);
  const Vec3 at_a = world_point(problem, state, j.body_a, j.point_a);
  const Vec3 at_b = world_point(problem, state, j.body_b, j.point_b);
  made.point_world = at_a;
  const double size = joint_size(problem, made);
  const double within = kStopMet * size;
  if (j.kind == JointKind::spring) {
    add_spring(out, made.body_a, at_a, made.body_b, at_b, j.values);
    const double length = (at_b - at_a).norm();
    made.span_world = at_b - at_a;
    if (length > 0.0)
      add_stops(out, made, j.values, "length", length, (at_b - at_a) / length, within);
    return;
  }
  Vec3 axis = j.axis;
  if (made.body_a >= 0)
    axis = state.bodies[static_cast<std::size_t>(made.body_a)].world_from_body.turn(j.axis);
  if (axis.norm() > 0.0) axis.normalize();
  // what does not hold carries nothing
  double open = open_by(j, at_a - at_b, axis, within);
  if (j.kind == JointKind::weld || j.kind == JointKind::slider)
    open += size * turned_by(problem, state, j);
  if (!(open <= within)) return;
  const std::vector<Vec3> all{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  if (j.kind == JointKind::pin || j.kind == JointKind::weld) made.forces = all;
  if (j.kind == JointKind::weld || j.kind == JointKind::slider) made.torques = all;
  if (j.kind == JointKind::slider || j.kind == JointKind::point_on_line) {
    // the point of b goes along a line of a, and presses on it where it is
    made.point_world = at_b;
    made.turns_with_a = true;
    square_to(axis, made.forces);
    add_stops(out, made, j.values, "travel", axis.dot(at_a - at_b), -axis, within);
  }
  if (j.kind == JointKind::motor) {
    made.torques = {axis};
    made.max = number_or(j.values, "max_torque", kNoLimit);
    made.min = -made.max;
    // what stands does not have its motor's speed: the motor drives with all it has
    const double speed = motor_speed(j);
    if (speed != 0.0) made.min = made.max = speed > 0.0 ? -made.max : made.max;
  }
  if ((j.kind == JointKind::rod || j.kind == JointKind::rope) && (at_a - at_b).norm() > 0.0) {
    made.span_world = at_b - at_a;
    made.forces = {(at_a - at_b).normalized()};
    if (j.kind == JointKind::rope) made.min = 0.0;  // pulls b towards a, never pushes
  }
  if (!made.forces.empty() || !made.torques.empty()) out.restraints.push_back(std::move(made));
}

/// Of a surfel body the judge sees the balls beneath its surfels, which follow its phyxels in the
/// state.
void take_cover(check::PlacedBody& body) {
  const auto* points = std::get_if<shape::PointSet>(&body.shape->geometry);
  if (points == nullptr || body.points_world.empty()) return;
  const auto phyxels = static_cast<std::ptrdiff_t>(points->phyxels.size());
  body.shape = shape::cover_shape(body.shape);
  body.points_world.erase(body.points_world.begin(), body.points_world.begin() + phyxels);
  body.radii.erase(body.radii.begin(), body.radii.begin() + phyxels);
}

}  // namespace

/// Gears couple turns, where a stop of angle stands is known to the method alone, and so is what
/// holds soft points together. A motor that knows no limit turns what it drives, or is blocked by
/// whatever force that takes.
std::string hidden_loads(const Problem& problem) {
  for (const Body& body : problem.bodies)
    if (body.soft && !body.fixed) return fmt::format("{} is soft", body.name);
  for (const Joint& joint : problem.joints) {
    const std::string of = fmt::format("{} of {}", name_of(joint.kind), joint.body_a);
    if (joint.kind == JointKind::gear) return fmt::format("the {} couples turns", of);
    if (joint.values.count("angle_min") != 0 || joint.values.count("angle_max") != 0)
      return fmt::format("the {} has a stop of angle", of);
    if (joint.kind == JointKind::motor && motor_speed(joint) != 0.0 &&
        number_or(joint.values, "max_torque", kNoLimit) == kNoLimit)
      return fmt::format("the {} drives it without a limit of torque", of);
  }
  return {};
}

bool loads_stay(const Problem& problem) {
  return std::none_of(problem.forces.begin(), problem.forces.end(), [](const Force& force) {
    return force.kind == ForceKind::attract || force.kind == ForceKind::pull;
  });
}

check::Input judge_input(const Problem& problem, const State& state) {
  check::Input out;
  out.gravity = problem.gravity;
  out.bodies.reserve(problem.bodies.size());
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    check::PlacedBody item;
    item.name = body.name;
    item.shape = body.shape;
    item.world_from_body = state.bodies[i].world_from_body;
    item.mass = body.mass;
    item.center_body = body.center_body;
    item.inertia_body = body.inertia_body;
    item.friction = body.material.friction;
    item.fixed = body.held();
    item.frozen = body.frozen;
    item.collides = body.collides;
    item.layer = body.layer;
    item.points_world = state.bodies[i].soft.positions.view();
    item.radii = state.bodies[i].soft.radii.view();
    take_cover(item);
    out.bodies.push_back(std::move(item));
  }
  for (const auto& [a, b] : passing_pairs(problem)) {
    out.bodies[static_cast<std::size_t>(a)].passes.push_back(b);
    out.bodies[static_cast<std::size_t>(b)].number = b;
  }
  for (const Force& f : problem.forces) add_force(out, problem, state, f);
  for (const Joint& j : problem.joints) add_joint(out, problem, state, j);
  for (const Contact& c : state.contacts)
    out.claims.push_back({c.body_a, c.body_b, c.point_world, c.force_on_b});
  return out;
}

}  // namespace repose
