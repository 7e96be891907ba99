#pragma once

#include <functional>
#include <string>
#include <vector>

#include "repose/world/method.h"

namespace repose::mechanism {

struct ModelBody {
  std::string name;
  std::vector<std::vector<Vec2>> convex;  // body frame, counter-clockwise
  Vec2 at = Vec2::Zero();
  double turn = 0.0;
  bool fixed = false;
  int layer = 0;
  double friction = 0.3;
};
struct ModelJoint {
  int a = 0, b = -1;
  Vec2 point_a = Vec2::Zero(), point_b = Vec2::Zero();  // body frames; world where b is -1
  bool slider = false;                                  // along x
  double motor_speed = 0.0;
};
/// A machine that both engines build from the same numbers.
struct Model {
  std::vector<ModelBody> bodies;
  std::vector<ModelJoint> joints;
  std::function<Vec2(double)> drive;  // place of the hand by time; none: not driven so
  int driven = -1;
  Vec2 grip = Vec2::Zero();
  double stiffness = 0.0, damping = 0.0;
};

/// Ground 4, crank 1, coupler 3.5, rocker 3, turned once in 3.6 s.
Model four_bar_model();
/// A hopper of eight blocks, a pusher, and a hand that leads the crank round in 5 s.
Model feeder_model();
/// Rows of boxes of 1 by 1, each row one shorter than the one below.
Model pyramid_model(int rows);

struct Place {
  Vec2 at = Vec2::Zero();
  double turn = 0.0;
};
Place place_of(const BodyState& state);

struct World {
  Problem problem;
  State state;
};
World world_of(const Model& model);
/// Leads the hand on: the drag of the mechanism, renewed ten times in a second.
void drag_repose(const Model& model, Method& method, World& world, double time);

/// Adds what is worst: distance of pinned points, overlap of polygons of a layer.
void measure(const Model& model, const std::vector<Place>& places, double& drift, double& overlap);

}  // namespace repose::mechanism
