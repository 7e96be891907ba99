// Closed-form answers, at three scales of length.
#include "mechanism_scene.h"

namespace repose::mechanism {
namespace {

class Truth : public ::testing::TestWithParam<double> {
 protected:
  double s() const { return GetParam(); }
  /// Times grow with the root of lengths, since gravity stays.
  double t(double seconds) const { return seconds * std::sqrt(s()); }
  MechanismScene scene(double step_time = 1e-3) const {
    MechanismScene out;
    out.settings["step_time"] = t(step_time);
    return out;
  }
};
INSTANTIATE_TEST_SUITE_P(Scales, Truth, ::testing::Values(1e-3, 1.0, 1e3));

/// A box on a slope, let go for a while: how far it went down.
double slide(MechanismScene scene, double slope, double mu, double s, double until) {
  const int ground = scene.add_ground(-slope, 100.0 * s);
  const Vec2 up(std::sin(slope), std::cos(slope));
  const int box = scene.add_box(0.4 * s, 0.2 * s, 0.1 * s * up, -slope);
  scene.material(ground, mu, 0.0);
  scene.material(box, mu, 0.0);
  scene.settings["end_at_rest"] = false;
  scene.prepared();
  const Vec2 before = scene.position(box);
  scene.run(until);
  return (scene.position(box) - before).dot(Vec2(std::cos(slope), -std::sin(slope)));
}

TEST_P(Truth, a_block_slides_exactly_beyond_the_angle_of_friction) {
  const double limit = std::atan(0.5);
  EXPECT_LT(std::fabs(slide(scene(), 0.99 * limit, 0.5, s(), t(0.3))), 1e-9 * s());
  EXPECT_GT(slide(scene(), 1.01 * limit, 0.5, s(), t(0.3)), 1e-3 * s());
}

TEST_P(Truth, a_sliding_block_gains_the_speed_of_coulomb) {
  const double went = slide(scene(), kPi / 6.0, 0.3, s(), t(1.0));
  EXPECT_NEAR(went / s(), 0.5 * 2.3562872367, 1e-6);
}

/// A ladder of length 2 s between floor and wall: how far its middle sinks.
double ladder_sinks(MechanismScene scene, double angle, double s, double until) {
  const int floor = scene.add_ground(0.0, 20.0 * s);
  const int wall = scene.add_box(1.0 * s, 10.0 * s, Vec2(-0.5 * s, 5.001 * s), 0.0, true);
  const Vec2 middle(std::cos(angle) * s, std::sin(angle) * s);
  const int ladder = scene.add_polygon({{-s, 0.0}, {0.0, -0.01 * s}, {s, 0.0}, {0.0, 0.01 * s}},
                                       middle, kPi - angle);
  scene.material(floor, 0.4, 0.0);
  scene.material(wall, 0.2, 0.0);
  scene.material(ladder, 1.0, 0.0);
  scene.settings["end_at_rest"] = false;
  scene.prepared();
  const double before = scene.position(ladder).y();
  scene.run(until);
  return before - scene.position(ladder).y();
}

TEST_P(Truth, a_ladder_slips_exactly_below_its_angle) {
  const double limit = std::atan((1.0 - 0.4 * 0.2) / (2.0 * 0.4));
  EXPECT_NEAR(limit * 180.0 / kPi, 48.990913, 1e-6);
  EXPECT_LT(std::fabs(ladder_sinks(scene(), 1.01 * limit, s(), t(0.3))), 1e-6 * s());
  EXPECT_GT(ladder_sinks(scene(), 0.99 * limit, s(), t(0.3)), 1e-4 * s());
}

TEST_P(Truth, a_disc_rolls_down_at_two_thirds_of_free_sliding) {
  const double slope = kPi / 6.0, limit = std::tan(slope) / 3.0;
  for (const double mu : {1.01 * limit, 0.99 * limit}) {
    MechanismScene in = scene();
    const int ground = in.add_ground(-slope, 100.0 * s());
    const Vec2 up(std::sin(slope), std::cos(slope));
    const int disc = in.add_disc(0.1 * s(), 0.1 * s() * up);
    in.material(ground, mu, 0.0);
    in.material(disc, mu, 0.0);
    in.prepared();
    const Vec2 before = in.position(disc);
    in.run(t(1.0));
    const double went = (in.position(disc) - before).norm() / s();
    const double spin = -in.at(disc).angular_velocity.z() * 0.1 * s();
    const double speed = in.at(disc).velocity.head<2>().norm();
    const double rolls = 9.81 * std::sin(slope) * 2.0 / 3.0;
    const double slides = 9.81 * (std::sin(slope) - mu * std::cos(slope));
    EXPECT_NEAR(went, 0.5 * (mu > limit ? rolls : slides), 1e-6);
    if (mu > limit) {
      EXPECT_NEAR(rolls, 3.27, 1e-12);
      EXPECT_NEAR(spin, speed, 1e-9 * speed);
    } else {
      EXPECT_LT(spin, 0.99 * speed);
    }
  }
}

TEST_P(Truth, a_bouncing_ball_comes_to_rest_after_infinitely_many_bounces) {
  MechanismScene in = scene();
  const int ground = in.add_ground(0.0, 100.0 * s());
  const int ball = in.add_disc(0.1 * s(), Vec2(0.0, 1.1 * s()));
  in.material(ground, 0.5, 0.5);
  in.material(ball, 0.5, 0.5);
  in.prepared();
  double moving_until = 0.0;
  while (in.state.time < t(2.0)) {
    const StepReport report = in.step();
    if (in.at(ball).velocity.norm() > 1e-9 * std::sqrt(s())) moving_until = in.state.time;
    if (report.status != RunStatus::moving) {
      EXPECT_EQ(report.status, RunStatus::rest);
      break;
    }
  }
  EXPECT_NEAR(moving_until / std::sqrt(s()), 1.3545709, 2e-3);
  EXPECT_NEAR(in.position(ball).y() / s(), 0.1, 1e-6);
}

TEST_P(Truth, a_pendulum_swings_in_its_time_at_fourth_order) {
  const double period = 2.3678419;
  const auto error = [&](int steps) {
    MechanismScene in = scene();
    const int bob = in.add_disc(0.05 * s(), Vec2(s(), 0.0));
    in.join(JointKind::rod, bob, Vec2::Zero(), -1, Vec2::Zero());
    in.settings["step_time"] = t(period) / steps;
    in.prepared();
    EXPECT_EQ(in.run(t(period)).status, RunStatus::moving);
    return (in.position(bob) - Vec2(s(), 0.0)).norm() / s();
  };
  EXPECT_LT(error(2368), 1e-6);
  // longer steps part the rod and are shortened
  const double coarse = error(96), fine = error(192);
  EXPECT_LT(error(48), 16.0 * coarse);
  EXPECT_GT(coarse / fine, 12.0);
}

TEST_P(Truth, a_rod_caught_at_one_end_keeps_three_quarters_of_its_speed) {
  MechanismScene in = scene();
  in.problem.gravity = Vec3::Zero();
  const double v = std::sqrt(s());
  const int rod = in.add_box(1.0 * s(), 1e-4 * s(), Vec2(0.0, 0.01 * s()));
  in.add_polygon({{-0.01 * s(), -0.3 * s()}, {0.01 * s(), -0.3 * s()}, {0.0, 0.0}},
                 Vec2(-0.5 * s() + 1e-5 * s(), 0.0), 0.0, true);
  in.material(rod, 0.0, 0.0);
  in.at(rod).velocity = Vec3(0.0, -v, 0.0);
  in.prepared();
  in.run(t(0.012));
  EXPECT_NEAR(-in.at(rod).velocity.y() / v, 0.75, 1e-3);
  EXPECT_NEAR(std::fabs(in.at(rod).angular_velocity.z()) * s() / v, 1.5, 1e-3);
}

/// n blocks of length s, each the share of its greatest overhang beyond the one below.
double overhang_sinks(MechanismScene scene, int n, double share, double s, double until) {
  const int table = scene.add_ground(0.0, 20.0 * s);
  scene.material(table, 1.0, 0.0);
  // the table's edge is at x = 10 s
  double edge = 10.0 * s;
  int top = -1;
  for (int k = 0; k < n; ++k) {
    edge += share * 0.5 * s / (n - k);
    top = scene.add_box(s, 0.2 * s, Vec2(edge - 0.5 * s, (0.1 + 0.2 * k) * s));
    scene.material(top, 1.0, 0.0);
  }
  scene.settings["end_at_rest"] = false;
  scene.prepared();
  const double before = scene.position(top).y();
  scene.run(until);
  return before - scene.position(top).y();
}

TEST_P(Truth, blocks_stand_out_over_an_edge_by_the_harmonic_sum) {
  for (const int n : {1, 2, 5}) {
    EXPECT_LT(std::fabs(overhang_sinks(scene(), n, 0.99, s(), t(0.5))), 1e-5 * s()) << n;
    EXPECT_GT(overhang_sinks(scene(), n, 1.01, s(), t(0.5)), 1e-4 * s()) << n;
  }
}

TEST_P(Truth, a_four_bar_linkage_leads_its_pin_through_the_known_places) {
  MechanismScene in = scene();
  in.problem.gravity = Vec3::Zero();
  const auto link = [&](const Vec2& from, const Vec2& to, int layer) {
    const Vec2 way = to - from;
    const double length = way.norm();
    const int body = in.add_box(length, 0.1 * s(), 0.5 * (from + to), std::atan2(way.y(), way.x()));
    in.body(body).layer = layer;
    return body;
  };
  const Vec2 o2(0.0, 0.0), o4(4.0 * s(), 0.0), crank_pin(s(), 0.0),
      rocker_pin(3.0416666667 * s(), 2.8428150175 * s());
  const int crank = link(o2, crank_pin, 1), coupler = link(crank_pin, rocker_pin, 2),
            rocker = link(o4, rocker_pin, 3);
  in.join(JointKind::pin, crank, Vec2(-0.5 * s(), 0.0), -1, o2);
  in.join(JointKind::pin, coupler, Vec2(-1.75 * s(), 0.0), crank, Vec2(0.5 * s(), 0.0));
  in.join(JointKind::pin, coupler, Vec2(1.75 * s(), 0.0), rocker, Vec2(1.5 * s(), 0.0));
  in.join(JointKind::pin, rocker, Vec2(-1.5 * s(), 0.0), -1, o4);
  in.join(JointKind::motor, crank, Vec2(-0.5 * s(), 0.0), -1, o2).values["speed"] =
      2.0 * kPi / t(3.6);
  in.settings["step_time"] = t(0.01);
  in.prepared();
  const auto pin = [&] {
    const Vec3 at = in.at(rocker).world_from_body * Vec3(1.5 * s(), 0.0, 0.0);
    return Vec2(at.x() / s(), at.y() / s());
  };
  const double places[4][3] = {{60, 3.3307433590, 2.9243966130},
                               {120, 2.5311963030, 2.6158393870},
                               {180, 1.825, 2.0662465973},
                               {270, 1.7774869320, 2.0150522730}};
  for (const auto& [degrees, x, y] : places) {
    in.run(t(3.6) * degrees / 360.0);
    EXPECT_NEAR(pin().x(), x, 1e-6) << degrees;
    EXPECT_NEAR(pin().y(), y, 1e-6) << degrees;
  }
  for (const auto& [name, fact] : in.method->facts(in.problem, in.state)) {
    if (name != "joints") continue;
    const std::string text = fact.line();
    const double relative = std::stod(text.substr(text.find("drift_relative") + 16));
    EXPECT_LT(relative, 1e-9) << text;
  }
}

}  // namespace
}  // namespace repose::mechanism
