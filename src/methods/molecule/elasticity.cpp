#include "elasticity.h"

#include <algorithm>
#include <cmath>

#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"

namespace repose::molecule {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Runs body(block) for every block, side by side where there are several.
template <class Body>
void for_blocks(const Arena& arena, const Body& body) {
  const std::size_t count = arena.blocks.size();
  if (count == 1) return body(0);
  tbb::parallel_for(std::size_t{0}, count, body);
}

/// Adds pull(spring, index) to end a and takes it from end b of every spring.
template <class Pull>
void add_pairwise(const Arena& arena, std::vector<Vec3>& sum, const Pull& pull) {
  sum.assign(arena.mass.size(), Vec3::Zero());
  std::vector<Vec3> across(at(arena.crossings));
  for_blocks(arena, [&](std::size_t b) {
    const Block& block = arena.blocks[b];
    for (int s = block.first_spring; s < block.last_spring; ++s) {
      const Spring& spring = arena.springs[at(s)];
      const Vec3 force = pull(spring, s, b);
      sum[at(spring.a)] += force;
      if (arena.crossing[at(s)] < 0)
        sum[at(spring.b)] -= force;
      else
        across[at(arena.crossing[at(s)])] = force;
    }
  });
  if (arena.crossings == 0) return;
  for_blocks(arena, [&](std::size_t b) {
    for (const auto& [place, point] : arena.blocks[b].incoming) sum[at(point)] -= across[at(place)];
  });
}

}  // namespace

std::vector<Vec3> spring_forces(const Arena& arena, const std::vector<Vec3>& x) {
  std::vector<Vec3> out;
  add_pairwise(arena, out, [&](const Spring& spring, int, std::size_t) -> Vec3 {
    const Vec3 way = x[at(spring.b)] - x[at(spring.a)];
    const double length = way.norm();
    return (spring.stiffness * (length - spring.length) / length) * way;
  });
  return out;
}

double spring_energy(const Arena& arena, const std::vector<Vec3>& x) {
  double out = 0.0;
  for (const Spring& spring : arena.springs) {
    const double stretch = (x[at(spring.b)] - x[at(spring.a)]).norm() - spring.length;
    out += 0.5 * spring.stiffness * stretch * stretch;
  }
  return out;
}

double damping_mass(const Spring& spring, double h) {
  if (!(spring.shared_mass > 0.0) || spring.damping == 0.0) return 0.0;
  return -spring.shared_mass * std::expm1(-spring.damping * h / spring.shared_mass);
}

bool is_much_damped(const Arena& arena, double h) {
  return std::any_of(arena.springs.begin(), arena.springs.end(), [h](const Spring& spring) {
    return damping_mass(spring, h) > 0.5 * spring.shared_mass;
  });
}

void damping_impulses(const Arena& arena, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                      const std::vector<double>& damping_masses, std::vector<Vec3>& impulses) {
  const StageScope timed("springs");
  add_pairwise(arena, impulses, [&](const Spring& spring, int s, std::size_t) -> Vec3 {
    const Vec3 way = x[at(spring.b)] - x[at(spring.a)];
    const double approach = (v[at(spring.b)] - v[at(spring.a)]).dot(way);
    return (damping_masses[at(s)] * approach / way.squaredNorm()) * way;
  });
}

void spring_impulses(const Arena& arena, const std::vector<Vec3>& x, const std::vector<Vec3>& v,
                     const std::vector<double>& damping_masses, double h, double least_share,
                     std::vector<Vec3>& impulses, std::vector<int>& pressed) {
  const StageScope timed("springs");
  std::vector<std::vector<int>> found(arena.blocks.size());
  add_pairwise(arena, impulses, [&](const Spring& spring, int s, std::size_t block) -> Vec3 {
    const Vec3 way = x[at(spring.b)] - x[at(spring.a)];
    const double length = way.norm();
    const double inverse = 1.0 / length;
    const double approach = (v[at(spring.b)] - v[at(spring.a)]).dot(way) * inverse;
    const double pull = h * (spring.stiffness * (length - spring.length));
    if (length < least_share * spring.length) found[block].push_back(s);
    return ((pull + damping_masses[at(s)] * approach) * inverse) * way;
  });
  pressed.clear();
  for (const std::vector<int>& some : found)
    pressed.insert(pressed.end(), some.begin(), some.end());
}

}  // namespace repose::molecule
