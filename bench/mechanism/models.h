#pragma once

#include <cstdint>
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
  bool collides = true;
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
  bool keeps_energy = false;  // nothing drives it and nothing rubs
  bool settles = false;       // run until it rests
};

/// Ground 4, crank 1, coupler 3.5, rocker 3, turned once in 3.6 s.
Model four_bar_model();
/// A hopper of eight blocks, a pusher, and a hand that leads the crank round in 5 s.
Model feeder_model();
/// Rows of boxes of 1 by 1, each row one shorter than the one below.
Model pyramid_model(int rows);
/// Links of 0.1 m pinned to each other in a level row, which hangs by one end and is let go.
Model chain_model(int links);
/// Boxes of 0.1 to 0.2 m, turned at random, above the floor of a bin 5 m wide.
Model bin_model(int boxes, std::uint64_t seed);

struct Place {
  Vec2 at = Vec2::Zero();
  double turn = 0.0;
  Vec2 velocity = Vec2::Zero();  // m/s, of the centre of mass
  double spin = 0.0;             // 1/s
};
Place place_of(const BodyState& state);

struct World {
  Problem problem;
  State state;
};
World world_of(const Model& model);
/// Leads the hand on: the drag of the mechanism, renewed ten times in a second.
void drag_repose(const Model& model, Method& method, World& world, double time);

/// What the judge of this benchmark finds of a run, from poses and speeds alone: the same code for
/// every engine.
class Watch {
 public:
  explicit Watch(const Model& model);
  /// Looks at the state after a step.
  void look(const std::vector<Place>& places, double time);

  double drift() const { return drift_; }      // m, worst distance of pinned points
  double overlap() const { return overlap_; }  // m, worst of polygons of a layer
  /// Largest change of energy over the largest fall of potential energy; not a number where energy
  /// is not kept.
  double energy_error() const;
  /// s; when no body had averaged more than kRestSpeed for kRestWindow; not a number: never.
  double rest_time() const { return rest_; }

  static constexpr double kRestSpeed = 1e-3, kRestWindow = 0.5;  // m/s, s

 private:
  void measure(const std::vector<Place>& places);
  void look_for_rest(const std::vector<Place>& places, double time);
  void weigh(const std::vector<Place>& places);

  const Model& model_;
  std::vector<double> area_, inertia_, reach_;  // reach: of its corners from its origin
  std::vector<Vec2> center_;
  double drift_ = 0.0, overlap_ = 0.0;
  double first_energy_ = 0.0, worst_energy_ = 0.0, first_height_ = 0.0, fall_ = 0.0;
  bool begun_ = false;
  double window_begin_ = 0.0, rest_;
  std::vector<Place> window_places_;
};

}  // namespace repose::mechanism
