#pragma once

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/math/vec.h"
#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

#include "methods/surfel/arena.h"
#include "methods/surfel/motion.h"

namespace repose::surfel {

/// A scene of this method from its bodies, materials and whatever follows them.
inline std::string scene_text(const std::string& bodies, const std::string& more = "") {
  return fmt::format(
      R"({{"repose": 1, "method": {{"kind": "surfel"}},
 "materials": {{
  "gel": {{"density": 1000, "young_modulus": 100000, "poisson_ratio": 0.3, "damping": 0.002}},
  "clay": {{"density": 1500, "young_modulus": 200000, "poisson_ratio": 0.3, "damping": 0.002,
   "yield_strain": 0.02, "creep": 30}},
  "ice": {{"density": 1000, "young_modulus": 100000, "friction": 0}}}},
 "bodies": [{}]{}}})",
      bodies, more);
}

inline World world_of(const std::string& text) {
  const auto scene = scene_from_text(text, "test.json", method_catalogue());
  EXPECT_TRUE(scene) << (scene ? "" : scene.error().wrong);
  auto world = build_world(*scene);
  EXPECT_TRUE(world) << (world ? "" : world.error().wrong);
  return std::move(*world);
}

/// A sampled cube.
inline std::string cube(const std::string& name, double side, double spacing,
                        const std::string& material, const Vec3& at,
                        const Vec3& velocity = Vec3::Zero()) {
  return fmt::format(
      R"({{"name": "{}", "material": "{}", "position": [{}, {}, {}], "velocity": [{}, {}, {}],
 "shape": {{"kind": "sample", "spacing": {}, "shape": {{"kind": "box", "size": [{}, {}, {}]}}}}}})",
      name, material, at.x(), at.y(), at.z(), velocity.x(), velocity.y(), velocity.z(), spacing,
      side, side, side);
}

inline const MethodInfo& method() {
  return **find_method("surfel");
}

inline Session session_of(const std::string& text, const SettingValues& settings = {}) {
  World world = world_of(text);
  auto session =
      Session::start(std::move(world.problem), std::move(world.state), method(), settings);
  EXPECT_TRUE(session) << (session ? "" : session.error().wrong + ": " + session.error().right);
  return std::move(*session);
}

/// What prepare says of a scene that cannot be stepped.
inline std::string refusal(const std::string& text) {
  World world = world_of(text);
  auto session = Session::start(std::move(world.problem), std::move(world.state), method(), {});
  return session ? "taken" : session.error().wrong;
}

}  // namespace repose::surfel
