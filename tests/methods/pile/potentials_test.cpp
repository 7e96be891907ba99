#include "src/methods/pile/potentials.h"

#include <cmath>

#include <gtest/gtest.h>

#include "pile_scene.h"

namespace repose::pile {
namespace {

Link link_of(AttractionLaw law, double strength) {
  Link out;
  out.a = 0;
  out.b = 1;
  out.law = law;
  out.strength = strength;
  out.length = 1.3;
  out.range = 2.5;
  return out;
}

TEST(Potentials, the_force_is_the_slope_of_the_energy_for_every_law) {
  Random random(4);
  for (const AttractionLaw law : {AttractionLaw::constant, AttractionLaw::inverse_square,
                                  AttractionLaw::spring, AttractionLaw::short_range}) {
    for (int round = 0; round < 20; ++round) {
      Potentials p;
      p.push = {random_direction(random), random_direction(random)};
      p.load = {1.0, 1.0};
      p.links = {link_of(law, random.between(-2.0, 2.0))};
      const std::vector<Vec3> at{random_direction(random), 3.0 * random_direction(random)};
      const auto force = forces_of(p, at);
      const double h = 1e-6;
      for (int body = 0; body < 2; ++body)
        for (int k = 0; k < 3; ++k) {
          std::vector<Vec3> low = at, high = at;
          low[body][k] -= h;
          high[body][k] += h;
          EXPECT_NEAR(force[body][k], (energy_of(p, low) - energy_of(p, high)) / (2.0 * h), 1e-6);
        }
    }
  }
}

TEST(Potentials, the_stiffness_is_the_slope_of_the_force_for_every_law) {
  Random random(12);
  for (const AttractionLaw law : {AttractionLaw::constant, AttractionLaw::inverse_square,
                                  AttractionLaw::spring, AttractionLaw::short_range})
    for (const double soft : {0.0, 0.4}) {
      Potentials p;
      p.push.assign(2, Vec3::Zero());
      p.links = {link_of(law, random.between(-2.0, 2.0))};
      p.links[0].soft = law == AttractionLaw::constant ? soft : 0.0;
      const std::vector<Vec3> at{Vec3::Zero(), random.between(0.5, 2.0) * random_direction(random)};
      const auto stiffness = stiffness_of(p, at);
      ASSERT_EQ(stiffness.size(), 1u);
      const double h = 1e-6;
      for (int k = 0; k < 3; ++k) {
        std::vector<Vec3> low = at, high = at;
        low[1][k] -= h;
        high[1][k] += h;
        const Vec3 slope = (forces_of(p, low)[1] - forces_of(p, high)[1]) / (2.0 * h);
        EXPECT_NEAR((stiffness[0].matrix.col(k) - slope).norm(), 0.0, 1e-6);
      }
    }
}

TEST(Potentials, the_drop_is_the_difference_of_energies) {
  Random random(5);
  for (const AttractionLaw law : {AttractionLaw::constant, AttractionLaw::inverse_square,
                                  AttractionLaw::spring, AttractionLaw::short_range}) {
    Potentials p;
    p.push = {random_direction(random), random_direction(random)};
    p.links = {link_of(law, 1.7)};
    const std::vector<Vec3> from{random_direction(random), 2.4 * random_direction(random)};
    const std::vector<Vec3> move{0.2 * random_direction(random), 0.3 * random_direction(random)};
    const std::vector<Vec3> to{from[0] + move[0], from[1] + move[1]};
    EXPECT_NEAR(energy_drop(p, from, move), energy_of(p, from) - energy_of(p, to), 1e-12);
  }
}

TEST(Potentials, what_lowers_the_careful_quadratic_lowers_the_energy) {
  Random random(6);
  for (const bool coupled : {true, false})
    for (const AttractionLaw law : {AttractionLaw::constant, AttractionLaw::inverse_square,
                                    AttractionLaw::spring, AttractionLaw::short_range})
      for (int round = 0; round < 200; ++round) {
        Potentials p;
        p.push = {random_direction(random), random_direction(random)};
        p.links = {link_of(law, random.between(law == AttractionLaw::constant ? -1.0 : 0.1, 2.0))};
        p.coupled = coupled;
        const std::vector<Vec3> from{random_direction(random), 3.0 * random_direction(random)};
        solve::LinearProgram lp;
        lp.cost.assign(6, 0.0);
        const std::vector<int> first{0, 3};
        add_potentials(p, from, first, {}, 1.0, lp);
        std::vector<double> x(6), kx(6, 0.0);
        for (double& e : x) e = random.between(-1.0, 1.0);
        solve::add_quadratic(lp, x, kx);
        double model = 0.0;
        for (int i = 0; i < 6; ++i) model += lp.cost[i] * x[i] + 0.5 * kx[i] * x[i];
        const std::vector<Vec3> move{Vec3(x[0], x[1], x[2]), Vec3(x[3], x[4], x[5])};
        EXPECT_LE(-energy_drop(p, from, move), model + 1e-12);
      }
}

TEST(Potentials, a_ball_hangs_from_a_spring_where_hooke_says) {
  PileScene s;
  const int ball = s.add_ball(1.0, Vec3(0.3, 0.0, -4.0));
  Force spring;
  spring.kind = ForceKind::spring;
  spring.body_a = s.problem.bodies[ball].name;
  spring.values = {{"stiffness", 20.0}, {"length", 3.0}};
  s.problem.forces.push_back(spring);
  const StepReport report = s.run();
  ASSERT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.center(ball).z(), -(3.0 + 2.0 * 9.81 / 20.0), 1e-6);
  EXPECT_NEAR(s.center(ball).x(), 0.0, 1e-5);
}

TEST(Potentials, a_heavy_ball_in_a_net_comes_to_rest_to_a_billionth_of_a_weight) {
  PileScene s;
  constexpr int kSide = 8;
  std::vector<std::vector<int>> knot(kSide, std::vector<int>(kSide));
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j) {
      const bool rim = i * j == 0 || i == kSide - 1 || j == kSide - 1;
      knot[i][j] = s.add_ball(1.0, 2.1 * Vec3(i, j, 0.0), rim);
    }
  for (int i = 1; i < kSide; ++i)
    for (int j = 1; j < kSide; ++j)
      for (const int other : {knot[i - 1][j], knot[i][j - 1]}) {
        if (s.problem.bodies[other].fixed && s.problem.bodies[knot[i][j]].fixed) continue;
        Force pull;
        pull.kind = ForceKind::connect;
        pull.body_a = s.problem.bodies[other].name;
        pull.body_b = s.problem.bodies[knot[i][j]].name;
        pull.values = {{"strength", 60.0}};
        s.problem.forces.push_back(pull);
      }
  const int heavy = s.add_ball(4.0, Vec3(7.6, 7.0, 6.0));
  s.problem.bodies[heavy].mass = 300.0;
  double energy = 1e300;
  const StepReport report =
      s.run({{"rest_force", 1e-9}}, 200, [&](const State&, const State&, const Audit& audit) {
        EXPECT_LE(audit.energy, energy + 1e-14 * std::fabs(energy));
        energy = audit.energy;
        EXPECT_GE(audit.worst_gap, 0.0);
      });
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_LE(report.residual, 1e-9);
  EXPECT_LE(s.state.step, 60);
}

TEST(Potentials, balls_that_attract_one_another_gather_and_energy_never_grows) {
  for (const std::string law : {"constant", "inverse_square", "spring", "short_range"}) {
    PileScene s;
    s.problem.gravity = Vec3::Zero();
    Random random(8);
    for (int i = 0; i < 12; ++i)
      s.add_ball(1.0, Vec3(3.0 * (i % 3), 3.0 * (i / 3 % 2), 3.0 * (i / 6)) +
                          0.3 * random_direction(random));
    Force f;
    f.kind = ForceKind::attract;
    f.values = {{"law", law}, {"strength", 2.0}, {"range", 2.5}};
    s.problem.forces.push_back(f);
    double energy = 1e300;
    const StepReport report = s.run({}, 2000, [&](const State&, const State&, const Audit& audit) {
      EXPECT_LE(audit.energy, energy + 1e-12 * std::fabs(energy));
      energy = audit.energy;
      EXPECT_GE(audit.worst_gap, 0.0);
    });
    EXPECT_EQ(report.status, RunStatus::rest) << law << ": " << report.why;
    EXPECT_GE(s.state.contacts.size(), 20u) << law;
  }
}

}  // namespace
}  // namespace repose::pile
