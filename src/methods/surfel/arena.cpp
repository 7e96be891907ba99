#include "arena.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "repose/base/at.h"
#include "repose/base/fault.h"
#include "repose/shape/cover.h"
#include "repose/world/refuse.h"

#include "fit.h"
#include "loads.h"
#include "stable_step.h"
#include "surface.h"

namespace repose::surfel {

namespace {

/// Dashpots along lines in all directions act as a viscosity of 1/15 of their sum.
constexpr double kDashShare = 15.0;

/// What a material makes of the place of a phyxel; an error says what is wrong with it.
Result<Matter> matter_of(const Material& material, double mass) {
  const auto refuse = [&](const char* what, double value, std::string right) {
    return fault("", material.name, fmt::format("its material has the {} {:g}", what, value),
                 std::move(right));
  };
  const double e = material.young_modulus, nu = material.poisson_ratio;
  if (!(e > 0.0)) return refuse("young_modulus", e, "above 0 Pa");
  if (!(nu > -1.0 && nu < 0.5)) return refuse("poisson_ratio", nu, "above -1 and below 1/2");
  if (material.medium_density != 0.0)
    return refuse("medium_density", material.medium_density, "0: the medium drags by `drag` alone");
  Matter out;
  out.mu = e / (2.0 * (1.0 + nu));
  out.lambda = e * nu / ((1.0 + nu) * (1.0 - 2.0 * nu));
  out.volume = mass / material.density;
  out.drag = material.drag;
  out.yield = material.yield_strain;
  out.creep = material.creep;
  out.most_plastic = material.most_plastic;
  return out;
}

void add_ball(const Vec3& center, const Vec3& normal, double radius, std::size_t body,
              const std::vector<Carrier>& carriers, Arena& arena, Carrying& carrying) {
  arena.rest_center.push_back(center);
  arena.rest_normal.push_back(normal);
  arena.radius.push_back(radius);
  arena.ball_body.push_back(static_cast<int>(body));
  for (const Carrier& carrier : carriers) {
    carrying.phyxels.push_back(carrier.phyxel);
    carrying.weights.push_back(carrier.weight);
    carrying.slopes.push_back(carrier.slope);
  }
  carrying.first.push_back(static_cast<int>(carrying.phyxels.size()));
}

void add_phyxel(const Vec3& rest, double mass, bool fixed, const Matter& matter, std::size_t body,
                Arena& arena) {
  arena.rest.push_back(rest);
  arena.mass.push_back(mass);
  arena.inverse_mass.push_back(fixed ? 0.0 : 1.0 / mass);
  arena.matter.push_back(matter);
  arena.body_of.push_back(static_cast<int>(body));
}

/// A dashpot acts on the masses of its ends; between two that are fixed there is none.
void share_masses(std::size_t first, std::size_t last, Arena& arena) {
  for (std::size_t i = first; i < last; ++i)
    for (int k = arena.first_neighbour[i]; k < arena.first_neighbour[i + 1]; ++k) {
      Neighbour& n = arena.neighbours[at(k)];
      const double inverse = arena.inverse_mass[i] + arena.inverse_mass[at(n.j)];
      n.shared_mass = inverse > 0.0 ? 1.0 / inverse : 0.0;
      if (!(n.shared_mass > 0.0)) n.dash = 0.0;
    }
}

/// What an arena of before knows of a body with the same phyxels: places keep what carries them.
class Fitted {
 public:
  Fitted(const Arena* before, const std::vector<Vec3>& phyxels) {
    if (before == nullptr) return;
    for (std::size_t b = 0; b + 1 < before->first_phyxel.size() && before_ == nullptr; ++b) {
      const auto first = before->rest.begin() + before->first_phyxel[b];
      const auto last = before->rest.begin() + before->first_phyxel[b + 1];
      if (!std::equal(first, last, phyxels.begin(), phyxels.end())) continue;
      before_ = before;
      first_ = before->first_phyxel[b];
      for (int k = before->first_ball[b]; k < before->first_ball[b + 1]; ++k)
        balls_.emplace(key_of(before->rest_center[at(k)]), k);
    }
  }
  /// Counted within the body; empty where the place is none of a ball of before.
  std::vector<Carrier> carriers(const Vec3& place) const {
    std::vector<Carrier> out;
    const auto known = balls_.find(key_of(place));
    if (known == balls_.end()) return out;
    const Carriers all = before_->carrying(known->second);
    for (std::size_t k = 0; k < all.size(); ++k)
      out.push_back({all.phyxels[k] - first_, all.weights[k], all.slopes[k]});
    return out;
  }

 private:
  static std::array<double, 3> key_of(const Vec3& p) { return {p.x(), p.y(), p.z()}; }

  const Arena* before_ = nullptr;
  int first_ = 0;
  std::map<std::array<double, 3>, int> balls_;
};

Result<Done> add_soft(const Problem& problem, std::size_t b, const SurfelSettings& settings,
                      const Arena* before, Arena& arena, Carrying& carrying) {
  const Body& body = problem.bodies[b];
  const auto* points = std::get_if<shape::PointSet>(&body.shape->geometry);
  if (points == nullptr)
    return refuse_body(problem, b, "is no body of phyxels and surfels", "a sample or a point_set");
  const SoftBody& soft = *body.soft;
  const std::size_t first = arena.mass.size(), count = points->phyxels.size();
  for (std::size_t i = 0; i < count; ++i) {
    auto matter = matter_of(soft.material(i), soft.masses[i]);
    if (!matter) return refuse_body(problem, b, matter.error().wrong, matter.error().right);
    const bool fixed = body.fixed || (!soft.fixed.empty() && soft.fixed[i] != 0);
    add_phyxel(points->phyxels[i], soft.masses[i], fixed, *matter, b, arena);
    const bool lasts = matter->yield > 0.0 || soft.material(i).break_strain > 0.0;
    arena.plastic[b] = arena.plastic[b] || lasts;
  }
  int flat = -1;
  const auto fitted = fit_neighbours(points->phyxels, settings.neighbours, flat);
  if (!fitted)
    return refuse_body(
        problem, b, fmt::format("the neighbours of phyxel {} lie in a plane, or are too few", flat),
        "phyxels that fill a volume: a smaller phyxel_spacing");
  for (std::size_t i = 0; i < count; ++i) {
    const Matter& matter = arena.matter[first + i];
    for (Neighbour n : (*fitted)[i]) {
      const double stiffness = matter.mu * matter.volume * n.pull;
      n.j += static_cast<int>(first);
      n.pull = settings.affine_free * stiffness;
      n.dash = kDashShare * soft.material(i).damping * stiffness;
      arena.neighbours.push_back(n);
    }
    arena.first_neighbour.push_back(static_cast<int>(arena.neighbours.size()));
  }
  share_masses(first, first + count, arena);
  const shape::Cover cover = shape::cover_of(*points);
  const collide::NearestPoints grid(points->phyxels);
  const Fitted known(before, points->phyxels);
  for (std::size_t k = 0; k < cover.centers.size(); ++k) {
    std::vector<Carrier> carriers = known.carriers(cover.centers[k]);
    if (carriers.empty()) carriers = fit_carriers(points->phyxels, grid, cover.centers[k]);
    for (Carrier& carrier : carriers) carrier.phyxel += static_cast<int>(first);
    if (carriers.empty() || !carries_well(carriers))
      return refuse_body(problem, b, fmt::format("no phyxels carry the ball of surfel {}", k),
                         "phyxels nearer to the surface, or more of them");
    add_ball(cover.centers[k], points->normals[k], cover.radii[k], b, carriers, arena, carrying);
  }
  return Done{};
}

/// What gaps and steps are measured by.
void find_radii(Arena& arena) {
  const auto measure = [&](double radius) {
    arena.least_radius = arena.most_radius > 0.0 ? std::min(arena.least_radius, radius) : radius;
    arena.most_radius = std::max(arena.most_radius, radius);
  };
  for (const double r : arena.radius) measure(r);
  const double of_balls = arena.most_radius;
  for (const rigid::Rigid& solid : arena.solids)
    if (solid.is_free()) measure(solid.reach);
  if (of_balls > 0.0) arena.most_radius = of_balls;
}

}  // namespace

bool Arena::belong_together(int a, int b) const {
  if (ball_body[at(a)] != ball_body[at(b)]) return false;
  return !((rest_center[at(a)] - rest_center[at(b)]).norm() >
           shape::kNearAtRest * (radius[at(a)] + radius[at(b)]));
}

Result<Arena> prepare_arena(const Problem& problem, const SurfelSettings& settings,
                            const Arena* before) {
  Arena arena;
  arena.gravity = problem.gravity;
  arena.plastic.assign(problem.bodies.size(), false);
  arena.solid_of.assign(problem.bodies.size(), -1);
  arena.first_neighbour.push_back(0);
  auto carrying = std::make_shared<Carrying>();
  carrying->first.push_back(0);
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const Body& body = problem.bodies[b];
    arena.first_phyxel.push_back(arena.phyxels());
    arena.first_ball.push_back(arena.balls());
    arena.friction.push_back(body.material.friction);
    arena.collides.push_back(body.collides);
    if (body.soft != nullptr) {
      if (auto done = add_soft(problem, b, settings, before, arena, *carrying); !done)
        return done.error();
    } else if (body.collides || !body.held()) {
      arena.solid_of[b] = static_cast<int>(arena.solids.size());
      arena.solids.push_back(rigid::rigid_of(problem, b));
    }
  }
  arena.first_phyxel.push_back(arena.phyxels());
  arena.first_ball.push_back(arena.balls());
  arena.carried = std::move(carrying);
  find_radii(arena);
  arena.clusters = clusters_of(arena);
  arena.holder = holders_of(arena);
  arena.beside = beside_of(arena);
  auto loads = loads_of(problem, arena);
  if (!loads) return loads.error();
  arena.loads = std::move(*loads);
  arena.stable_step = stable_step_of(arena, settings.stress);
  return arena;
}

}  // namespace repose::surfel
