#include "pile_scene.h"

namespace repose::pile {
namespace {

TEST(PileRest, a_ball_balanced_on_a_ball_is_metastable_and_one_in_a_hollow_is_not) {
  for (const double scale : {1.0, 1e-3, 1e3}) {
    PileScene top;
    top.add_wall(Vec3::Zero(), Vec3::UnitZ());
    top.add_ball(scale, Vec3(0.0, 0.0, scale), true);
    const int upper = top.add_ball(scale, Vec3(0.0, 0.0, (3.0 + 2e-9) * scale));
    const StepReport report = top.run();
    EXPECT_EQ(report.status, RunStatus::metastable) << report.why;
    EXPECT_EQ(report.body, upper);
    EXPECT_NEAR(top.center(upper).z() / scale, 3.0, 1e-8);
  }
  PileScene hollow;
  const double ring = 2.0 / std::sqrt(3.0);
  for (int i = 0; i < 3; ++i)
    hollow.add_ball(
        1.0, ring * Vec3(std::cos(2.0 * M_PI * i / 3.0), std::sin(2.0 * M_PI * i / 3.0), 0.0),
        true);
  hollow.add_wall(Vec3(0.0, 0.0, -1.0), Vec3::UnitZ());
  hollow.add_ball(1.0, Vec3(0.0, 0.0, 2.5));
  hollow.add_ball(1.0, Vec3(9.0, 0.0, 0.0));  // free to roll, and no lower anywhere
  EXPECT_EQ(hollow.run().status, RunStatus::rest);
}

/// Balls of radius 1 thrown into a box that is `k` diameters wide.
PileScene exact_box(int k, std::uint64_t seed) {
  PileScene s;
  const double half = k;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  for (const Vec3& side : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, 1, 0), Vec3(0, -1, 0)})
    s.add_wall(-half * side, side);
  Random random(seed);
  const int across = k - 1, count = 2 * k * k;
  for (int i = 0; i < count; ++i) {
    const Vec3 cell(i % across, i / across % across, i / across / across);
    const Vec3 at = 2.2 * cell + Vec3(1.0 - half, 1.0 - half, 2.0);
    s.add_ball(1.0, at + random.between(0.01, 0.19) * Vec3(1.0, 0.7, 0.4));
  }
  return s;
}

TEST(PileRest, nine_of_ten_piles_of_balls_that_fit_their_box_exactly_are_balanced) {
  // whole rows leave no room between them: the programs of such steps have no interior
  int balanced = 0;
  for (const int k : {3, 4, 5, 6})
    for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
      PileScene s = exact_box(k, seed);
      const StepReport report = s.run();
      EXPECT_GE(s.smallest_gap(s.state), 0.0);
      if (report.status != RunStatus::rest && report.status != RunStatus::metastable) continue;
      EXPECT_LT(s.unbalanced(), 1e-6);
      ++balanced;
    }
  EXPECT_GE(balanced, 18);
}

TEST(PileRest, the_symmetric_state_of_two_discs_in_a_v_is_metastable) {
  PileScene s;
  const double h = std::sqrt(0.5);
  s.add_wall(Vec3::Zero(), Vec3(h, 0.0, h));
  s.add_wall(Vec3::Zero(), Vec3(-h, 0.0, h));
  for (const double side : {1.0, -1.0}) {
    const int disc = s.add_ball(1.0, Vec3(side * (1.0 + 2e-9), 0.0, 1.0 + std::sqrt(2.0) + 4e-9));
    s.problem.bodies[disc].frozen[1] = true;
  }
  EXPECT_EQ(s.run().status, RunStatus::metastable);
}

TEST(PileRest, a_ball_that_falls_for_ever_is_named_with_its_ray) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitX());
  s.add_ball(1.0, Vec3(0.0, 0.0, 0.0), true);
  s.add_ball(1.0, Vec3(1.0, 0.0, 3.0));
  const int lost = s.add_ball(1.0, Vec3(8.0, 0.0, 3.0));
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::stopped);
  EXPECT_EQ(report.body, lost);
  EXPECT_NE(report.why.find("for ever along (0, 0, -1)"), std::string::npos) << report.why;
}

TEST(PileRest, friction_holds_no_ball_on_an_incline_as_it_rolls) {
  PileScene s;
  const double t = 10.0 * M_PI / 180.0;
  s.add_wall(Vec3::Zero(), Vec3(std::sin(t), 0.0, std::cos(t)));
  s.add_wall(Vec3(30.0, 0.0, 0.0), -Vec3::UnitX());
  const int ball = s.add_ball(1.0, (1.0 + 2e-9) * Vec3(std::sin(t), 0.0, std::cos(t)));
  const Vec3 start = s.center(ball);
  EXPECT_EQ(s.run({{"friction", 0.5}}).status, RunStatus::rest);
  EXPECT_GT((s.center(ball) - start).norm(), 10.0);
  EXPECT_LT(s.unbalanced(), 1e-6);
}

}  // namespace
}  // namespace repose::pile
