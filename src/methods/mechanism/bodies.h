#pragma once

#include <vector>

#include "repose/base/result.h"
#include "repose/collide/box2.h"
#include "repose/mechanism/contact_forces.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

#include "plane.h"

namespace repose::mechanism {

/// The outline's normals on both sides of a corner, counter-clockwise from `first` to `last`.
struct Cone {
  Vec2 first = Vec2::UnitX(), last = Vec2::UnitX();
};

/// A convex piece of a body: a polygon (radius 0, three corners or more, counter-clockwise), or a
/// disc (one point with a radius). Points are relative to the body's centre of mass, body axes.
struct Part {
  std::vector<Vec2> points;
  std::vector<Vec2> normals;             // outward, of the side from point k to the next
  std::vector<char> inner;               // the side lies within the body: nothing can touch it
  std::vector<char> seam;                // the corner lies on another part
  std::vector<std::vector<Cone>> cones;  // of seam corners: where the whole body is sharp or flat
  double radius = 0.0;                   // m
  double reach = 0.0;                    // farthest point from the centre of mass, m
  double width = 0.0;                    // least width, m

  bool disc() const { return points.size() == 1; }
};

/// A part where it stands.
struct PlacedPart {
  const Part* part = nullptr;
  Plane3 at_place = Plane3::Zero();
  std::vector<Vec2> points, normals;
  collide::Box2 box;

  void place(const Part& what, const Plane3& where);
  /// By the turn of `where`.
  void place(const Part& what, const Plane3& where, const Turn& turn);
  bool stands(const Part& what, const Plane3& where) const {
    return part == &what && at_place == where;
  }
  /// Whether something that lies in a direction from a corner may touch it: not where the outline
  /// goes on along another part.
  bool open_towards(std::size_t corner, const Vec2& direction) const;
};

/// What the mechanism knows of a body; parallel to Problem::bodies.
struct PlaneBody {
  std::vector<Part> parts;
  InverseInertia inverse{};  // zeros where frozen or fixed
  double mass = 0.0;         // kg
  double inertia = 0.0;      // kg m^2 about z
  Vec2 center_body = Vec2::Zero();
  double size = 0.0;   // diameter of the circle about it, m
  double reach = 0.0;  // farthest point from the centre of mass, m
  double friction = 0.0, restitution = 0.0;
  int layer = 0;
  bool collides = true;

  bool moves() const { return inverse[0] > 0.0 || inverse[1] > 0.0 || inverse[2] > 0.0; }
};

/// Errors name the body: a shape that is no plane region, a pose out of the plane.
Result<std::vector<PlaneBody>> prepare_bodies(const Problem& problem, const State& state);

/// The centre of mass and the turn of a pose; `like` chooses among turns alike.
Plane3 place_of(const PlaneBody& body, const Pose& pose, double like);
/// The pose of a place; height and what else the pose holds stay as in `before`.
Pose pose_of(const PlaneBody& body, const Plane3& place, const Pose& before);

/// The box about a body in a place.
collide::Box2 box_of(const PlaneBody& body, const Plane3& place);

}  // namespace repose::mechanism
