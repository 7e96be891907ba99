#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "repose/base/at.h"
#include "repose/base/fault.h"
#include "repose/world/refuse.h"

#include "arena.h"
#include "skin.h"
#include "stable_step.h"
#include "stiffness.h"

namespace repose::molecule {

namespace {

/// Drag of a ball in a medium: half its density, its section and this number.
constexpr double kBallDrag = 0.47;

/// What the springs cannot do is refused, not left out.
Result<Done> check_material(const Problem& problem, std::size_t b, const Material& material) {
  const Material plain;
  if (material.poisson_ratio != plain.poisson_ratio)
    return refuse_body(problem, b,
                       fmt::format("its material '{}' has a poisson_ratio of {:g}, which central "
                                   "springs cannot have",
                                   material.name, material.poisson_ratio),
                       fmt::format("{:g}, or none", plain.poisson_ratio));
  if (material.yield_strain != 0.0 || material.creep != 0.0 || material.most_plastic != 0.0 ||
      material.break_strain != 0.0)
    return refuse_body(problem, b,
                       fmt::format("its material '{}' flows or breaks, which springs here never do",
                                   material.name),
                       "no yield_strain, creep, most_plastic and break_strain");
  return Done{};
}

Result<Done> add_points(const Problem& problem, const State& state, std::size_t b, Arena& arena) {
  const Body& body = problem.bodies[b];
  const SoftBody& soft = *body.soft;
  const SoftState& now = state.bodies[b].soft;
  for (const Material& material : soft.materials)
    if (auto done = check_material(problem, b, material); !done) return done;
  for (std::size_t i = 0; i < soft.size(); ++i) {
    const Material& material = soft.material(i);
    const double radius = now.radii[i];
    if (!(radius > 0.0))
      return refuse_body(problem, b, fmt::format("molecule {} has no radius", i), "above 0 m");
    if (!(soft.masses[i] > 0.0))
      return refuse_body(problem, b, fmt::format("molecule {} has no mass", i), "above 0 kg");
    const bool fixed = body.fixed || (!soft.fixed.empty() && soft.fixed[i] != 0);
    arena.mass.push_back(soft.masses[i]);
    arena.inverse_mass.push_back(fixed ? 0.0 : 1.0 / soft.masses[i]);
    arena.radius.push_back(radius);
    arena.friction.push_back(material.friction);
    arena.modulus.push_back(material.young_modulus);
    arena.drag.push_back(material.drag);
    arena.square_drag.push_back(0.5 * material.medium_density * kBallDrag * std::numbers::pi *
                                radius * radius);
    arena.body_of.push_back(static_cast<int>(b));
  }
  return Done{};
}

Result<Done> add_springs(const Problem& problem, std::size_t b, Arena& arena) {
  const Body& body = problem.bodies[b];
  const SoftBody& soft = *body.soft;
  const auto* set = std::get_if<shape::SphereSet>(&body.shape->geometry);
  if (set == nullptr || set->centers.size() != soft.size())
    return refuse_body(problem, b, "is no body of molecules", "sphere_set, lattice or fill");
  Body3 rest{set->centers, soft.links, {}, soft.pitch, soft.lattice, body.shape->volume.volume};
  for (std::size_t i = 0; i < soft.size(); ++i) {
    rest.moduli.push_back(soft.material(i).young_modulus);
    if (!soft.links.empty() && !(rest.moduli.back() > 0.0))
      return refuse_body(
          problem, b, fmt::format("its material '{}' has no young_modulus", soft.material(i).name),
          "above 0 Pa");
  }
  arena.rest.insert(arena.rest.end(), set->centers.begin(), set->centers.end());
  const Stiffness stiffness = stiffness_of(rest);
  arena.stiffness_error = std::max(arena.stiffness_error, stiffness.error);
  const int first = arena.first_point[b];
  for (std::size_t l = 0; l < soft.links.size(); ++l) {
    const auto [p, q] = soft.links[l];
    const double length = (set->centers[at(q)] - set->centers[at(p)]).norm();
    if (!(length > 0.0))
      return refuse_body(problem, b, fmt::format("molecules {} and {} are in one place", p, q),
                         "places of their own");
    const double k = stiffness.values[l];
    const double damping = 0.5 * k * (soft.material(at(p)).damping + soft.material(at(q)).damping);
    arena.springs.push_back({first + p, first + q, k, length, damping, 0.0});
  }
  return Done{};
}

void add_skin(const Problem& problem, std::size_t b, Arena& arena) {
  const SoftBody& soft = *problem.bodies[b].soft;
  const int first = arena.first_point[b];
  arena.surface[b] = skin_of(soft.lattice);
  for (auto& triangle : arena.surface[b])
    for (int& corner : triangle) corner += first;
}

/// Nothing holds single freedoms of a body.
Result<Done> check_frozen(const Problem& problem, std::size_t b) {
  const auto& frozen = problem.bodies[b].frozen;
  if (problem.bodies[b].held() || std::find(frozen.begin(), frozen.end(), true) == frozen.end())
    return Done{};
  return refuse_body(problem, b, "has frozen freedoms", "fixed molecules, or none frozen");
}

}  // namespace

Result<Arena> prepare_arena(const Problem& problem, const State& state) {
  Arena arena;
  arena.gravity = problem.gravity;
  arena.rigid_of.assign(problem.bodies.size(), -1);
  arena.surface.resize(problem.bodies.size());
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const Body& body = problem.bodies[b];
    arena.first_point.push_back(arena.size());
    arena.collides.push_back(body.collides);
    if (auto done = check_frozen(problem, b); !done) return done.error();
    if (body.soft != nullptr) {
      if (auto done = add_points(problem, state, b, arena); !done) return done.error();
      if (auto done = add_springs(problem, b, arena); !done) return done.error();
      add_skin(problem, b, arena);
    } else if (body.collides || !body.held()) {
      arena.rigid_of[b] = static_cast<int>(arena.rigids.size());
      arena.rigids.push_back(rigid::rigid_of(problem, b));
    }
  }
  arena.first_point.push_back(arena.size());
  connect(arena);
  find_corners(arena);
  arena.stable_step = stable_step_of(arena);
  const auto measure = [&](double radius) {
    arena.least_radius = arena.most_radius > 0.0 ? std::min(arena.least_radius, radius) : radius;
    arena.most_radius = std::max(arena.most_radius, radius);
  };
  for (const double radius : arena.radius) measure(radius);
  for (const Rigid& rigid : arena.rigids)
    if (rigid.ball_radius > 0.0 && rigid.moves()) measure(rigid.ball_radius);
  // among solids alone their own sizes are what counts
  const bool alone = !(arena.most_radius > 0.0);
  for (const Rigid& rigid : arena.rigids)
    if (alone && rigid.inverse_mass > 0.0) measure(rigid.reach);
  return arena;
}

}  // namespace repose::molecule
