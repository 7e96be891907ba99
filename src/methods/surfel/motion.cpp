#include "motion.h"

#include <cmath>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "elasticity.h"
#include "padded.h"

namespace repose::surfel {

namespace {

std::vector<double> plastic_data(const Motion& motion, int first, int last) {
  std::vector<double> out(kPlasticNumbers * at(last - first), 0.0);
  for (int i = first; i < last; ++i) put_plastic(motion.plastic[at(i)], at(i - first), out);
  return out;
}

/// Appends what the balls from `ball` to `last` make of the phyxels of their body, whose first has
/// the index `first` in the arena.
void follow(const Carrying& carrying, int ball, int last, int first, std::vector<Vec3>& values) {
  std::vector<Vec4> padded;
  pad(values, padded);
  for (; ball < last; ++ball) {
    const Carriers carriers = carrying.of(ball);
    Vec4 sum = Vec4::Zero();
    for (std::size_t k = 0; k < carriers.size(); ++k)
      sum += carriers.weights[k] * padded[at(carriers.phyxels[k] - first)];
    values.emplace_back(sum.head<3>());
  }
}

SharedArray<Vec3> with_balls(const Arena& arena, const std::vector<Vec3>& values, std::size_t b) {
  const int first = arena.first_phyxel[b], last = arena.first_phyxel[b + 1];
  const int ball = arena.first_ball[b], last_ball = arena.first_ball[b + 1];
  return SharedArray<Vec3>::later(
      {values.begin() + first, values.begin() + last}, at(last - first + last_ball - ball),
      [carrying = arena.carried, ball, last_ball, first](std::vector<Vec3>& out) {
        follow(*carrying, ball, last_ball, first, out);
      });
}

}  // namespace

Mat3 plastic_of(const SoftState& soft, std::size_t point) {
  if (soft.data.size() != kPlasticNumbers * soft.size()) return Mat3::Identity();
  const auto data = soft.data.first();
  Mat3 out;
  for (std::size_t k = 0; k < kPlasticNumbers; ++k)
    out(static_cast<int>(k % 3), static_cast<int>(k / 3)) = data[kPlasticNumbers * point + k];
  return out;
}

void put_plastic(const Mat3& plastic, std::size_t point, std::vector<double>& data) {
  for (std::size_t k = 0; k < kPlasticNumbers; ++k)
    data[kPlasticNumbers * point + k] = plastic(static_cast<int>(k % 3), static_cast<int>(k / 3));
}

Motion read_motion(const Arena& arena, const State& state) {
  Motion out;
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const BodyState& body = state.bodies[b];
    const int count = arena.first_phyxel[b + 1] - arena.first_phyxel[b];
    const auto x = body.soft.positions.first(), v = body.soft.velocities.first();
    for (std::size_t i = 0; i < at(count); ++i) {
      out.x.push_back(x[i]);
      out.v.push_back(v[i]);
      out.plastic.push_back(plastic_of(body.soft, i));
    }
  }
  for (std::size_t i = 0; i < out.v.size(); ++i)
    if (arena.inverse_mass[i] == 0.0) out.v[i].setZero();
  for (const rigid::Rigid& solid : arena.solids)
    out.solids.push_back(rigid::motion_of(solid, state.bodies[at(solid.body)]));
  return out;
}

void write_motion(const Arena& arena, const Motion& motion, State& state) {
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const int first = arena.first_phyxel[b], last = arena.first_phyxel[b + 1];
    BodyState& body = state.bodies[b];
    if (first == last) continue;
    body.soft.positions = with_balls(arena, motion.x, b);
    body.soft.velocities = with_balls(arena, motion.v, b);
    const std::size_t numbers = kPlasticNumbers * body.soft.size();
    if (arena.plastic[b])
      body.soft.data =
          SharedArray<double>::later(plastic_data(motion, first, last), numbers,
                                     [numbers](auto& values) { values.resize(numbers, 0.0); });
  }
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    rigid::write(arena.solids[s], motion.solids[s], state.bodies[at(arena.solids[s].body)]);
}

Vec3 at_ball(const Arena& arena, const std::vector<Vec3>& values, int ball) {
  const Carriers carriers = arena.carrying(ball);
  Vec3 out = Vec3::Zero();
  for (std::size_t k = 0; k < carriers.size(); ++k)
    out += carriers.weights[k] * values[at(carriers.phyxels[k])];
  return out;
}

Vec3 at_ball(const Arena& arena, const std::vector<Vec4>& values, int ball) {
  const Carriers carriers = arena.carrying(ball);
  Vec4 out = Vec4::Zero();
  for (std::size_t k = 0; k < carriers.size(); ++k)
    out += carriers.weights[k] * values[at(carriers.phyxels[k])];
  return out.head<3>();
}

std::vector<Vec3> at_balls(const Arena& arena, const std::vector<Vec3>& values) {
  std::vector<Vec3> out = values;
  follow(*arena.carried, 0, arena.balls(), 0, out);
  out.erase(out.begin(), out.begin() + arena.phyxels());
  return out;
}

double kinetic_energy(const Arena& arena, const Motion& motion) {
  double out = 0.0;
  for (std::size_t i = 0; i < motion.v.size(); ++i)
    if (arena.inverse_mass[i] > 0.0) out += 0.5 * arena.mass[i] * motion.v[i].squaredNorm();
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    if (arena.solids[s].is_free()) out += kinetic_energy(arena.solids[s], motion.solids[s]);
  return out;
}

double gravity_energy(const Arena& arena, const Motion& motion) {
  double out = 0.0;
  for (std::size_t i = 0; i < motion.x.size(); ++i)
    if (arena.inverse_mass[i] > 0.0) out -= arena.mass[i] * arena.gravity.dot(motion.x[i]);
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    if (arena.solids[s].is_free())
      out -= arena.gravity.dot(motion.solids[s].center) / arena.solids[s].inverse_mass;
  return out;
}

void push_freely(const Arena& arena, const Problem& problem, const std::vector<Vec3>& forces,
                 double time, double h, Motion& motion) {
  const StageScope timed("push_freely");
  // what takes speed acts on the speed there is, not on what forces would make of it before
  // contacts answer them: so what is in balance stays so
  damp(arena, h, motion);
  for (std::size_t i = 0; i < motion.v.size(); ++i) {
    if (arena.inverse_mass[i] == 0.0) continue;
    if (arena.matter[i].drag > 0.0) motion.v[i] *= std::exp(-arena.matter[i].drag * h);
    motion.v[i] += h * (arena.gravity + arena.inverse_mass[i] * forces[i]);
  }
  for (const Load& load : arena.loads) {
    const Force& force = problem.forces[at(load.force)];
    const Vec3 now = force.kind == ForceKind::push ? force.vector : pull_at(force, time + 0.5 * h);
    if (load.solid >= 0) {
      rigid::RigidMotion& solid = motion.solids[at(load.solid)];
      solid.push(arena.solids[at(load.solid)].inverse_mass, solid.world_from_body * force.point_a,
                 h * now);
    }
    for (const Carrier& carrier : load.carriers)
      motion.v[at(carrier.phyxel)] +=
          (h * carrier.weight * arena.inverse_mass[at(carrier.phyxel)]) * now;
  }
  for (std::size_t s = 0; s < arena.solids.size(); ++s) {
    if (arena.solids[s].is_free()) motion.solids[s].velocity += h * arena.gravity;
    lead(arena.solids[s], time, h, motion.solids[s]);
  }
}

void advance(const Arena& arena, double time, double h, Motion& motion) {
  for (std::size_t i = 0; i < motion.x.size(); ++i) motion.x[i] += h * motion.v[i];
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    advance(arena.solids[s], time, h, motion.solids[s]);
}

}  // namespace repose::surfel
