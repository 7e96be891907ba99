#pragma once

#include <array>
#include <string>
#include <vector>

#include "repose/base/id.h"
#include "repose/math/pose.h"
#include "repose/shape/shape.h"

namespace repose {

/// What a body is made of, as far as contact and drawing care.
struct Material {
  std::string name;
  double density = 1000.0;                        // kg/m^3
  double friction = 0.5;                          // Coulomb coefficient; a pair takes the smaller
  double restitution = 0.0;                       // [0, 1]; a pair takes the larger
  std::array<double, 3> color{0.72, 0.70, 0.66};  // linear RGB, [0, 1]
  double opacity = 1.0;                           // [0, 1]
  double roughness = 0.5;                         // [0, 1]; 0 is a mirror
};

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

  /// The length all relative tolerances refer to: the diameter of the bounding ball, m.
  double size() const { return 2.0 * shape->bounding_radius; }
};

/// What changes: a body's place and motion.
struct BodyState {
  Pose world_from_body;
  Vec3 velocity = Vec3::Zero();          // of the centre of mass, m/s
  Vec3 angular_velocity = Vec3::Zero();  // world axes, rad/s
  std::vector<Vec3> points_world;        // soft bodies: spheres, phyxels, then surfels; else empty
};

}  // namespace repose
