#include "arena.h"

#include <cmath>

#include <fmt/format.h>

#include "separations.h"

namespace repose::pile {
namespace {

/// Starts may touch: overlaps up to this fraction of the radius are rounding.
constexpr double kStartOverlap = 1e-9;
constexpr std::size_t kNamedOverlaps = 8;
/// Search cells of walls are this many radii wide.
constexpr double kWallCell = 2.0;

InputError refuse(const Body& body, std::string wrong, std::string right) {
  InputError error;
  error.pointer = "/bodies/" + body.name;
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

}  // namespace

Result<Arena> prepare_arena(const Problem& problem, const State& state) {
  Arena arena;
  arena.gravity = problem.gravity;
  arena.mover_of.assign(problem.bodies.size(), -1);
  double radii = 0.0, weights = 0.0;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    if (!body.collides && body.fixed) continue;
    if (body.fixed) {
      if (!arena.walls.add(*body.shape, state.bodies[i].world_from_body, static_cast<int>(i)))
        return refuse(body, "the pile method knows no wall made of a " + body.shape->kind,
                      "a half-space, ball, mesh, convex polyhedron or solid");
      continue;
    }
    const auto* ball = std::get_if<shape::Ball>(&body.shape->geometry);
    if (ball == nullptr)
      return refuse(body, "the pile method moves balls; this body is a " + body.shape->kind,
                    "a ball, or a fixed body");
    if (!(body.mass > 0.0)) return refuse(body, "no mass", "a mass above zero");
    Mover mover;
    mover.body = static_cast<int>(i);
    mover.radius = ball->radius;
    mover.mass = body.mass;
    mover.weight = body.mass * problem.gravity.norm();
    for (int axis = 0; axis < 3; ++axis) mover.held[axis] = body.frozen[axis];
    arena.mover_of[i] = static_cast<int>(arena.movers.size());
    arena.movers.push_back(mover);
    radii += mover.radius;
    weights += mover.weight;
  }
  if (arena.movers.empty()) {
    InputError error;
    error.pointer = "/bodies";
    error.wrong = "nothing can move";
    error.right = "at least one body that is not fixed";
    return error;
  }
  const double count = static_cast<double>(arena.movers.size());
  arena.length_unit = radii / count;
  std::vector<double> radius;
  for (const Mover& m : arena.movers) radius.push_back(m.radius);
  auto potentials = read_potentials(problem, state, arena.mover_of, radius);
  if (!potentials) return potentials.error();
  arena.potentials = std::move(potentials).value();
  double pulls = weights;
  if (!(weights > 0.0))
    for (const Vec3& f : forces_of(arena.potentials, centers_of(arena, state))) pulls += f.norm();
  arena.force_unit = pulls > 0.0 ? pulls / count : 1.0;
  arena.walls.finish(kWallCell * arena.length_unit);
  return arena;
}

std::vector<Vec3> centers_of(const Arena& arena, const State& state) {
  std::vector<Vec3> out;
  for (const Mover& m : arena.movers) out.push_back(state.bodies[m.body].world_from_body.position);
  return out;
}

Result<Done> check_start(const Problem& problem, const State& state, const Arena& arena) {
  const std::vector<Vec3> centers = centers_of(arena, state);
  const std::vector<double> reach(centers.size(), 0.0);
  std::string named;
  std::size_t overlaps = 0;
  for (const Separation& s : find_separations(arena, centers, reach)) {
    const Mover& mover = arena.movers[s.b];
    if (s.gap >= -kStartOverlap * mover.radius) continue;
    if (++overlaps > kNamedOverlaps) continue;
    const int other = s.a >= 0 ? arena.movers[s.a].body : s.wall_body;
    named += fmt::format("{}{} and {} by {:.3g} m", named.empty() ? "" : ", ",
                         problem.bodies[other].name, problem.bodies[mover.body].name, -s.gap);
  }
  if (overlaps == 0) return Done{};
  InputError error;
  error.pointer = "/bodies";
  error.wrong = fmt::format("{} overlaps at the start: {}{}", overlaps, named,
                            overlaps > kNamedOverlaps ? ", ..." : "");
  error.right = "a start in which no two bodies overlap";
  return error;
}

}  // namespace repose::pile
