#include "joints.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/base/setting_values.h"

namespace repose::mechanism {
namespace {

InputError joint_fault(std::size_t index, std::string value, std::string wrong, std::string right) {
  return repose::fault(fmt::format("/joints/{}", index), std::move(value), std::move(wrong),
                       std::move(right));
}

/// A rod or rope as short as this, of the smaller body's size, has no direction to pull in.
constexpr double kLeastLength = 1e-9;

double turn_of(int body, const Motion& motion) {
  return body < 0 ? 0.0 : motion.place[static_cast<std::size_t>(body)].z();
}

void read_values(PlaneJoint& out, const Joint& joint) {
  const SettingValues& v = joint.values;
  out.length = number_or(v, "length", out.kind == JointKind::spring ? 0.0 : out.start.length);
  out.ratio = number_or(v, "ratio", -1.0);
  out.speed = number_or(v, "speed", 1.0);
  out.max_torque = number_or(v, "max_torque", kNoLimit);
  out.stiffness = number_or(v, "stiffness", 0.0);
  out.damping = number_or(v, "damping", 0.0);
  const bool slides = out.kind == JointKind::slider || out.kind == JointKind::point_on_line;
  const bool stretches = out.kind == JointKind::spring;
  out.low = number_or(v, stretches ? "length_min" : slides ? "travel_min" : "angle_min", -kNoLimit);
  out.high = number_or(v, stretches ? "length_max" : slides ? "travel_max" : "angle_max", kNoLimit);
}

Result<PlaneJoint> prepare_joint(std::size_t index, const Problem& problem,
                                 const std::vector<PlaneBody>& bodies, const Motion& motion,
                                 const std::vector<JointStart>& known) {
  const Joint& joint = problem.joints[index];
  PlaneJoint out;
  out.kind = joint.kind;
  out.joint = static_cast<int>(index);
  const int a = problem.find_body(joint.body_a);
  const int b = joint.body_b.empty() ? -1 : problem.find_body(joint.body_b);
  out.a = anchor_at(a, joint.point_a, bodies);
  out.b = anchor_at(b, joint.point_b, bodies);
  const Vec2 axis = joint.axis.head<2>();
  const bool needs_axis = out.kind == JointKind::slider || out.kind == JointKind::point_on_line;
  if (needs_axis && !(axis.norm() > 0.0))
    return joint_fault(index, joint.name, "the axis does not lie in the plane",
                       "an axis along x and y");
  if (needs_axis) out.axis = axis.normalized();
  out.scale = bodies[static_cast<std::size_t>(a)].size;
  if (b >= 0) out.scale = std::min(out.scale, bodies[static_cast<std::size_t>(b)].size);
  const auto before = std::find_if(known.begin(), known.end(),
                                   [&](const JointStart& s) { return s.id == joint.id; });
  if (before != known.end()) {
    out.start = *before;
  } else {
    const Vec2 away = placed(out.a, motion).at - placed(out.b, motion).at;
    out.start = {joint.id, turn_of(a, motion), turn_of(b, motion), away.norm()};
  }
  read_values(out, joint);
  const bool has_length = out.kind == JointKind::rod || out.kind == JointKind::rope;
  if (has_length && !(out.length > kLeastLength * out.scale))
    return joint_fault(index, joint.name,
                       "it has no length: point_b, where it is not given, is where point_a stands",
                       "point_b elsewhere ([0, 0, 0] is the second body's origin), or a pin");
  return out;
}

}  // namespace

Result<std::vector<PlaneJoint>> prepare_joints(const Problem& problem,
                                               const std::vector<PlaneBody>& bodies,
                                               const Motion& motion,
                                               const std::vector<JointStart>& known) {
  std::vector<PlaneJoint> out;
  for (std::size_t i = 0; i < problem.joints.size(); ++i) {
    auto joint = prepare_joint(i, problem, bodies, motion, known);
    if (!joint) return joint.error();
    out.push_back(*joint);
  }
  return out;
}

void joint_rows(const PlaneJoint& j, const Motion& motion, std::vector<Row>& out) {
  const auto keep_points = [&] {
    out.push_back(difference_row(j.a, j.b, Vec2::UnitX(), motion));
    out.push_back(difference_row(j.a, j.b, Vec2::UnitY(), motion));
  };
  const auto keep_turn = [&] {
    out.push_back(turn_row(j.a.body, 1.0, j.b.body, -1.0, j.start.turn_a - j.start.turn_b, motion));
  };
  switch (j.kind) {
    case JointKind::pin:
      return keep_points();
    case JointKind::weld:
      keep_points();
      return keep_turn();
    case JointKind::slider:
      out.push_back(offset_row(j.a, j.b, left_of(j.axis), motion));
      return keep_turn();
    case JointKind::point_on_line:
      out.push_back(offset_row(j.a, j.b, left_of(j.axis), motion));
      return;
    case JointKind::rod:
      out.push_back(distance_row(j.a, j.b, j.length, motion));
      return;
    case JointKind::gear:
      out.push_back(turn_row(j.a.body, -j.ratio, j.b.body, 1.0,
                             j.start.turn_b - j.ratio * j.start.turn_a, motion));
      return;
    case JointKind::motor: {
      Row row = turn_row(j.a.body, 1.0, j.b.body, -1.0, 0.0, motion);
      row.value = 0.0;
      row.rate -= j.speed;
      row.row.low = -j.max_torque;
      row.row.high = j.max_torque;
      out.push_back(row);
      return;
    }
    case JointKind::rope:
    case JointKind::spring:
      return;
  }
}

void stop_rows(const PlaneJoint& j, const Motion& motion, std::vector<Row>& out) {
  const auto stop = [&](Row row) {
    row.row.kind = RowKind::normal;
    out.push_back(row);
  };
  if (j.kind == JointKind::rope) {
    Row row = distance_row(j.a, j.b, j.length, motion);
    flip(row);
    return stop(row);
  }
  // what is measured less the bound: not below 0 at the lower, not above at the upper
  const auto measured = [&](double bound) {
    if (j.kind == JointKind::spring) return distance_row(j.a, j.b, bound, motion);
    if (j.kind == JointKind::slider || j.kind == JointKind::point_on_line) {
      Row row = offset_row(j.a, j.b, j.axis, motion);
      flip(row);
      row.value -= bound;
      return row;
    }
    return turn_row(j.a.body, 1.0, j.b.body, -1.0, j.start.turn_a - j.start.turn_b + bound, motion);
  };
  if (j.low > -kNoLimit) stop(measured(j.low));
  if (j.high < kNoLimit) {
    Row row = measured(j.high);
    flip(row);
    stop(row);
  }
}

}  // namespace repose::mechanism
