#include "motion.h"

#include <array>
#include <cmath>

#include "repose/base/stage_clock.h"

#include "elasticity.h"

namespace repose::surfel {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

std::vector<double> plastic_data(const Motion& motion, int first, int last, std::size_t points) {
  std::vector<double> out(kPlasticNumbers * points, 0.0);
  for (int i = first; i < last; ++i) put_plastic(motion.plastic[at(i)], at(i - first), out);
  return out;
}

}  // namespace

Mat3 plastic_of(const SoftState& soft, std::size_t point) {
  if (soft.data.size() != kPlasticNumbers * soft.size()) return Mat3::Identity();
  Mat3 out;
  for (std::size_t k = 0; k < kPlasticNumbers; ++k)
    out(static_cast<int>(k % 3), static_cast<int>(k / 3)) = soft.data[kPlasticNumbers * point + k];
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
    if (arena.rigid_ball[b]) {
      out.x.push_back(body.world_from_body.position);
      out.v.push_back(body.velocity);
      out.plastic.push_back(Mat3::Identity());
      continue;
    }
    for (std::size_t i = 0; i < at(count); ++i) {
      out.x.push_back(body.soft.positions[i]);
      out.v.push_back(body.soft.velocities[i]);
      out.plastic.push_back(plastic_of(body.soft, i));
    }
  }
  for (std::size_t i = 0; i < out.v.size(); ++i)
    if (arena.inverse_mass[i] == 0.0) out.v[i].setZero();
  for (const Solid& solid : arena.solids) {
    out.solids.push_back(state.bodies[at(solid.body)].world_from_body);
    out.solid_velocities.push_back(Vec3::Zero());
  }
  return out;
}

std::vector<Vec3> write_motion(const Arena& arena, const Motion& motion, State& state) {
  std::vector<Vec3> centers;
  centers.reserve(at(arena.balls()));
  // places and speeds side by side, four numbers at a time
  using Vec4 = Eigen::Vector4d;
  std::vector<std::array<Vec4, 2>> both(motion.x.size());
  for (std::size_t i = 0; i < both.size(); ++i) {
    both[i][0] << motion.x[i], 0.0;
    both[i][1] << motion.v[i], 0.0;
  }
  for (std::size_t b = 0; b < state.bodies.size(); ++b) {
    const int first = arena.first_phyxel[b], last = arena.first_phyxel[b + 1];
    BodyState& body = state.bodies[b];
    if (first == last) continue;
    if (arena.rigid_ball[b]) {
      body.world_from_body.position = motion.x[at(first)];
      body.velocity = motion.v[at(first)];
      centers.push_back(motion.x[at(first)]);
      continue;
    }
    std::vector<Vec3> x(motion.x.begin() + first, motion.x.begin() + last);
    std::vector<Vec3> v(motion.v.begin() + first, motion.v.begin() + last);
    const auto points = x.size() + at(arena.first_ball[b + 1] - arena.first_ball[b]);
    x.reserve(points);
    v.reserve(points);
    for (auto ball = at(arena.first_ball[b]); ball < at(arena.first_ball[b + 1]); ++ball) {
      Vec4 place = Vec4::Zero(), speed = Vec4::Zero();
      for (auto k = at(arena.first_carrier[ball]); k < at(arena.first_carrier[ball + 1]); ++k) {
        const auto& phyxel = both[at(arena.carrier_phyxels[k])];
        place += arena.carrier_weights[k] * phyxel[0];
        speed += arena.carrier_weights[k] * phyxel[1];
      }
      x.emplace_back(place.head<3>());
      v.emplace_back(speed.head<3>());
    }
    centers.insert(centers.end(), x.begin() + (last - first), x.end());
    if (arena.plastic[b]) body.soft.data = plastic_data(motion, first, last, points);
    body.soft.positions = std::move(x);
    body.soft.velocities = std::move(v);
  }
  for (std::size_t s = 0; s < arena.solids.size(); ++s) {
    if (arena.solids[s].path == nullptr) continue;
    BodyState& body = state.bodies[at(arena.solids[s].body)];
    body.world_from_body = motion.solids[s];
    body.velocity = motion.solid_velocities[s];
  }
  return centers;
}

Vec3 at_ball(const Arena& arena, const std::vector<Vec3>& values, int ball) {
  Vec3 out = Vec3::Zero();
  for (int k = arena.first_carrier[at(ball)]; k < arena.first_carrier[at(ball) + 1]; ++k)
    out += arena.carrier_weights[at(k)] * values[at(arena.carrier_phyxels[at(k)])];
  return out;
}

std::vector<Vec3> at_balls(const Arena& arena, const std::vector<Vec3>& values) {
  // four numbers at a time
  using Vec4 = Eigen::Vector4d;
  std::vector<Vec4> padded(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) padded[i] << values[i], 0.0;
  std::vector<Vec3> out(at(arena.balls()));
  for (std::size_t b = 0; b < out.size(); ++b) {
    Vec4 sum = Vec4::Zero();
    for (int k = arena.first_carrier[b]; k < arena.first_carrier[b + 1]; ++k)
      sum += arena.carrier_weights[at(k)] * padded[at(arena.carrier_phyxels[at(k)])];
    out[b] = sum.head<3>();
  }
  return out;
}

double kinetic_energy(const Arena& arena, const Motion& motion) {
  double out = 0.0;
  for (std::size_t i = 0; i < motion.v.size(); ++i)
    if (arena.inverse_mass[i] > 0.0) out += 0.5 * arena.mass[i] * motion.v[i].squaredNorm();
  return out;
}

double gravity_energy(const Arena& arena, const Motion& motion) {
  double out = 0.0;
  for (std::size_t i = 0; i < motion.x.size(); ++i)
    if (arena.inverse_mass[i] > 0.0) out -= arena.mass[i] * arena.gravity.dot(motion.x[i]);
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
    for (const Carrier& carrier : load.carriers)
      motion.v[at(carrier.phyxel)] +=
          (h * carrier.weight * arena.inverse_mass[at(carrier.phyxel)]) * now;
  }
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    if (arena.solids[s].path != nullptr)
      motion.solid_velocities[s] =
          (pose_at(*arena.solids[s].path, time + h).position - motion.solids[s].position) / h;
}

void advance(const Arena& arena, double h, Motion& motion) {
  for (std::size_t i = 0; i < motion.x.size(); ++i) motion.x[i] += h * motion.v[i];
  for (std::size_t s = 0; s < arena.solids.size(); ++s)
    motion.solids[s].position += h * motion.solid_velocities[s];
}

}  // namespace repose::surfel
