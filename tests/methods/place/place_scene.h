#pragma once

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/place/place.h"
#include "repose/shape/make.h"

namespace repose::place {

/// A small problem built in code, for tests; lengths are multiplied by `scale`, and everything is
/// turned and shifted by `frame`, gravity along with it.
struct PlaceScene {
  Problem problem;
  State state;
  double scale = 1.0;
  Pose frame;

  int add(const Result<shape::ShapePtr>& shape, const Pose& pose, bool fixed) {
    Body body;
    body.name = "body " + std::to_string(problem.bodies.size());
    body.shape = shape.value();
    body.fixed = fixed;
    body.mass = fixed ? 0.0 : 2.0;
    body.center_body = body.shape->volume.center;
    problem.bodies.push_back(body);
    BodyState place;
    place.world_from_body = frame * Pose{scale * pose.position, pose.rotation};
    state.bodies.push_back(place);
    problem.gravity = frame.turn(Vec3(0.0, 0.0, -9.81));
    return static_cast<int>(problem.bodies.size()) - 1;
  }
  int add_ground() { return add(shape::make_half_space(), {}, true); }

  /// Where a body stands, scale and frame undone.
  Pose where(int body) const {
    Pose pose = frame.inverse() * state.bodies[static_cast<std::size_t>(body)].world_from_body;
    pose.position /= scale;
    return pose;
  }

  /// Steps until the method reports an end.
  StepReport run(const SettingValues& values = {}, int most = 400) {
    auto method = method_info().make(values);
    EXPECT_TRUE(static_cast<bool>(method));
    const auto prepared = (*method)->prepare(problem, state);
    if (!prepared) {
      ADD_FAILURE() << prepared.error().text();
      return {};
    }
    StepReport report;
    double energy = (*method)->audit(problem, state).energy;
    for (int k = 0; k < most && report.status == RunStatus::moving; ++k) {
      report = (*method)->step(problem, state);
      const Audit audit = (*method)->audit(problem, state);
      EXPECT_LE(audit.energy, energy + 1e-12 * std::fabs(energy)) << "at step " << k;
      EXPECT_GE(audit.worst_gap, 0.0) << "at step " << k;
      energy = audit.energy;
    }
    return report;
  }
};

}  // namespace repose::place
