#pragma once

#include <cmath>
#include <memory>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/mechanism/mechanism.h"
#include "repose/shape/make.h"

namespace repose::mechanism {

constexpr double kPi = std::numbers::pi;

/// A small problem built in code, for tests. Gravity points down y.
struct MechanismScene {
  Problem problem;
  State state;
  SettingValues settings;
  std::unique_ptr<Method> method;

  MechanismScene() { problem.gravity = Vec3(0.0, -9.81, 0.0); }

  int add(const shape::PlaneRegion& region, const Vec2& at, double turn = 0.0, bool fixed = false) {
    auto shape = shape::make_plane_region(region);
    EXPECT_TRUE(shape) << (shape ? "" : shape.error().text());
    Body body;
    body.shape = *shape;
    body.name = "body " + std::to_string(problem.bodies.size());
    body.material.density = 1.0;
    body.mass = body.shape->volume.volume;
    body.center_body = body.shape->volume.center;
    body.inertia_body = body.shape->volume.inertia;
    body.fixed = fixed;
    problem.bodies.push_back(body);
    BodyState place;
    place.world_from_body.position = Vec3(at.x(), at.y(), 0.0);
    place.world_from_body.rotation = Quat(std::cos(0.5 * turn), 0.0, 0.0, std::sin(0.5 * turn));
    state.bodies.push_back(place);
    return static_cast<int>(problem.bodies.size()) - 1;
  }
  int add_polygon(const std::vector<Vec2>& outer, const Vec2& at, double turn = 0.0,
                  bool fixed = false) {
    shape::PlaneRegion region;
    region.polygons = {{outer, {}}};
    region.thickness = 1.0;
    return add(region, at, turn, fixed);
  }
  int add_box(double width, double height, const Vec2& at, double turn = 0.0, bool fixed = false) {
    const double x = 0.5 * width, y = 0.5 * height;
    return add_polygon({{-x, -y}, {x, -y}, {x, y}, {-x, y}}, at, turn, fixed);
  }
  int add_disc(double radius, const Vec2& at, bool fixed = false) {
    shape::PlaneRegion region;
    region.discs = {{Vec2::Zero(), radius}};
    region.thickness = 1.0;
    return add(region, at, 0.0, fixed);
  }
  /// Fixed ground whose top side is y = 0, turned about the origin.
  int add_ground(double turn = 0.0, double width = 100.0) {
    const double x = 0.5 * width;
    return add_polygon({{-x, -1.0}, {x, -1.0}, {x, 0.0}, {-x, 0.0}}, Vec2::Zero(), turn, true);
  }
  void material(int body, double friction, double restitution) {
    problem.bodies[static_cast<std::size_t>(body)].material.friction = friction;
    problem.bodies[static_cast<std::size_t>(body)].material.restitution = restitution;
  }
  Body& body(int i) { return problem.bodies[static_cast<std::size_t>(i)]; }
  BodyState& at(int i) { return state.bodies[static_cast<std::size_t>(i)]; }
  Vec2 position(int i) { return at(i).world_from_body.position.head<2>(); }
  double turn(int i) {
    const Quat& q = at(i).world_from_body.rotation;
    return 2.0 * std::atan2(q.z(), q.w());
  }
  /// A joint between points of the bodies' frames; b = -1 is the world.
  Joint& join(JointKind kind, int a, const Vec2& point_a, int b, const Vec2& point_b) {
    Joint joint;
    joint.kind = kind;
    joint.name = name_of(kind) + " " + std::to_string(problem.joints.size());
    joint.id = {static_cast<std::uint32_t>(problem.joints.size()), 1};
    joint.body_a = body(a).name;
    joint.body_b = b < 0 ? "" : body(b).name;
    joint.point_a = Vec3(point_a.x(), point_a.y(), 0.0);
    joint.point_b = Vec3(point_b.x(), point_b.y(), 0.0);
    problem.joints.push_back(joint);
    return problem.joints.back();
  }
  Result<Done> start() {
    auto made = method_info().make(settings);
    if (!made) return made.error();
    method = std::move(*made);
    return method->prepare(problem, state);
  }
  void prepared() {
    const auto done = start();
    ASSERT_TRUE(done) << (done ? "" : done.error().text());
  }
  StepReport step() { return method->step(problem, state); }
  /// Steps until the time is reached or the method reports an end; the last report.
  StepReport run(double until) {
    StepReport report;
    const double step_time = settings.count("step_time") != 0
                                 ? std::get<double>(settings["step_time"])
                                 : MechanismSettings{}.step_time;
    while (state.time < until - 0.5 * step_time) {
      report = step();
      if (report.status != RunStatus::moving) break;
    }
    return report;
  }
  double energy() { return method->audit(problem, state).energy; }
};

}  // namespace repose::mechanism
