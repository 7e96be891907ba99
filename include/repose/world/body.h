#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "repose/base/id.h"
#include "repose/math/pose.h"
#include "repose/shape/shape.h"
#include "repose/world/material.h"
#include "repose/world/path.h"
#include "repose/world/soft.h"

namespace repose {

/// One body of the problem: what does not change while it moves.
struct Body {
  BodyId id;
  std::string name;
  shape::ShapePtr shape;
  Material material;
  double mass = 0.0;                 // kg; density * volume unless the scene says otherwise
  Vec3 center_body = Vec3::Zero();   // centre of mass, body frame
  Mat3 inertia_body = Mat3::Zero();  // kg m^2 about center_body, axes of the body frame
  bool fixed = false;                // never moves
  std::array<bool, 6> frozen{};      // freedoms held: x, y, z, turns about x, y, z (world axes)
  bool collides = true;              // false: drawn, but touches nothing
  int layer = 0;                     // mechanism: bodies meet within a layer only
  std::string role;                  // free text for methods and pages: "container", "ground"
  std::vector<std::string> groups;
  std::shared_ptr<const SoftBody> soft;  // null: rigid
  std::shared_ptr<const Path> path;      // a rigid body that is led along it; null: none

  /// Nothing that happens in the world moves it: it is fixed or led.
  bool held() const { return fixed || path != nullptr; }
  /// The length all relative tolerances refer to: the diameter of the bounding ball, m.
  double size() const { return 2.0 * shape->bounding_radius; }
};

/// What changes: a body's place and motion.
struct BodyState {
  Pose world_from_body;                  // of a soft body: of its rest shape at the start
  Vec3 velocity = Vec3::Zero();          // of the centre of mass, m/s
  Vec3 angular_velocity = Vec3::Zero();  // world axes, rad/s
  SoftState soft;                        // where a soft body's points are; empty where rigid
};

}  // namespace repose
