#include "container.h"

#include <limits>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/shape/make.h"
#include "repose/shape/mesh_gap.h"
#include "repose/shape/tessellate.h"
#include "repose/solve/linear_program.h"

namespace repose::pile {
namespace {

constexpr const char* kContainer = "container";
/// Fineness at which a container's hull is taken; the chord error is added to it. Fraction of the
/// bounding radius.
constexpr double kHullChord = 1e-2;
/// Fineness at which a wall's inside is told. Fraction of the bounding radius.
constexpr double kInsideChord = 2e-3;
/// A point of a body must lie this deep in a wall to be in its material, in radii.
constexpr double kInsideDepth = 1e-9;
/// Half-spaces whose common room is no wider than this, in mean radii, have none.
constexpr double kNoRoom = 1e-9;

InputError refuse(int body, const char* field, std::string wrong, std::string right) {
  return fault(fmt::format("/bodies/{}{}", body, field), "", std::move(wrong), std::move(right));
}

bool is_half_space(const Body& body) {
  return std::holds_alternative<shape::HalfSpace>(body.shape->geometry);
}

/// Half the width of what the half-spaces leave free, at most 1, in units of `unit`.
double common_room(const std::vector<Pose>& planes, double unit) {
  solve::LinearProgram lp;
  lp.cost = {0.0, 0.0, 0.0, -1.0};
  for (const Pose& plane : planes) {
    const Vec3 normal = plane.turn(Vec3::UnitZ());
    for (int k = 0; k < 3; ++k) lp.add_entry(k, normal[k]);
    lp.add_entry(3, -1.0);
    lp.end_row(normal.dot(plane.position - planes[0].position) / unit);
  }
  lp.add_entry(3, -1.0);
  lp.end_row(-1.0);
  const solve::LpSolution solution = solve::make_simplex()->solve(lp, {}, {});
  return solution.status == solve::LpStatus::optimal ? solution.x[3] : 1.0;
}

Result<Done> check_half_spaces(const Problem& problem, const State& state, const Arena& arena) {
  std::vector<Pose> planes;
  int last = -1;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    if (!body.fixed || !body.collides || !is_half_space(body)) continue;
    planes.push_back(state.bodies[i].world_from_body);
    last = static_cast<int>(i);
    // the first that takes the last room is the one to name
    if (planes.size() > 1 && common_room(planes, arena.length_unit) <= kNoRoom)
      return refuse(last, "",
                    fmt::format("the container is empty: {} and the half-spaces before it leave no "
                                "point free",
                                body.name),
                    "half-spaces whose z axes point into a common room");
  }
  return Done{};
}

/// A point of the mover, in the world.
Vec3 point_of(const Mover& mover, const Pose& pose) {
  const Convex& piece = mover.pieces[0];
  if (mover.ball) return pose.position;
  if (piece.cell) {
    const Vec2 middle = piece.cell->box.center();
    return pose * piece.cell->patch->point(middle[0], middle[1]);
  }
  return pose * Vec3(piece.support(Vec3::UnitZ()) + piece.radius * Vec3::UnitZ());
}

/// Movers in the material of a closed wall: surfaces that do not meet leave them or let them in
/// whole, so one point of each tells.
Result<Done> check_material(const Problem& problem, const State& state, const Arena& arena) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& wall = problem.bodies[i];
    if (!wall.fixed || !wall.collides || is_half_space(wall) || !(wall.shape->volume.volume > 0.0))
      continue;
    const Pose wall_from_world = state.bodies[i].world_from_body.inverse();
    const shape::MeshGap gap(*wall.shape, kInsideChord);
    shape::TessellateSettings coarse;
    coarse.chord_fraction = kHullChord;
    const shape::Tessellation mesh = shape::tessellate(*wall.shape, coarse);
    Vec3 low = mesh.points[0], high = low;
    for (const Vec3& p : mesh.points) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    for (const Mover& mover : arena.movers) {
      const Vec3 p = wall_from_world * point_of(mover, state.bodies[mover.body].world_from_body);
      const bool near = (p.array() > low.array() - mesh.chord_error).all() &&
                        (p.array() < high.array() + mesh.chord_error).all();
      if (!near || gap.at_most(p) > -kInsideDepth * mover.radius) continue;
      return refuse(
          mover.body, "/position",
          fmt::format("{} lies in the material of {}", problem.bodies[mover.body].name, wall.name),
          fmt::format("a place outside of it; or, if {} is meant to hold bodies, a shape "
                      "with a hollow or a mesh with \"open\": true (a closed mesh is "
                      "solid, whichever way its triangles turn)",
                      wall.name));
    }
  }
  return Done{};
}

/// True if a point of the ray lies in the polyhedron grown by `slack`; with a zero direction, if
/// the ray's origin does.
bool ray_meets(const shape::ConvexPolyhedron& hull, double slack, const Vec3& from,
               const Vec3& direction) {
  double enter = 0.0, leave = std::numeric_limits<double>::infinity();
  for (const auto& face : hull.faces) {
    const Vec3& a = hull.points[face[0]];
    Vec3 normal = Vec3::Zero();
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      normal += (hull.points[face[k]] - a).cross(hull.points[face[k + 1]] - a);
    normal.normalize();
    const double height = normal.dot(from - a) - slack, rate = normal.dot(direction);
    if (rate > 0.0)
      leave = std::min(leave, -height / rate);
    else if (rate < 0.0)
      enter = std::max(enter, -height / rate);
    else if (height > 0.0)
      return false;
    if (enter > leave) return false;
  }
  return true;
}

Result<Done> check_outside(const Problem& problem, const State& state, const Arena& arena) {
  std::vector<Vec3> points;
  double slack = 0.0;
  int first = -1;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& wall = problem.bodies[i];
    if (!wall.fixed || !wall.collides || wall.role != kContainer || is_half_space(wall)) continue;
    if (first < 0) first = static_cast<int>(i);
    shape::TessellateSettings coarse;
    coarse.chord_fraction = kHullChord;
    const shape::Tessellation mesh = shape::tessellate(*wall.shape, coarse);
    slack = std::max(slack, mesh.chord_error);
    for (const Vec3& p : mesh.points) points.push_back(state.bodies[i].world_from_body * p);
  }
  if (points.empty()) return Done{};
  const auto hull = shape::make_convex({points, {}});
  if (!hull)
    return refuse(first, "/shape", "the container is empty: it is flat and encloses nothing",
                  "walls around some room, or another role than \"container\"");
  const auto& polyhedron = std::get<shape::ConvexPolyhedron>((*hull)->geometry);
  const Placement at = placement_of(arena, state);
  for (std::size_t m = 0; m < arena.movers.size(); ++m) {
    const Vec3& force = arena.potentials.push[m];
    const Vec3 along = force.norm() > 0.0 ? Vec3(force.normalized()) : Vec3(Vec3::Zero());
    if (ray_meets(polyhedron, slack, at.centers[m], along)) continue;
    const int body = arena.movers[m].body;
    return refuse(
        body, "/position",
        fmt::format("{} at ({:.6g}, {:.6g}, {:.6g}) is outside of its container and does not fall "
                    "into it",
                    problem.bodies[body].name, at.centers[m].x(), at.centers[m].y(),
                    at.centers[m].z()),
        fmt::format("a place in or above the bodies of the role \"container\" ({}, ...)",
                    problem.bodies[first].name));
  }
  return Done{};
}

}  // namespace

Result<Done> check_container(const Problem& problem, const State& state, const Arena& arena) {
  for (const auto check : {check_half_spaces, check_material}) {
    auto done = check(problem, state, arena);
    if (!done) return done.error();
  }
  // later on bodies may have left over the rim
  if (state.step > 0) return Done{};
  return check_outside(problem, state, arena);
}

}  // namespace repose::pile
