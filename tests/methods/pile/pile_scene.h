#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/pile/pile.h"

namespace repose::pile {

/// A small problem built in code, for tests.
struct PileScene {
  Problem problem;
  State state;

  int add(shape::ShapePtr shape, const Vec3& position, bool fixed,
          const Quat& rotation = Quat::Identity()) {
    Body body;
    body.name = "body " + std::to_string(problem.bodies.size());
    body.shape = std::move(shape);
    body.fixed = fixed;
    body.mass = fixed ? 0.0 : 2.0;
    problem.bodies.push_back(body);
    BodyState place;
    place.world_from_body = {position, rotation};
    state.bodies.push_back(place);
    return static_cast<int>(problem.bodies.size()) - 1;
  }
  static shape::ShapePtr ball(double radius) {
    shape::Shape out;
    out.kind = shape::ShapeKind::ball;
    out.geometry = shape::Ball{radius};
    out.bounding_radius = radius;
    return std::make_shared<const shape::Shape>(out);
  }
  int add_ball(double radius, const Vec3& center, bool fixed = false) {
    return add(ball(radius), center, fixed);
  }
  /// Endless wall through `point`; bodies stay on the side the normal points to.
  int add_wall(const Vec3& point, const Vec3& normal) {
    shape::Shape out;
    out.kind = shape::ShapeKind::half_space;
    out.geometry = shape::HalfSpace{};
    return add(std::make_shared<const shape::Shape>(out), point, true,
               rotation_between(Vec3::UnitZ(), normal));
  }
  /// k x k x k balls of radius 1, pitch 2.2, jittered, in an open box of side 2.2 k.
  static PileScene grid(int k, std::uint64_t seed) {
    constexpr double kPitch = 2.2, kJitter = 0.09;
    PileScene out;
    const double side = kPitch * k;
    out.add_wall(Vec3::Zero(), Vec3::UnitZ());
    out.add_wall(Vec3::Zero(), Vec3::UnitX());
    out.add_wall(Vec3::Zero(), Vec3::UnitY());
    out.add_wall(Vec3(side, 0.0, 0.0), -Vec3::UnitX());
    out.add_wall(Vec3(0.0, side, 0.0), -Vec3::UnitY());
    Random random(seed);
    for (int i = 0; i < k * k * k; ++i) {
      const Vec3 cell(i % k + 0.5, i / k % k + 0.5, i / k / k + 0.5);
      const double x = random.between(-kJitter, kJitter), y = random.between(-kJitter, kJitter);
      const double z = random.between(-kJitter, kJitter);
      out.add_ball(1.0, kPitch * cell + Vec3(x, y, z));
    }
    return out;
  }
  Vec3 center(int body) const { return state.bodies[body].world_from_body.position; }

  std::unique_ptr<Method> method(const SettingValues& values = {}) {
    auto made = method_info().make(values);
    EXPECT_TRUE(made);
    return std::move(made).value();
  }
  /// Runs until the method stops moving; each frame is handed to `look` (before, after).
  template <class Look>
  StepReport run(const SettingValues& values, int max_steps, Look&& look) {
    const auto pile = method(values);
    const auto ready = pile->prepare(problem, state);
    EXPECT_TRUE(ready) << (ready ? "" : ready.error().text());
    StepReport report;
    for (int s = 0; s < max_steps; ++s) {
      const State before = state;
      report = pile->step(problem, state);
      look(before, state, pile->audit(problem, state));
      if (report.status != RunStatus::moving) break;
    }
    return report;
  }
  StepReport run(const SettingValues& values = {}, int max_steps = 500) {
    return run(values, max_steps, [](const State&, const State&, const Audit&) {});
  }
  /// Largest sum of weight and recorded contact forces on any free body, over its weight.
  double unbalanced() const {
    std::vector<Vec3> force(problem.bodies.size(), Vec3::Zero());
    for (std::size_t i = 0; i < force.size(); ++i)
      force[i] = problem.bodies[i].mass * problem.gravity;
    for (const Contact& c : state.contacts) {
      force[c.body_b] += c.force_on_b;
      force[c.body_a] -= c.force_on_b;
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < force.size(); ++i) {
      const Body& body = problem.bodies[i];
      if (body.fixed) continue;
      for (int k = 0; k < 3; ++k)
        if (body.frozen[k]) force[i][k] = 0.0;
      worst = std::max(worst, force[i].norm() / (body.mass * problem.gravity.norm()));
    }
    return worst;
  }
  /// Smallest distance between two free balls less their radii, all pairs.
  double smallest_gap(const State& at) const {
    double worst = 1e300;
    for (std::size_t i = 0; i < problem.bodies.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const auto* a = std::get_if<shape::Ball>(&problem.bodies[i].shape->geometry);
        const auto* b = std::get_if<shape::Ball>(&problem.bodies[j].shape->geometry);
        if (a == nullptr || b == nullptr) continue;
        const Vec3 apart =
            at.bodies[i].world_from_body.position - at.bodies[j].world_from_body.position;
        worst = std::min(worst, apart.norm() - a->radius - b->radius);
      }
    return worst;
  }
};

}  // namespace repose::pile
