#pragma once

#include <vector>

#include "repose/base/result.h"

#include "rows.h"

namespace repose::mechanism {

/// What a joint remembers of the moment it was made.
struct JointStart {
  JointId id;
  double turn_a = 0.0, turn_b = 0.0;  // rad
  double length = 0.0;                // m
};

/// A joint as the mechanism sees it.
struct PlaneJoint {
  JointKind kind = JointKind::pin;
  int joint = 0;  // index into Problem::joints
  Anchor a, b;
  Vec2 axis = Vec2::UnitX();  // body a's axes, unit
  double length = 0.0;        // rod, rope, spring; m
  double ratio = -1.0;        // gear
  double speed = 0.0;         // motor, rad/s
  double max_torque = kNoLimit;
  double stiffness = 0.0, damping = 0.0;    // spring
  double low = -kNoLimit, high = kNoLimit;  // of angle or travel
  JointStart start;
  double scale = 1.0;  // size of the bodies it holds, m

  bool limited_motor() const { return kind == JointKind::motor && max_torque < kNoLimit; }
};

/// Errors name the joint. `known` are the
/// starts of joints that were there before.
Result<std::vector<PlaneJoint>> prepare_joints(const Problem& problem,
                                               const std::vector<PlaneBody>& bodies,
                                               const Motion& motion,
                                               const std::vector<JointStart>& known);

/// Rows that hold always: values are errors of place, rates those of velocity. A motor has no
/// place to keep; its rate is the lack of speed.
void joint_rows(const PlaneJoint& joint, const Motion& motion, std::vector<Row>& out);
/// Rows that hold one way: stops of angle and travel, a rope's length. Values are not below 0.
void stop_rows(const PlaneJoint& joint, const Motion& motion, std::vector<Row>& out);

}  // namespace repose::mechanism
