// Forces against closed forms.
#include <gtest/gtest.h>

#include "methods/mechanism/forces_scenes.h"

namespace repose::mechanism {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kG = 9.81;
constexpr double kStatic = 1e-9;  // relative error of a static force

Forces solve(const PlaneScene& scene) {
  ForceSolver solver;
  Forces forces = solver.solve(scene.problem);
  EXPECT_EQ(forces.status, ForceStatus::solved) << forces.why;
  EXPECT_LE(forces.residual, 1e-10);
  EXPECT_LE(residual_of(scene.problem, forces.f), 1e-10);
  return forces;
}

/// A square block of the given side on an incline, in axes along the incline.
PlaneScene block_on_incline(double angle, double mu, double side, int slip = 0) {
  PlaneScene scene;
  scene.gravity_x = -kG * std::sin(angle);
  scene.gravity_y = -kG * std::cos(angle);
  const int block = scene.add_box(0.0, 0.5 * side, side, side);
  scene.add_contact(block, -1, -0.5 * side, 0.0, 0.0, 1.0, mu, slip);
  scene.add_contact(block, -1, 0.5 * side, 0.0, 0.0, 1.0, mu, slip);
  return scene;
}

/// Acceleration of a body along x.
double acceleration_x(const PlaneScene& scene, const Forces& forces, int body) {
  std::vector<std::array<double, 3>> total;
  body_forces_of(scene.problem, forces.f, total);
  return total[body][0] * scene.problem.bodies[body][0] + scene.bodies[body].acceleration[0];
}

TEST(ForceStatics, block_on_an_incline_holds_below_the_friction_angle_and_slides_above) {
  const double mu = 0.5;
  for (const double side : {1e-3, 1.0, 1e3}) {
    const PlaneScene below = block_on_incline(std::atan(0.99 * mu), mu, side);
    EXPECT_NEAR(acceleration_x(below, solve(below), 0), 0.0, 1e-9);
    const double angle = std::atan(1.01 * mu);
    const PlaneScene above = block_on_incline(angle, mu, side);
    EXPECT_NEAR(acceleration_x(above, solve(above), 0),
                -kG * (std::sin(angle) - mu * std::cos(angle)), 1e-9);
  }
}

TEST(ForceStatics, sliding_block_accelerates_by_the_textbook) {
  // slip -1: it slides down, against +x; the friction row points along -ny, nx = -1, 0
  const PlaneScene scene = block_on_incline(kPi / 6.0, 0.3, 1.0, 1);
  EXPECT_NEAR(acceleration_x(scene, solve(scene), 0), -2.3562872367, 1e-9);
}

TEST(ForceStatics, box_on_two_points_divides_its_weight_by_the_lever) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    PlaneScene scene;
    const int box = scene.add_box(0.0, 0.5 * size, 2.0 * size, size);
    const int left = scene.add_contact(box, -1, -0.25 * size, 0.0, 0.0, 1.0, 0.5);
    const int right = scene.add_contact(box, -1, 0.75 * size, 0.0, 0.0, 1.0, 0.5);
    const Forces forces = solve(scene);
    const double weight = 2.0 * size * size * kG;
    EXPECT_NEAR(forces.f[left], 0.75 * weight, kStatic * weight);
    EXPECT_NEAR(forces.f[right], 0.25 * weight, kStatic * weight);
  }
}

TEST(ForceStatics, box_on_four_points_shares_its_weight_evenly_and_keeps_doing_so) {
  PlaneScene scene;
  const int box = scene.add_box(0.0, 0.5, 2.0, 1.0);
  for (const double x : {-0.9, -0.3, 0.3, 0.9}) scene.add_contact(box, -1, x, 0.0, 0.0, 1.0, 0.5);
  ForceSolver solver;
  const Forces cold = solver.solve(scene.problem);
  ASSERT_EQ(cold.status, ForceStatus::solved);
  // the least forces: equal by symmetry in pairs, their sum the weight
  EXPECT_NEAR(cold.f[0], cold.f[6], 1e-9);
  EXPECT_NEAR(cold.f[2], cold.f[4], 1e-9);
  EXPECT_NEAR(cold.f[0] + cold.f[2] + cold.f[4] + cold.f[6], 2.0 * kG, 1e-8);
  // a slightly different load changes the forces slightly, contact by contact
  PlaneScene pushed = scene;
  for (ForceRow& row : pushed.problem.rows) {
    if (row.kind == RowKind::friction) row.b += 1e-3;
  }
  const Forces& warm = solver.solve(pushed.problem, {cold.states, cold.f});
  ASSERT_EQ(warm.status, ForceStatus::solved);
  EXPECT_TRUE(warm.kept_partition);
  for (std::size_t i = 0; i < warm.f.size(); ++i) EXPECT_NEAR(warm.f[i], cold.f[i], 1e-2);
}

/// A ladder of length 2 at `angle` between floor and wall.
PlaneScene ladder(double angle, double mu_floor, double mu_wall) {
  PlaneScene scene;
  const double c = std::cos(angle), s = std::sin(angle);
  const int rod = scene.add_body(-c, s, 1.0, 1.0 / 3.0);
  scene.add_contact(rod, -1, -2.0 * c, 0.0, 0.0, 1.0, mu_floor);
  scene.add_contact(rod, -1, 0.0, 2.0 * s, -1.0, 0.0, mu_wall);
  return scene;
}

TEST(ForceStatics, ladder_slips_exactly_below_its_critical_angle) {
  const double mu_floor = 0.4, mu_wall = 0.2;
  const double critical = std::atan((1.0 - mu_floor * mu_wall) / (2.0 * mu_floor));
  EXPECT_NEAR(critical * 180.0 / kPi, 48.990913, 1e-6);
  auto moves = [&](double angle) {
    const PlaneScene scene = ladder(angle, mu_floor, mu_wall);
    const Forces forces = solve(scene);
    return std::abs(acceleration_x(scene, forces, 0)) > 1e-7;
  };
  EXPECT_TRUE(moves(0.99 * critical));
  EXPECT_FALSE(moves(1.01 * critical));
}

TEST(ForceStatics, disc_rolls_down_with_two_thirds_of_the_slope_if_friction_suffices) {
  const double angle = kPi / 6.0;
  for (const double mu : {0.99 * std::tan(angle) / 3.0, 1.01 * std::tan(angle) / 3.0}) {
    PlaneScene scene;
    scene.gravity_x = -kG * std::sin(angle);
    scene.gravity_y = -kG * std::cos(angle);
    const int disc = scene.add_body(0.0, 1.0, 2.0, 1.0);
    scene.add_contact(disc, -1, 0.0, 0.0, 0.0, 1.0, mu);
    const double a = acceleration_x(scene, solve(scene), disc);
    if (mu > std::tan(angle) / 3.0) {
      EXPECT_NEAR(a, -3.27, 1e-9);
    } else {
      EXPECT_LT(a, -3.27 - 1e-3);
    }
  }
}

TEST(ForceStatics, three_hinged_arch_carries_its_crown_load_as_thrust) {
  // two equal bars from (-1, 0) and (1, 0) to the crown (0, h), pinned: H = W / (2 h) * 1 with W
  // the weight of one bar acting at its middle
  for (const double h : {0.2, 1.0, 3.0}) {
    PlaneScene scene;
    const int left = scene.add_body(-0.5, 0.5 * h, 1.0, 0.1);
    const int right = scene.add_body(0.5, 0.5 * h, 1.0, 0.1);
    const int foot = scene.add_pin(left, -1, -1.0, 0.0);
    scene.add_pin(right, -1, 1.0, 0.0);
    scene.add_pin(left, right, 0.0, h);
    const Forces forces = solve(scene);
    EXPECT_NEAR(forces.f[foot], 0.5 * kG / h, 1e-8 * kG / h);
    EXPECT_NEAR(forces.f[foot + 1], kG, 1e-8 * kG);
  }
}

TEST(ForceStatics, two_leaning_cards_thrust_on_the_floor_until_friction_fails) {
  // each card leans at `angle`; floor thrust W / (2 tan angle), holds iff mu_floor >= 1/(2 tan
  // angle)
  const double angle = kPi / 3.0;
  for (const double share : {0.99, 1.01}) {
    const double mu = share * 0.5 / std::tan(angle);
    PlaneScene scene;
    const double c = std::cos(angle), s = std::sin(angle);
    const int left = scene.add_body(-c, s, 1.0, 1.0 / 3.0);
    const int right = scene.add_body(c, s, 1.0, 1.0 / 3.0);
    const int floor = scene.add_contact(left, -1, -2.0 * c, 0.0, 0.0, 1.0, mu);
    scene.add_contact(right, -1, 2.0 * c, 0.0, 0.0, 1.0, mu);
    scene.add_contact(left, right, 0.0, 2.0 * s, -1.0, 0.0, 1.0);
    const Forces forces = solve(scene);
    if (share > 1.0) {
      EXPECT_NEAR(std::abs(forces.f[floor + 1]), 0.5 * kG / std::tan(angle), 1e-7);
      EXPECT_NEAR(acceleration_x(scene, forces, left), 0.0, 1e-8);
    } else {
      EXPECT_LT(acceleration_x(scene, forces, left), -1e-3);
    }
  }
}

TEST(ForceStatics, pyramid_of_210_boxes_rests_and_stays_on_its_partition) {
  for (const double mu : {0.0, 0.5}) {
    const PlaneScene scene = box_pyramid(20, mu);
    ASSERT_EQ(scene.bodies.size(), 210u);
    ForceSolver solver;
    const Forces cold = solver.solve(scene.problem);
    ASSERT_EQ(cold.status, ForceStatus::solved) << cold.why;
    EXPECT_LE(residual_of(scene.problem, cold.f), 1e-10);
    const Forces& warm = solver.solve(scene.problem, {cold.states, cold.f});
    EXPECT_TRUE(warm.kept_partition);
    EXPECT_LE(warm.linear_solves, 1);
    // the floor carries the weight of all
    double floor = 0.0, lowest = 0.0;
    for (std::size_t i = 0; i < scene.problem.rows.size(); ++i) {
      if (scene.problem.rows[i].kind != RowKind::normal) continue;
      if (scene.problem.rows[i].body_b < 0) floor += warm.f[i];
      lowest = std::min(lowest, warm.f[i]);
    }
    EXPECT_NEAR(floor, 210.0 * kG, 1e-6 * 210.0 * kG);
    EXPECT_GE(lowest, -1e-9);
  }
}

/// Gravity turned by `tilt` for all bodies.
void tilt_scene(PlaneScene& scene, double tilt) {
  for (auto& body : scene.bodies) {
    body.acceleration = {kG * std::sin(tilt), -kG * std::cos(tilt), 0.0};
  }
  for (ForceRow& row : scene.problem.rows) row.b = scene.along(row, false);
}

TEST(ForceStatics, tilted_pyramid_holds_to_the_friction_angle_with_forces_continuous_in_time) {
  const double mu = 0.5, last = 0.98 * std::atan(mu);
  PlaneScene scene = box_pyramid(10, mu);
  ForceSolver solver;
  std::vector<RowState> states;
  std::vector<double> f;
  const int steps = 200;
  for (int k = 0; k <= steps; ++k) {
    tilt_scene(scene, last * k / steps);
    const Forces& forces = solver.solve(scene.problem, {states, f});
    ASSERT_EQ(forces.status, ForceStatus::solved) << k << " " << forces.why;
    EXPECT_LE(residual_of(scene.problem, forces.f), 1e-10);
    double jump = 0.0, size = 0.0, fastest = 0.0;
    for (std::size_t i = 0; i < forces.f.size(); ++i) {
      fastest = std::max(fastest, std::abs(forces.a[i]));
      size = std::max(size, std::abs(forces.f[i]));
      if (k > 0) jump = std::max(jump, std::abs(forces.f[i] - f[i]));
    }
    EXPECT_LE(fastest, 1e-6) << k;      // nothing moves
    EXPECT_LE(jump, 0.02 * size) << k;  // half a percent of the way at a time
    states = forces.states;
    f = forces.f;
  }
  // and beyond the angle the heap slides off as one
  const double beyond = 1.05 * std::atan(mu);
  tilt_scene(scene, beyond);
  const Forces& forces = solver.solve(scene.problem, {states, f});
  ASSERT_EQ(forces.status, ForceStatus::solved) << forces.why;
  EXPECT_NEAR(acceleration_x(scene, forces, 0), kG * (std::sin(beyond) - mu * std::cos(beyond)),
              1e-6);
}

TEST(ForceStatics, pyramid_on_the_brink_is_solved_from_scratch) {
  // most of 1600 rows are at or near their friction limit, and nothing is known
  for (const double share : {0.98, 1.02}) {
    PlaneScene scene = box_pyramid(20, 0.5);
    tilt_scene(scene, share * std::atan(0.5));
    ForceSolver solver;
    const Forces& forces = solver.solve(scene.problem);
    ASSERT_EQ(forces.status, ForceStatus::solved) << forces.why;
    EXPECT_LE(residual_of(scene.problem, forces.f), 1e-10);
  }
}

TEST(ForceStatics, motor_holds_up_to_its_greatest_torque) {
  for (const double greatest : {4.9, 4.91}) {
    // a bar of mass 1 and length 1 held level by a motor at its end needs g / 2
    PlaneScene scene;
    const int bar = scene.add_body(0.5, 0.0, 1.0, 1.0 / 12.0);
    scene.add_pin(bar, -1, 0.0, 0.0);
    ForceRow motor{.body_a = bar, .part_a = {0.0, 0.0, 1.0}, .low = -greatest, .high = greatest};
    scene.problem.rows.push_back(motor);
    const Forces forces = solve(scene);
    const bool holds = greatest > 0.5 * kG;
    EXPECT_EQ(forces.states.back(), holds ? RowState::held : RowState::at_high);
    EXPECT_NEAR(forces.f.back(), std::min(greatest, 0.5 * kG), 1e-9);
  }
}

TEST(ForceStatics, contradictory_joints_are_named) {
  // a bar pinned to the world at three points on a line, one of which is driven
  PlaneScene scene;
  const int bar = scene.add_body(0.0, 0.0, 1.0, 1.0);
  const int other = scene.add_body(5.0, 0.0, 1.0, 1.0);
  scene.add_pin(other, -1, 5.0, 1.0);
  const int first = scene.add_pin(bar, -1, -1.0, 0.0);
  const int second = scene.add_pin(bar, -1, 1.0, 0.0);
  scene.problem.rows[second].b += 1.0;  // the two ends pull apart along x
  ForceSolver solver;
  const Forces& forces = solver.solve(scene.problem);
  EXPECT_EQ(forces.status, ForceStatus::contradictory);
  EXPECT_EQ(forces.involved, (std::vector<int>{first, second}));
}

TEST(ForceStatics, redundant_joints_share_their_load) {
  // a bar pinned at both ends: along x the pins are redundant
  PlaneScene scene;
  const int bar = scene.add_body(0.0, 0.0, 1.0, 1.0);
  const int first = scene.add_pin(bar, -1, -1.0, 0.0);
  const int second = scene.add_pin(bar, -1, 1.0, 0.0);
  const Forces forces = solve(scene);
  EXPECT_NEAR(forces.f[first + 1], 0.5 * kG, 1e-9);
  EXPECT_NEAR(forces.f[second + 1], 0.5 * kG, 1e-9);
  EXPECT_NEAR(forces.f[first], 0.0, 1e-9);
}

TEST(ForceStatics, bad_numbers_are_refused) {
  PlaneScene scene = block_on_incline(0.1, 0.5, 1.0);
  scene.problem.rows[1].normal_row = 7;
  ForceSolver solver;
  EXPECT_EQ(solver.solve(scene.problem).status, ForceStatus::invalid);
  scene.problem.rows[1].normal_row = 0;
  scene.problem.rows[2].b = std::nan("");
  const Forces& forces = solver.solve(scene.problem);
  EXPECT_EQ(forces.status, ForceStatus::invalid);
  EXPECT_EQ(forces.failed_row, 2);
}

}  // namespace
}  // namespace repose::mechanism
