#include <cmath>

#include "repose/base/at.h"

#include "elasticity.h"
#include "parts.h"
#include "step.h"

namespace repose::molecule {

namespace {

/// Springs shorter than their least length times this get a row.
constexpr double kPressed = 1.5;

void pull(const Stage& stage, double time, double h, Motion& motion) {
  const Arena& arena = stage.arena;
  for (const Force& force : stage.problem.forces) {
    if (force.kind != ForceKind::pull && force.kind != ForceKind::push) continue;
    const int body = stage.problem.find_body(force.body_a);
    if (body < 0) continue;
    const Vec3 now = force.kind == ForceKind::pull ? pull_at(force, time) : force.vector;
    if (const int r = arena.rigid_of[at(body)]; r >= 0) {
      RigidMotion& rigid = motion.rigids[at(r)];
      rigid.push(arena.rigids[at(r)].inverse_mass, rigid.world_from_body * force.point_a, h * now);
      continue;
    }
    const int first = arena.first_point[at(body)], last = arena.first_point[at(body) + 1];
    const auto add = [&](int i, const Vec3& share) {
      motion.v[at(i)] += (h * arena.inverse_mass[at(i)]) * share;
    };
    for (const int point : force.points) add(first + point, now);
    // without points it acts on the whole body, on every molecule by its mass
    if (!force.points.empty()) continue;
    double mass = 0.0;
    for (int i = first; i < last; ++i) mass += arena.mass[at(i)];
    for (int i = first; i < last; ++i) add(i, (arena.mass[at(i)] / mass) * now);
  }
}

/// The medium takes a share of the speed, in closed form for the step.
double share_left(const Arena& arena, std::size_t i, double speed, double h) {
  double out = 1.0;
  if (arena.drag[i] > 0.0) out *= std::exp(-arena.drag[i] * h);
  if (arena.square_drag[i] > 0.0)
    out /= 1.0 + h * arena.square_drag[i] * arena.inverse_mass[i] * speed;
  return out;
}

/// Of the one go, or of each of the two goes of half a step.
const std::vector<double>& damping_masses(const Arena& arena, double h, StepCache& cache) {
  if (cache.damping_h == h && cache.damping_masses.size() == arena.springs.size())
    return cache.damping_masses;
  cache.damping_h = h;
  cache.damped_twice = is_much_damped(arena, h);
  cache.damping_masses.resize(arena.springs.size());
  for (std::size_t s = 0; s < arena.springs.size(); ++s)
    cache.damping_masses[s] = damping_mass(arena.springs[s], cache.damped_twice ? 0.5 * h : h);
  return cache.damping_masses;
}

}  // namespace

void StepCache::clear() {
  search.clear();
  damping_h = stable_h = 0.0;
  damping_masses.clear();
}

void push_freely(const Stage& stage, double time, double h, Motion& motion,
                 std::vector<int>& pressed) {
  const Arena& arena = stage.arena;
  // drags take from the speed there is: forces that balance are left as they are
  for (std::size_t i = 0; i < motion.v.size(); ++i)
    if (arena.drag[i] > 0.0 || arena.square_drag[i] > 0.0)
      motion.v[i] *= share_left(arena, i, motion.v[i].norm(), h);
  const std::vector<double>& masses = damping_masses(arena, h, stage.cache);
  SpringSpace& space = stage.cache.springs;
  if (stage.cache.damped_twice) damp(arena, motion.x, masses, space, motion.v);
  pull_by_springs(arena, motion.x, masses, h, kPressed * stage.settings.least_length, space,
                  motion.v, pressed);
  for (std::size_t r = 0; r < arena.rigids.size(); ++r)
    if (arena.rigids[r].inverse_mass > 0.0) motion.rigids[r].velocity += h * arena.gravity;
  pull(stage, time, h, motion);
  for (std::size_t r = 0; r < arena.rigids.size(); ++r)
    lead(arena.rigids[r], time, h, motion.rigids[r]);
}

void advance(const Arena& arena, double time, double h, Motion& motion) {
  for_parts(0, motion.x.size(), [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if (arena.inverse_mass[i] > 0.0) motion.x[i] += h * motion.v[i];
  });
  for (std::size_t r = 0; r < arena.rigids.size(); ++r)
    advance(arena.rigids[r], time, h, motion.rigids[r]);
}

}  // namespace repose::molecule
