#include "elasticity.h"

#include <algorithm>
#include <cmath>

#include <tbb/parallel_for.h>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

namespace repose::molecule {

namespace {

/// Runs body(block) for every block, side by side where there are several.
template <class Body>
void for_blocks(const Arena& arena, const Body& body) {
  const std::size_t count = arena.blocks.size();
  if (count == 1) return body(0);
  tbb::parallel_for(std::size_t{0}, count, body);
}

/// Adds pull(ends, index, block) to end a and takes it from end b of every spring; then calls
/// take(point) for every point, whose sum is known by then. Each block zeroes, sums and takes its
/// own points, so that they are near at hand.
template <class Pull, class Take>
void add_pairwise(const Arena& arena, SpringSpace& space, const Pull& pull, const Take& take) {
  std::vector<Vec3>& sum = space.impulses;
  sum.resize(arena.mass.size());
  space.across.resize(at(arena.crossings));
  for_blocks(arena, [&](std::size_t b) {
    const Block& block = arena.blocks[b];
    std::fill(sum.begin() + block.first, sum.begin() + block.last, Vec3::Zero());
    // springs are sorted by end a, whose sum stays at hand meanwhile: end b is another point
    int first_end = -1;
    Vec3 own = Vec3::Zero();
    for (int s = block.first_spring; s < block.last_spring; ++s) {
      const Ends& ends = arena.ends[at(s)];
      if (ends.a != first_end) {
        if (first_end >= 0) sum[at(first_end)] = own;
        first_end = ends.a;
        own = sum[at(first_end)];
      }
      const Vec3 force = pull(ends, at(s), b);
      own += force;
      if (ends.crossing < 0)
        sum[at(ends.b)] -= force;
      else
        space.across[at(ends.crossing)] = force;
    }
    if (first_end >= 0) sum[at(first_end)] = own;
  });
  for_blocks(arena, [&](std::size_t b) {
    const Block& block = arena.blocks[b];
    for (const auto& [place, point] : block.incoming) sum[at(point)] -= space.across[at(place)];
    for (int i = block.first; i < block.last; ++i) take(at(i));
  });
}

}  // namespace

std::vector<Vec3> spring_forces(const Arena& arena, const std::vector<Vec3>& x) {
  SpringSpace space;
  add_pairwise(
      arena, space,
      [&](const Ends& ends, std::size_t s, std::size_t) -> Vec3 {
        const Vec3 way = x[at(ends.b)] - x[at(ends.a)];
        const double length = way.norm();
        return (arena.stiffness[s] * (length - arena.rest_length[s]) / length) * way;
      },
      [](std::size_t) {});
  return std::move(space.impulses);
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

void damp(const Arena& arena, const std::vector<Vec3>& x, const std::vector<double>& damping_masses,
          SpringSpace& space, std::vector<Vec3>& v) {
  const StageScope timed("springs");
  add_pairwise(
      arena, space,
      [&](const Ends& ends, std::size_t s, std::size_t) -> Vec3 {
        const Vec3 way = x[at(ends.b)] - x[at(ends.a)];
        const double approach = (v[at(ends.b)] - v[at(ends.a)]).dot(way);
        return (damping_masses[s] * approach / way.squaredNorm()) * way;
      },
      [&](std::size_t i) { v[i] += arena.inverse_mass[i] * space.impulses[i]; });
}

void pull_by_springs(const Arena& arena, const std::vector<Vec3>& x,
                     const std::vector<double>& damping_masses, double h, double least_share,
                     SpringSpace& space, std::vector<Vec3>& v, std::vector<int>& pressed) {
  const StageScope timed("springs");
  std::vector<std::vector<int>> found(arena.blocks.size());
  const Vec3 falls = h * arena.gravity;
  add_pairwise(
      arena, space,
      [&](const Ends& ends, std::size_t s, std::size_t block) -> Vec3 {
        const Vec3 way = x[at(ends.b)] - x[at(ends.a)];
        const double length = way.norm();
        const double inverse = 1.0 / length;
        const double approach = (v[at(ends.b)] - v[at(ends.a)]).dot(way) * inverse;
        const double pull = h * (arena.stiffness[s] * (length - arena.rest_length[s]));
        if (length < least_share * arena.rest_length[s])
          found[block].push_back(static_cast<int>(s));
        return ((pull + damping_masses[s] * approach) * inverse) * way;
      },
      [&](std::size_t i) {
        if (arena.inverse_mass[i] != 0.0) v[i] += arena.inverse_mass[i] * space.impulses[i] + falls;
      });
  pressed.clear();
  for (const std::vector<int>& some : found)
    pressed.insert(pressed.end(), some.begin(), some.end());
}

}  // namespace repose::molecule
