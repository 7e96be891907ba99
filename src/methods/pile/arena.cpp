#include "arena.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/world/check_problem.h"

#include "separations.h"

namespace repose::pile {
namespace {

/// Starts may touch: overlaps up to this fraction of the radius are rounding.
constexpr double kStartOverlap = 1e-9;
constexpr std::size_t kNamedOverlaps = 8;

InputError refuse(const Body& body, std::string wrong, std::string right) {
  return fault(fmt::format("/bodies/{}/shape", body.id.index), "", std::move(wrong),
               std::move(right));
}

/// A body as the method moves it; which body and variables are for the caller to say.
Result<Mover> make_mover(const Body& body) {
  Mover mover;
  mover.mass = body.mass;
  mover.center_body = body.center_body;
  for (std::size_t axis = 0; axis < mover.held.size(); ++axis) mover.held[axis] = body.frozen[axis];
  mover.pieces = convex_pieces(*body.shape);
  if (mover.pieces.empty())
    return refuse(
        body, "the pile method cannot move a " + name_of(body.shape->kind),
        "a solid whose surface bends within bounds, a convex polyhedron, a mesh or a fixed body");
  mover.tree = grow_tree(mover.pieces);
  mover.ball = std::holds_alternative<shape::Ball>(body.shape->geometry);
  mover.turns = !mover.ball && !(body.frozen[3] && body.frozen[4] && body.frozen[5]);
  mover.radius = mover.ball ? mover.pieces[0].radius
                            : body.shape->bounding_radius +
                                  (body.shape->bounding_center - body.center_body).norm();
  return mover;
}

}  // namespace

Result<Arena> prepare_arena(const Problem& problem, const State& state) {
  if (auto done = check_problem(problem); !done) return done.error();
  Arena arena;
  arena.gravity = problem.gravity;
  arena.mover_of.assign(problem.bodies.size(), -1);
  double radii = 0.0, weights = 0.0;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
    const Body& body = problem.bodies[i];
    arena.friction.push_back(body.material.friction);
    if (!body.collides && body.fixed) continue;
    if (body.fixed) {
      if (!arena.walls.add(*body.shape, state.bodies[i].world_from_body, static_cast<int>(i)))
        return refuse(body, "the pile method knows no wall made of a " + name_of(body.shape->kind),
                      "a half-space, ball, mesh, convex polyhedron or solid");
      continue;
    }
    auto made = make_mover(body);
    if (!made) return made.error();
    Mover mover = std::move(made).value();
    mover.body = static_cast<int>(i);
    mover.first =
        arena.movers.empty() ? 0 : arena.movers.back().first + arena.movers.back().variables();
    arena.mover_of[i] = static_cast<int>(arena.movers.size());
    arena.movers.push_back(mover);
    radii += mover.radius;
    weights += mover.mass * problem.gravity.norm();
  }
  if (arena.movers.empty()) {
    return fault("/bodies", "", "nothing can move", "at least one body that is not fixed");
  }
  for (const Mover& m : arena.movers) {
    arena.all_balls = arena.all_balls && m.ball;
    arena.variables += m.variables();
  }
  const double count = static_cast<double>(arena.movers.size());
  arena.length_unit = radii / count;
  std::vector<double> radius;
  for (const Mover& m : arena.movers) radius.push_back(m.radius);
  arena.potentials = read_potentials(problem, state, arena.mover_of, radius);
  double pulls = weights;
  if (!(weights > 0.0))
    for (const Vec3& f : forces_of(arena.potentials, placement_of(arena, state).centers))
      pulls += f.norm();
  arena.force_unit = pulls > 0.0 ? pulls / count : 1.0;
  int unbound = -1;
  if (!arena.walls.finish(arena.length_unit, unbound))
    return refuse(problem.bodies[unbound], "nothing bounds how far the surface bends",
                  "a smooth surface, or a mesh");
  // half-spaces do not hold on to a curved wall: such piles step as those of bodies that turn
  arena.all_balls = arena.all_balls && !arena.walls.curved();
  arena.cells = arena.walls.curved();
  for (const Mover& m : arena.movers)
    arena.cells = arena.cells || std::any_of(m.pieces.begin(), m.pieces.end(),
                                             [](const Convex& p) { return p.cell != nullptr; });
  return arena;
}

Placement placement_of(const Arena& arena, const State& state) {
  Placement out;
  for (const Mover& m : arena.movers) {
    out.poses.push_back(state.bodies[m.body].world_from_body);
    out.centers.push_back(m.ball ? out.poses.back().position : out.poses.back() * m.center_body);
  }
  return out;
}

Result<Done> check_start(const Problem& problem, const State& state, const Arena& arena,
                         bool repaired) {
  const Placement at = placement_of(arena, state);
  const std::vector<double> travel(at.centers.size(), 0.0);
  // of each two bodies the deepest
  std::vector<Separation> overlaps;
  for (const Separation& s : find_separations(arena, at, travel)) {
    if (s.gap >= -kStartOverlap * arena.movers[s.b].radius) continue;
    const auto same = std::find_if(overlaps.begin(), overlaps.end(), [&s](const Separation& t) {
      return t.a == s.a && t.b == s.b && t.wall_body == s.wall_body;
    });
    if (same == overlaps.end())
      overlaps.push_back(s);
    else
      same->gap = std::min(same->gap, s.gap);
  }
  if (overlaps.empty()) return Done{};
  const int first = arena.movers[overlaps[0].b].body;
  std::string named;
  for (std::size_t k = 0; k < std::min(overlaps.size(), kNamedOverlaps); ++k) {
    const Separation& s = overlaps[k];
    const int other = s.a >= 0 ? arena.movers[s.a].body : s.wall_body;
    named += fmt::format("{}{} and {}", named.empty() ? "" : ", ", problem.bodies[other].name,
                         problem.bodies[arena.movers[s.b].body].name);
    if (std::isfinite(s.gap)) named += fmt::format(" by {:.3g} m", -s.gap);
  }
  InputError error;
  error.pointer = fmt::format("/bodies/{}/position", first);
  error.wrong = fmt::format(
      "bodies overlap at the start: {}{}", named,
      overlaps.size() > kNamedOverlaps ? fmt::format(" ({} pairs)", overlaps.size()) : "");
  error.right = repaired ? "a start nearer to one without overlap: repair_start could not part them"
                         : "places without overlap, or \"repair_start\": true in \"method\" (--set "
                           "pile.repair_start=true), which moves them apart";
  return error;
}

}  // namespace repose::pile
