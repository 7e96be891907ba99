#include "scene_remedy.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace repose {

namespace {

/// Bodies of which one is so many times as large as another were hardly meant to meet.
constexpr double kUnlikelyRatio = 300.0;
constexpr const char* kGround =
    R"({ "name": "ground", "shape": { "kind": "half_space" }, "fixed": true, "role": "ground" })";

/// A loose body that touches nothing and lies below everything that stands fast; -1: there is none.
int fallen(const Problem& problem, const State& state) {
  if (!(problem.gravity.norm() > 0.0)) return -1;
  const Vec3 down = problem.gravity.normalized();
  const auto depth = [&](std::size_t i, double side) {
    const shape::Shape& shape = *problem.bodies[i].shape;
    return down.dot(state.bodies[i].world_from_body * shape.bounding_center) +
           side * shape.bounding_radius;
  };
  // a ground whose outside lies below, as where gravity points up, stops nothing
  const auto opens_below = [&](std::size_t i) {
    const Vec3 outward = state.bodies[i].world_from_body.rotation * Vec3::UnitZ();
    return problem.bodies[i].shape->kind == shape::ShapeKind::half_space && outward.dot(down) > 0.0;
  };
  double floor = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    if (problem.bodies[i].held() && !opens_below(i)) floor = std::max(floor, depth(i, 1.0));
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const auto touches = [&](const Contact& c) {
      return c.body_a == static_cast<int>(i) || c.body_b == static_cast<int>(i);
    };
    if (problem.bodies[i].held() || problem.bodies[i].soft) continue;
    if (std::ranges::none_of(state.contacts, touches) && depth(i, -1.0) > floor)
      return static_cast<int>(i);
  }
  return -1;
}

std::string told_of_sizes(const Problem& problem) {
  const Body *least = nullptr, *most = nullptr;
  for (const Body& body : problem.bodies) {
    if (body.held() || !std::isfinite(body.size())) continue;
    if (least == nullptr || body.size() < least->size()) least = &body;
    if (most == nullptr || body.size() > most->size()) most = &body;
  }
  if (least == nullptr || !(most->size() > kUnlikelyRatio * least->size())) return {};
  return fmt::format(
      "{} is {:.0f} times as large as {}: lengths are metres, here and in mesh files", most->name,
      most->size() / least->size(), least->name);
}

}  // namespace

std::string scene_remedy(const Problem& problem, const State& state) {
  if (state.bodies.size() != problem.bodies.size()) return {};
  if (const int i = fallen(problem, state); i >= 0)
    return fmt::format(
        "nothing lies in the way of {} where gravity ({:.6g}, {:.6g}, {:.6g}) takes it, so that it "
        "falls for ever: add a ground, {}, or turn gravity round",
        problem.bodies[static_cast<std::size_t>(i)].name, problem.gravity.x(), problem.gravity.y(),
        problem.gravity.z(), kGround);
  return told_of_sizes(problem);
}

}  // namespace repose
