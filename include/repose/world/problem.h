#pragma once

#include <memory>
#include <string>
#include <vector>

#include "repose/base/settings.h"
#include "repose/world/body.h"

namespace repose {

/// A force or potential of the scene. Its kind decides which fields mean something; the scene
/// format's page lists them.
struct Force {
  std::string kind;  // "gravity", "push", "spring", "connect", "attract", ...
  std::string name;
  std::string body_a, body_b;   // names; empty where none
  Vec3 point_a = Vec3::Zero();  // body frame of a (or world where there is no a)
  Vec3 point_b = Vec3::Zero();
  Vec3 vector = Vec3::Zero();  // gravity: m/s^2; push: N
  SettingValues values;        // stiffness, range, exponent, ...
};

/// A joint between two bodies, or of one with the world (empty body_b).
struct Joint {
  JointId id;
  std::string kind;  // "pin", "slider", "weld", "rod", "gear", "rope", "motor", ...
  std::string name;
  std::string body_a, body_b;
  Vec3 point_a = Vec3::Zero();  // body frame of a
  Vec3 point_b = Vec3::Zero();  // body frame of b, world where there is no b
  Vec3 axis = Vec3::UnitZ();    // body frame of a
  SettingValues values;         // limits, ratio, speed, stiffness, ...
};

/// A change made from outside while a run goes on: by a scene's event, the studio or a program.
/// The run loop knows "set", "pose", "add", "remove", "fix", "free", "material" and "stop"; every
/// other kind goes to the method.
struct Edit {
  std::string kind;
  std::string target;  // body, joint, force or setting
  SettingValues values;
  std::shared_ptr<const Body> body;  // "add": the new body
  BodyState body_state;              // "add" and "pose"
};

/// An edit that happens by itself. Exactly one of the three says when.
struct TimedEvent {
  double at_time = -1.0;  // s; negative: not by time
  long at_step = -1;      // negative: not by step
  bool at_rest = false;   // when the method first reports rest
  Edit edit;
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
