#include "methods/molecule/elasticity.h"

#include <cmath>

#include <gtest/gtest.h>

#include "repose/base/at.h"
#include "repose/base/random.h"

#include "methods/molecule/motion.h"
#include "soft_arena.h"

namespace repose::molecule {
namespace {

SoftArena one_block(std::array<int, 3> count, double modulus = 7e4) {
  SoftArena out;
  Block3 block;
  block.count = count;
  block.modulus = modulus;
  out.add(block);
  return out;
}

/// Forces per unit of a displacement field about the rest shape, by differences of fourth order.
template <class Field>
std::vector<Vec3> linear_forces(const SoftArena& soft, const Field& field) {
  constexpr double kStep = 1e-3;
  const auto at_share = [&](double share) {
    std::vector<Vec3> x = soft.motion.x;
    for (Vec3& p : x) p += share * field(p);
    return spring_forces(soft.arena, x);
  };
  const auto p1 = at_share(kStep), m1 = at_share(-kStep);
  const auto p2 = at_share(2 * kStep), m2 = at_share(-2 * kStep);
  std::vector<Vec3> out(p1.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = (8.0 * (p1[i] - m1[i]) - (p2[i] - m2[i])) / (12.0 * kStep);
  return out;
}

/// Area of the block's surface at each molecule, as a vector outward.
std::vector<Vec3> outward_areas(const SoftArena& soft, std::array<int, 3> count, double pitch) {
  std::vector<Vec3> out(soft.motion.x.size(), Vec3::Zero());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double place = soft.motion.x[i][k] / pitch;
      double share = 1.0;  // of the four cells' faces about the molecule
      for (int m = 0; m < 3; ++m) {
        const double other = soft.motion.x[i][m] / pitch;
        if (m != k && (other < 0.5 || other > count[at(m)] - 1.5)) share *= 0.5;
      }
      if (place < 0.5) out[i] -= share * pitch * pitch * Vec3::Unit(k);
      if (place > count[at(k)] - 1.5) out[i] += share * pitch * pitch * Vec3::Unit(k);
    }
  return out;
}

TEST(molecule_elasticity, every_uniform_strain_of_a_lattice_has_the_stress_of_the_continuum) {
  constexpr double kModulus = 7e4, kPitch = 0.02;
  constexpr double kShear = kModulus / 2.5;  // lambda = mu at Poisson's ratio 1/4
  for (const std::array<int, 3> count : {std::array{5, 5, 3}, {4, 4, 6}, {2, 2, 2}, {7, 2, 3}}) {
    const SoftArena soft = one_block(count, kModulus);
    const std::vector<Vec3> areas = outward_areas(soft, count, kPitch);
    Mat3 stretch = Vec3(1.0, -0.25, -0.25).asDiagonal();
    Mat3 shear = Mat3::Zero();
    shear(0, 2) = 1.0;
    const Mat3 pressure = -Mat3::Identity();
    for (const Mat3& gradient : {stretch, shear, pressure}) {
      const Mat3 strain = 0.5 * (gradient + gradient.transpose());
      const Mat3 stress = kShear * strain.trace() * Mat3::Identity() + 2.0 * kShear * strain;
      const auto forces = linear_forces(soft, [&](const Vec3& p) -> Vec3 { return gradient * p; });
      for (std::size_t i = 0; i < forces.size(); ++i)
        EXPECT_LE((forces[i] + stress * areas[i]).norm(), 1e-10 * kModulus * kPitch * kPitch);
    }
  }
}

TEST(molecule_elasticity, a_sheet_is_a_plate_in_plane_stress_with_poisson_ratio_a_third) {
  constexpr double kModulus = 7e4, kPitch = 0.02;
  const SoftArena soft = one_block({6, 5, 1}, kModulus);
  const auto forces =
      linear_forces(soft, [](const Vec3& p) { return Vec3(p.x(), -p.y() / 3.0, 0.0); });
  for (std::size_t i = 0; i < forces.size(); ++i) {
    const double x = soft.motion.x[i].x() / kPitch, y = soft.motion.x[i].y() / kPitch;
    const double share = y < 0.5 || y > 3.5 ? 0.5 : 1.0;
    const double side = x < 0.5 ? -1.0 : x > 4.5 ? 1.0 : 0.0;
    // thickness and width are a pitch
    const Vec3 expected(-side * share * kModulus * kPitch * kPitch, 0.0, 0.0);
    EXPECT_LE((forces[i] - expected).norm(), 1e-10 * kModulus * kPitch * kPitch);
  }
}

TEST(molecule_elasticity, the_papers_box_and_ground_have_its_counts_of_connections) {
  EXPECT_EQ(one_block({5, 5, 3}).arena.springs.size(), 426u);
  EXPECT_EQ(one_block({15, 15, 1}).arena.springs.size(), 812u);
}

TEST(molecule_elasticity, forces_are_the_energys_slope) {
  SoftArena soft = one_block({4, 3, 3});
  Random random(5);
  for (Vec3& p : soft.motion.x) p += 2e-3 * random_direction(random);
  const auto forces = spring_forces(soft.arena, soft.motion.x);
  constexpr double kStep = 1e-6;
  for (std::size_t i = 0; i < forces.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      auto up = soft.motion.x, down = soft.motion.x;
      up[i][k] += kStep;
      down[i][k] -= kStep;
      const double slope =
          (spring_energy(soft.arena, up) - spring_energy(soft.arena, down)) / (2.0 * kStep);
      EXPECT_NEAR(forces[i][k], -slope, 1e-5 * (1.0 + std::abs(slope)));
    }
}

TEST(molecule_elasticity, other_neighbourhoods_are_fitted_and_say_their_error) {
  // all pairs up to sqrt(3) pitches inside a large lattice: three lengths, still isotropic
  Body3 body;
  body.pitch = 1.0;
  for (int x = 0; x < 8; ++x)
    for (int y = 0; y < 8; ++y)
      for (int z = 0; z < 8; ++z) body.points.push_back(Vec3(x, y, z));
  body.moduli.assign(body.points.size(), 1.0);
  body.volume = 343.0;
  for (int i = 0; i < 512; ++i)
    for (int j = i + 1; j < 512; ++j)
      if ((body.points[at(i)] - body.points[at(j)]).squaredNorm() < 3.5)
        body.links.push_back({i, j});
  const Stiffness fitted = stiffness_of(body);
  EXPECT_LT(fitted.error, 1e-6);
  for (const double k : fitted.values) EXPECT_GE(k, 0.0);
  // a row of points has no modulus across: the fit cannot hide it
  Body3 row;
  row.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
  row.moduli = {1.0, 1.0, 1.0};
  row.volume = 2.0;
  row.links = {{0, 1}, {1, 2}};
  EXPECT_GT(stiffness_of(row).error, 0.5);
}

/// Molecules and springs by hand.
SoftArena chain(const std::vector<double>& masses, double stiffness, double damping = 0.0) {
  SoftArena out;
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const bool fixed = masses[i] <= 0.0;
    out.arena.mass.push_back(fixed ? 1.0 : masses[i]);
    out.arena.inverse_mass.push_back(fixed ? 0.0 : 1.0 / masses[i]);
    out.arena.radius.push_back(0.01);
    out.arena.friction.push_back(0.0);
    out.arena.modulus.push_back(1.0);
    out.arena.drag.push_back(0.0);
    out.arena.square_drag.push_back(0.0);
    out.arena.body_of.push_back(0);
    out.arena.rest.push_back(Vec3(0.0, 0.0, -1.0 * static_cast<double>(i)));
    out.motion.x.push_back(Vec3(0.0, 0.0, -1.0 * static_cast<double>(i)));
    out.motion.v.push_back(Vec3::Zero());
    if (i > 0) {
      const int b = static_cast<int>(i);
      out.arena.springs.push_back({b - 1, b, stiffness, 1.0, damping, 0.0});
    }
  }
  out.arena.first_point.push_back(out.arena.size());
  out.arena.rigid_of.push_back(-1);
  out.arena.collides.push_back(true);
  out.problem.bodies.emplace_back();
  out.finish();
  return out;
}

TEST(molecule_elasticity, two_masses_on_a_spring_swing_at_the_closed_form_and_keep_their_centre) {
  SoftArena soft = chain({1.0, 3.0}, 100.0);
  soft.settings.iterations_per_second = 1e4;
  soft.motion.x[1].z() -= 0.05;
  const Vec3 center = (soft.motion.x[0] + 3.0 * soft.motion.x[1]) / 4.0;
  // 20 half swings by zero crossings of the stretch
  int crossings = 0;
  double first = 0.0, last = 0.0, before = 0.05;
  while (crossings < 21) {
    soft.step();
    const double stretch = (soft.motion.x[1] - soft.motion.x[0]).norm() - 1.0;
    if (stretch * before < 0.0) {
      last = soft.time;
      if (crossings++ == 0) first = last;
    }
    before = stretch;
  }
  const double rate = 20.0 * M_PI / (last - first);
  EXPECT_NEAR(rate, 11.5470054, 1e-3 * 11.547);
  EXPECT_LE(((soft.motion.x[0] + 3.0 * soft.motion.x[1]) / 4.0 - center).norm(), 1e-12);
}

TEST(molecule_elasticity, five_molecules_hung_in_a_row_stretch_by_the_weight_below) {
  SoftArena soft = chain({0.0, 0.1, 0.1, 0.1, 0.1, 0.1}, 100.0, 10.0);
  soft.arena.gravity = Vec3(0.0, 0.0, -9.81);
  for (int k = 0; k < 6000; ++k) soft.step();
  const double expected[] = {.04905, .03924, .02943, .01962, .00981};
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_NEAR((soft.motion.x[i + 1] - soft.motion.x[i]).norm() - 1.0, expected[i], 1e-8);
}

TEST(molecule_elasticity, a_damped_oscillator_loses_the_closed_forms_share_each_cycle) {
  // error falls with the step: first order
  double error_before = 0.0;
  for (const double rate : {1000.0, 2000.0, 4000.0}) {
    SoftArena soft = chain({0.0, 1.0}, 100.0, 2.0);
    soft.settings.iterations_per_second = rate;
    soft.motion.x[1].z() -= 0.01;
    std::vector<double> peaks;
    double before = 0.01, slope = -1.0;
    while (peaks.size() < 3) {
      soft.step();
      const double stretch = (soft.motion.x[1] - soft.motion.x[0]).norm() - 1.0;
      if (slope > 0.0 && stretch < before) peaks.push_back(before);
      slope = stretch - before;
      before = stretch;
    }
    const double error = std::abs(peaks[1] / peaks[0] - 0.5318021);
    EXPECT_LE(error, 0.01);
    if (error_before > 0.0) {
      EXPECT_LE(error, 0.7 * error_before + 1e-5);
    }
    error_before = error;
  }
}

TEST(molecule_elasticity, damping_of_any_strength_only_takes_energy) {
  for (const double damping : {1e-3, 1.0, 1e6}) {
    SoftArena soft = one_block({4, 4, 4}, 1e3);
    for (Spring& spring : soft.arena.springs) spring.damping = damping * spring.stiffness;
    Random random(3);
    for (Vec3& v : soft.motion.v) v = random_direction(random);
    Vec3 momentum = Vec3::Zero();
    for (std::size_t i = 0; i < soft.motion.v.size(); ++i)
      momentum += soft.arena.mass[i] * soft.motion.v[i];
    double before =
        kinetic_energy(soft.arena, soft.motion) + spring_energy(soft.arena, soft.motion.x);
    const double first = before;
    for (int k = 0; k < 300; ++k) soft.step();
    const double after =
        kinetic_energy(soft.arena, soft.motion) + spring_energy(soft.arena, soft.motion.x);
    EXPECT_LT(after, 1.001 * first);
    Vec3 end = Vec3::Zero();
    for (std::size_t i = 0; i < soft.motion.v.size(); ++i)
      end += soft.arena.mass[i] * soft.motion.v[i];
    EXPECT_LE((end - momentum).norm(), 1e-12 * momentum.norm());
  }
}

TEST(molecule_elasticity, the_stable_step_is_stable_and_twice_it_is_not) {
  for (const auto& [share, stable] : {std::pair{0.95, true}, {2.0, false}}) {
    SoftArena soft = one_block({5, 5, 5}, 1e5);
    soft.settings.engine = Engine::paper;
    soft.settings.iterations_per_second = 1.0 / (share * soft.arena.stable_step);
    Random random(4);
    for (Vec3& v : soft.motion.v) v = 1e-3 * random_direction(random);
    const double first = kinetic_energy(soft.arena, soft.motion);
    double most = 0.0;
    for (int k = 0; k < 300 && most < 1e6 * first; ++k) {
      soft.step();
      most = std::max(most, kinetic_energy(soft.arena, soft.motion));
    }
    EXPECT_EQ(most < 10.0 * first, stable) << share;
  }
}

}  // namespace
}  // namespace repose::molecule
