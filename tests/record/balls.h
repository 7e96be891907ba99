#pragma once

#include <memory>
#include <numbers>
#include <string>

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::testing {

inline shape::ShapePtr ball(double radius) {
  auto out = std::make_shared<shape::Shape>();
  out->kind = shape::ShapeKind::ball;
  out->geometry = shape::Ball{radius};
  out->bounding_radius = radius;
  out->volume.volume = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
  out->volume.area = 4.0 * std::numbers::pi * radius * radius;
  out->volume.inertia = 0.4 * out->volume.volume * radius * radius * Mat3::Identity();
  return out;
}

inline Body body(const std::string& name, const shape::ShapePtr& shape, int place) {
  Body out;
  out.id = {static_cast<std::uint32_t>(place), 1};
  out.name = name;
  out.shape = shape;
  out.mass = out.material.density * shape->volume.volume;
  out.inertia_body = out.material.density * shape->volume.inertia;
  return out;
}

/// `count` balls of one shape in a row along x, apart by a tenth of their radius.
struct Balls {
  Problem problem;
  State state;

  explicit Balls(int count, double radius = 0.5) {
    const auto shape = ball(radius);
    problem.name = "balls";
    for (int i = 0; i < count; ++i) {
      problem.bodies.push_back(body("ball" + std::to_string(i), shape, i));
      state.bodies.emplace_back();
      state.bodies.back().world_from_body.position = Vec3(2.1 * radius * i, 0.0, radius);
    }
  }
};

}  // namespace repose::testing
