#include "bodies.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/fault.h"

#include "decompose.h"

namespace repose::mechanism {
namespace {

/// A corner nearer than this to another part of its body lies on it. Fraction of the body's size.
constexpr double kSeam = 1e-9;
/// A direction so little outside the cone of an outline's normals counts as within: the sine.
constexpr double kConeSlack = 0.01;
/// A pose may lean out of the plane by rounding only: sine of the angle.
constexpr double kTipped = 1e-9;

InputError fault(const Body& body, std::string wrong, std::string right) {
  return repose::fault("bodies", body.name, std::move(wrong), std::move(right));
}

Part polygon_part(const ConvexPiece& piece, const Vec2& center) {
  Part part;
  part.inner = piece.inner;
  for (const Vec2& p : piece.points) part.points.push_back(p - center);
  const std::size_t n = part.points.size();
  part.width = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < n; ++k) {
    const Vec2 along = (part.points[(k + 1) % n] - part.points[k]).normalized();
    part.normals.push_back({along.y(), -along.x()});
    double deepest = 0.0;
    for (const Vec2& p : part.points)
      deepest = std::max(deepest, -part.normals[k].dot(p - part.points[k]));
    part.width = std::min(part.width, deepest);
    part.reach = std::max(part.reach, part.points[k].norm());
  }
  part.seam.assign(n, 0);
  return part;
}

Part disc_part(const shape::Disc& disc, const Vec2& center) {
  Part part;
  part.points = {disc.center - center};
  part.radius = disc.radius;
  part.reach = part.points[0].norm() + disc.radius;
  part.width = 2.0 * disc.radius;
  part.seam = {0};
  return part;
}

/// How far p lies outside the part; negative inside.
double outside(const Part& part, const Vec2& p) {
  if (part.disc()) return (p - part.points[0]).norm() - part.radius;
  double out = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < part.points.size(); ++k)
    out = std::max(out, part.normals[k].dot(p - part.points[k]));
  return out;
}

/// Corners that lie on another part, and sides that run wholly along or within one.
void mark_seams(std::vector<Part>& parts, double size) {
  const double near = kSeam * size;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& part = parts[i];
    if (part.disc()) continue;
    const std::size_t n = part.points.size();
    for (std::size_t j = 0; j < parts.size(); ++j) {
      if (i == j) continue;
      for (std::size_t k = 0; k < n; ++k) {
        const Vec2 &a = part.points[k], &b = part.points[(k + 1) % n];
        if (outside(parts[j], a) <= near) part.seam[k] = 1;
        // just outside the side there is the other part, at its ends and in the middle
        const Vec2 off = 2.0 * near * part.normals[k], in = kSeam * (b - a);
        if (outside(parts[j], a + in + off) <= 0.0 && outside(parts[j], b - in + off) <= 0.0)
          part.inner[k] = 1;
      }
    }
  }
}

/// Normals of touchable sides that come to a point, and of those that leave it; both where one
/// passes through it.
void outline_at(const std::vector<Part>& parts, const Vec2& at, double near, std::vector<Vec2>& in,
                std::vector<Vec2>& out) {
  for (const Part& part : parts) {
    const std::size_t n = part.points.size();
    for (std::size_t k = 0; !part.disc() && k < n; ++k) {
      if (part.inner[k] != 0) continue;
      const Vec2 &a = part.points[k], &b = part.points[(k + 1) % n];
      const double length = (b - a).norm(), along = (at - a).dot(b - a) / length;
      if (std::fabs(part.normals[k].dot(at - a)) > near || along < -near || along > length + near)
        continue;
      if (along > near) in.push_back(part.normals[k]);
      if (along < length - near) out.push_back(part.normals[k]);
    }
  }
}

void find_cones(std::vector<Part>& parts, double size) {
  const double near = 2.0 * kSeam * size;
  for (Part& part : parts) {
    part.cones.resize(part.points.size());
    for (std::size_t k = 0; !part.disc() && k < part.points.size(); ++k) {
      if (part.seam[k] == 0) continue;
      std::vector<Vec2> in, out;
      outline_at(parts, part.points[k], near, in, out);
      for (const Vec2& first : in)
        for (const Vec2& last : out)
          if (cross(first, last) >= -kSeam) part.cones[k].push_back({first, last});
    }
  }
}

Result<PlaneBody> prepare_body(const Body& body, const BodyState& state) {
  const auto* region = std::get_if<shape::PlaneRegion>(&body.shape->geometry);
  if (region == nullptr)
    return fault(body,
                 "the mechanism moves bodies of the plane, not a " + name_of(body.shape->kind),
                 "a plane_region");
  const Quat& q = state.world_from_body.rotation;
  if (std::hypot(q.x(), q.y()) > kTipped)
    return fault(body, "the pose leans out of the plane z = const", "a turn about z alone");
  PlaneBody out;
  out.mass = body.mass;
  out.inertia = body.inertia_body(2, 2);
  out.center_body = body.center_body.head<2>();
  // of the region itself: its thickness is for drawing and mass
  const double ball = body.shape->bounding_radius, half = 0.5 * region->thickness;
  out.size = 2.0 * std::sqrt(std::max(ball * ball - half * half, 0.0));
  out.friction = body.material.friction;
  out.restitution = body.material.restitution;
  out.layer = body.layer;
  out.collides = body.collides;
  if (!body.fixed) {
    const double turn = out.inertia > 0.0 ? 1.0 / out.inertia : 0.0;
    out.inverse = {body.frozen[0] ? 0.0 : 1.0 / out.mass, body.frozen[1] ? 0.0 : 1.0 / out.mass,
                   body.frozen[5] ? 0.0 : turn};
  }
  for (const shape::Polygon& polygon : region->polygons)
    for (const ConvexPiece& piece : convex_pieces(polygon))
      out.parts.push_back(polygon_part(piece, out.center_body));
  for (const shape::Disc& disc : region->discs)
    out.parts.push_back(disc_part(disc, out.center_body));
  mark_seams(out.parts, out.size);
  find_cones(out.parts, out.size);
  for (const Part& part : out.parts) out.reach = std::max(out.reach, part.reach);
  return out;
}

}  // namespace

void PlacedPart::place(const Part& what, const Plane3& where) {
  if (!stands(what, where)) place(what, where, Turn(where.z()));
}

void PlacedPart::place(const Part& what, const Plane3& where, const Turn& turn) {
  part = &what;
  at_place = where;
  const Vec2 at = where.head<2>();
  points.resize(what.points.size());
  normals.resize(what.normals.size());
  for (std::size_t k = 0; k < points.size(); ++k) points[k] = at + turn * what.points[k];
  for (std::size_t k = 0; k < normals.size(); ++k) normals[k] = turn * what.normals[k];
  box.low = box.high = points[0];
  for (const Vec2& p : points) {
    box.low = box.low.cwiseMin(p);
    box.high = box.high.cwiseMax(p);
  }
  box.low.array() -= what.radius;
  box.high.array() += what.radius;
}

bool PlacedPart::open_towards(std::size_t corner, const Vec2& direction) const {
  if (part->seam[corner] == 0) return true;
  // back into the body's axes
  const double c = part->normals[0].dot(normals[0]), s = cross(part->normals[0], normals[0]);
  const Vec2 d(c * direction.x() + s * direction.y(), c * direction.y() - s * direction.x());
  for (const Cone& cone : part->cones[corner])
    if (cross(cone.first, d) >= -kConeSlack && cross(d, cone.last) >= -kConeSlack &&
        d.dot(cone.first + cone.last) > 0.0)
      return true;
  return false;
}

Result<std::vector<PlaneBody>> prepare_bodies(const Problem& problem, const State& state) {
  std::vector<PlaneBody> out;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    auto body = prepare_body(problem.bodies[i], state.bodies[i]);
    if (!body) {
      InputError error = body.error();
      error.pointer = fmt::format("/bodies/{}", i);
      return error;
    }
    out.push_back(std::move(*body));
  }
  return out;
}

Plane3 place_of(const PlaneBody& body, const Pose& pose, double like) {
  const double angle = 2.0 * std::atan2(pose.rotation.z(), pose.rotation.w());
  const double turns = std::round((like - angle) / (2.0 * std::numbers::pi));
  const double turn = angle + 2.0 * std::numbers::pi * turns;
  const Vec2 center = pose.position.head<2>() + Turn(turn) * body.center_body;
  return {center.x(), center.y(), turn};
}

Pose pose_of(const PlaneBody& body, const Plane3& place, const Pose& before) {
  Pose out = before;
  out.position.head<2>() = place.head<2>() - Turn(place.z()) * body.center_body;
  out.rotation = Quat(std::cos(0.5 * place.z()), 0.0, 0.0, std::sin(0.5 * place.z()));
  return out;
}

collide::Box2 box_of(const PlaneBody& body, const Plane3& place) {
  collide::Box2 box;
  const Turn turn(place.z());
  const Vec2 at = place.head<2>();
  constexpr double kFar = std::numeric_limits<double>::infinity();
  box.low = Vec2(kFar, kFar);
  box.high = Vec2(-kFar, -kFar);
  for (const Part& part : body.parts)
    for (const Vec2& p : part.points) {
      const Vec2 w = at + turn * p;
      box.low = box.low.cwiseMin((w.array() - part.radius).matrix());
      box.high = box.high.cwiseMax((w.array() + part.radius).matrix());
    }
  return box;
}

}  // namespace repose::mechanism
