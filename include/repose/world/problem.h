#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "repose/base/settings.h"
#include "repose/world/body.h"
#include "repose/world/kinds.h"

namespace repose {

/// A force or potential of the scene. Its kind decides which fields mean something; the scene
/// format's page lists them.
struct Force {
  ForceKind kind = ForceKind::push;
  std::string name;
  std::string body_a, body_b;   // names; empty where none
  Vec3 point_a = Vec3::Zero();  // body frame of a (or world where there is no a)
  Vec3 point_b = Vec3::Zero();
  Vec3 vector = Vec3::Zero();  // push: N
  SettingValues values;        // stiffness, range, exponent, ...
  // pull: a force over time
  std::vector<int> points;    // soft points of a on each of which it acts; empty: at point_a
  std::vector<double> times;  // s, increasing
  std::vector<Vec3> vectors;  // N, world axes; parallel to times
};

/// The force of a pull at a time: linear between its times, before the first and after the last as
/// there. N, world axes.
Vec3 pull_at(const Force& pull, double time);

/// The law of an attraction; constant where the force does not say.
AttractionLaw law_of(const Force& attraction);

/// A joint between two bodies, or of one with the world (empty body_b).
struct Joint {
  JointId id;
  JointKind kind = JointKind::pin;
  std::string name;
  std::string body_a, body_b;
  Vec3 point_a = Vec3::Zero();  // body frame of a
  Vec3 point_b = Vec3::Zero();  // body frame of b, world where there is no b
  Vec3 axis = Vec3::UnitZ();    // body frame of a
  SettingValues values;         // limits, ratio, speed, stiffness, ...
};

/// A change made from outside while a run goes on: by a scene's event, the studio or a program.
struct Edit {
  EditKind kind = EditKind::set;
  std::string target;  // body, joint, force or setting
  SettingValues values;
  std::shared_ptr<const Body> body;  // add: the new body
  BodyState body_state;              // add and pose
};

// when an event happens
struct AtTime {
  double time = 0.0;  // s, simulated
};
struct AtStep {
  long step = 0;  // State::step
};
/// When the method reports rest: events of the lowest number at the first, then those of the next.
struct AtRest {
  int number = 1;
};

/// An edit that happens by itself.
struct TimedEvent {
  std::variant<AtTime, AtStep, AtRest> when;
  Edit edit;
  std::string pointer;  // where the scene says so ("/events/0/edits/1"); empty where no scene does
};

/// The fixed problem: everything but the changing State.
struct Problem {
  std::string name;          // of the scene
  std::vector<Body> bodies;  // Body::id.index is the place here
  std::vector<Force> forces;
  std::vector<Joint> joints;
  std::vector<TimedEvent> events;
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);  // m/s^2; sum of the scene's gravity forces

  /// Index of the body of that name, -1 if there is none.
  int find_body(const std::string& name) const;
};

}  // namespace repose
