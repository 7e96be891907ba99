#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "repose/math/pose.h"
#include "repose/shape/shape.h"

namespace repose::check {

/// One body as the judge sees it: geometry, place and weight, nothing of how it came there.
struct PlacedBody {
  std::string name;
  shape::ShapePtr shape;
  Pose world_from_body;             // the rotation stands for its exact normalisation
  double mass = 0.0;                // kg; not used when fixed
  Vec3 center_body = Vec3::Zero();  // centre of mass, body frame
  Mat3 inertia_body = Mat3::Zero();
  double friction = 0.5;           // Coulomb coefficient; a pair takes the smaller
  bool fixed = false;              // carries any load
  std::array<bool, 6> frozen{};    // freedoms held: x, y, z, turns about x, y, z (world axes)
  bool collides = true;            // false: touches nothing
  int layer = 0;                   // bodies of the plane meet within a layer only
  int number = -1;                 // by which `passes` of others name it; -1: none does
  std::vector<int> passes;         // numbers of bodies that a joint lets it pass
  std::vector<Vec3> points_world;  // sphere sets: where the spheres are now; empty: at rest shape
  std::vector<double> radii;       // and how large, m; empty: as in the rest shape

  /// Diameter of the bounding ball, m; infinite for endless ground.
  double size() const;
  Vec3 center_world() const { return world_from_body * center_body; }
};

/// A force and a torque from outside on one body, beside its weight.
struct Load {
  int body = -1;
  Vec3 force = Vec3::Zero();        // N, world axes
  Vec3 point_world = Vec3::Zero();  // where it acts
  Vec3 torque = Vec3::Zero();       // N m, world axes
};

/// How a load between two points changes as they move: their energy is E(l) with E' = pull and
/// E'' = stiffness at the length they have. The load itself stands in `Input::loads` as well.
struct Tie {
  int body_a = -1, body_b = -1;  // -1: the world
  Vec3 point_a_world = Vec3::Zero(), point_b_world = Vec3::Zero();
  double pull = 0.0;       // N; positive draws the points together
  double stiffness = 0.0;  // N/m
};

/// What a joint can carry: any force along `forces` at `point_world` and any torque about `torques`
/// on body b, the opposite on body a; -1 stands for the world. Bounds hold for each direction.
struct Restraint {
  std::string name;
  int body_a = -1, body_b = -1;
  Vec3 point_world = Vec3::Zero();
  std::vector<Vec3> forces, torques;  // world axes
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool turns_with_a = false;  // the directions do, as the line of a slider
  /// From point_world, a point of a, to the point of b where the force acts along the line between
  /// the two (a rod, a rope); zero where it acts at one point.
  Vec3 span_world = Vec3::Zero();
};

/// What someone says of a contact: where it is and how hard it presses. It saves the judge a search
/// where it is true, and time alone where it is not: nothing is believed that is not verified.
struct ClaimedContact {
  int body_a = -1, body_b = -1;
  Vec3 point_world = Vec3::Zero();
  Vec3 force_on_b = Vec3::Zero();  // N, world axes
};

/// All there is to judge.
struct Input {
  std::vector<PlacedBody> bodies;
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);  // m/s^2
  std::vector<Load> loads;
  std::vector<Restraint> restraints;
  std::vector<Tie> ties;
  std::vector<ClaimedContact> claims;  // certificates of whoever made the poses; may be wrong
};

}  // namespace repose::check
