// What draws bodies to each other, as the judge is told of it.
#include <cmath>

#include <gtest/gtest.h>

#include "repose/run/judge.h"
#include "repose/run/judge_input.h"
#include "repose/shape/make.h"

namespace repose {
namespace {

constexpr double kRadius = 0.01, kMass = 0.005;  // m, kg

/// Balls at rest in space, or under gravity.
struct Balls {
  Problem problem;
  State state;

  explicit Balls(const std::vector<Vec3>& centers, double gravity = 0.0) {
    problem.gravity = {0.0, 0.0, -gravity};
    for (const Vec3& center : centers) {
      Body body;
      body.name = "ball-" + std::to_string(problem.bodies.size());
      body.shape = make_ball();
      body.mass = kMass;
      problem.bodies.push_back(body);
      BodyState at;
      at.world_from_body.position = center;
      state.bodies.push_back(at);
    }
  }
  static shape::ShapePtr make_ball() {
    shape::BallInput in;
    in.radius = kRadius;
    return shape::make_ball(in).value();
  }
  void attract(const std::string& law, double strength, const std::string& to = "",
               const Vec3& point = Vec3::Zero()) {
    Force force;
    force.kind = ForceKind::attract;
    force.body_b = to;
    force.point_b = point;
    force.values = {{"law", law}, {"strength", strength}, {"range", 0.5 * kRadius}};
    problem.forces.push_back(force);
  }
  Judgement verdict() const { return judge(problem, state, {}); }
};

TEST(attraction, balls_that_touch_along_their_pull_balance_and_balls_apart_do_not) {
  for (const char* law : {"constant", "inverse_square", "spring", "short_range"}) {
    Balls touching({{0.0, 0.0, 0.0}, {2.0 * kRadius, 0.0, 0.0}});
    touching.attract(law, 1.0);
    EXPECT_EQ(touching.verdict().balanced, check::Answer::proven) << law;
    Balls apart({{0.0, 0.0, 0.0}, {2.1 * kRadius, 0.0, 0.0}});
    apart.attract(law, 1.0);
    EXPECT_EQ(apart.verdict().balanced, check::Answer::missed) << law;
  }
}

TEST(attraction, a_short_pull_ends_at_its_range) {
  for (const double gap : {0.49, 0.51}) {
    Balls balls({{0.0, 0.0, 0.0}, {(2.0 + gap) * kRadius, 0.0, 0.0}});
    balls.attract("short_range", 1.0);
    EXPECT_EQ(judge_input(balls.problem, balls.state).loads.empty(), gap > 0.5);
  }
}

TEST(attraction, acts_on_its_group_alone_and_never_on_what_is_fixed) {
  Balls balls({{0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}, {0.0, 0.0, 0.1}});
  balls.problem.bodies[0].groups = {"drawn"};
  balls.problem.bodies[1].groups = {"other", "drawn"};
  balls.problem.bodies[2].groups = {"drawn"};
  balls.problem.bodies[2].fixed = true;
  balls.attract("constant", 3.0);
  balls.problem.forces[0].body_a = "drawn";
  const auto loads = judge_input(balls.problem, balls.state).loads;
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[0].body, 0);
  EXPECT_LT((loads[0].force - Vec3(3.0, 0.0, 0.0)).norm(), 1e-12);
  EXPECT_EQ(loads[1].body, 1);
  EXPECT_LT((loads[1].force + loads[0].force).norm(), 1e-12);
}

TEST(attraction, to_a_body_that_moves_is_as_strong_near_as_far_and_acts_on_both) {
  for (const double apart : {2.0 * kRadius, 0.5}) {
    Balls balls({{0.0, 0.0, 0.0}, {0.0, apart, 0.0}});
    balls.attract("constant", 3.0, "ball-0");
    const auto loads = judge_input(balls.problem, balls.state).loads;
    ASSERT_EQ(loads.size(), 2u);
    EXPECT_LT((loads[0].force - Vec3(0.0, 3.0, 0.0)).norm(), 1e-12) << apart;
    EXPECT_LT((loads[1].force + Vec3(0.0, 3.0, 0.0)).norm(), 1e-12) << apart;
  }
}

TEST(attraction, a_range_counts_from_the_surface_about_the_centre_of_mass) {
  // the centre of mass is half a radius beside the ball's middle: the ball about it is larger
  for (const double gap : {0.9, 1.1}) {
    Balls balls({{0.0, 0.0, 0.0}, {(2.0 + gap) * kRadius, 0.0, 0.0}});
    balls.problem.bodies[0].center_body = Vec3(0.0, 0.5 * kRadius, 0.0);
    balls.problem.bodies[1].center_body = Vec3(0.0, 0.5 * kRadius, 0.0);
    balls.attract("short_range", 1.0);  // half a radius
    balls.problem.forces[0].values["range"] = 0.0;
    EXPECT_EQ(judge_input(balls.problem, balls.state).loads.empty(), gap > 1.0);
  }
}

TEST(attraction, a_range_to_a_body_counts_from_both_surfaces) {
  for (const double gap : {0.49, 0.51}) {
    Balls balls({{0.0, 0.0, 0.0}, {(2.0 + gap) * kRadius, 0.0, 0.0}});
    balls.attract("short_range", 1.0, "ball-1");  // half a radius
    EXPECT_EQ(judge_input(balls.problem, balls.state).loads.empty(), gap > 0.5);
  }
}

TEST(attraction, to_a_body_draws_its_group_alone) {
  Balls balls({{0.0, 0.0, 0.0}, {0.1, 0.0, 0.0}, {0.0, 0.1, 0.0}});
  balls.problem.bodies[1].groups = {"drawn"};
  balls.attract("constant", 3.0, "ball-2");
  balls.problem.forces[0].body_a = "drawn";
  const auto loads = judge_input(balls.problem, balls.state).loads;
  ASSERT_EQ(loads.size(), 2u);
  EXPECT_EQ(loads[0].body, 1);
  EXPECT_EQ(loads[1].body, 2);
}

TEST(attraction, to_a_fixed_body_draws_to_the_point_where_that_body_stands) {
  Balls balls({{0.0, 0.0, 0.0}, {0.0, 0.0, 0.3}});
  balls.problem.bodies[1].fixed = true;
  balls.state.bodies[1].world_from_body.rotation = Quat(0.5, 0.5, 0.5, 0.5);  // x to y, y to z
  balls.attract("spring", 1.0, "ball-1", {0.2, 0.0, 0.0});
  const auto loads = judge_input(balls.problem, balls.state).loads;
  ASSERT_EQ(loads.size(), 1u);
  EXPECT_LT((loads[0].force - Vec3(0.0, 0.2, 0.3)).norm(), 1e-12);
}

TEST(attraction, a_ball_hangs_where_the_pull_to_a_point_equals_its_weight) {
  const double g = 9.81, strength = 2.0 * kMass * g, fade = 0.1 * kRadius;
  // strength d / sqrt(d^2 + fade^2) = weight
  const double hangs = fade / std::sqrt(3.0);
  for (const double share : {1.0, 1.01}) {
    Balls ball({{0.3, 0.2, 1.0 - share * hangs}}, g);
    ball.attract("constant", strength, "world", {0.3, 0.2, 1.0});
    EXPECT_EQ(ball.verdict().balanced,
              share == 1.0 ? check::Answer::proven : check::Answer::missed);
  }
}

TEST(attraction, action_equals_reaction) {
  Balls balls({{0.0, 0.0, 0.0}, {0.03, 0.01, 0.0}, {-0.02, 0.02, 0.03}});
  balls.attract("inverse_square", 1e-4);
  balls.attract("spring", 3.0, "ball-1");
  Vec3 sum = Vec3::Zero();
  double largest = 0.0;
  for (const check::Load& load : judge_input(balls.problem, balls.state).loads) {
    sum += load.force;
    largest = std::max(largest, load.force.norm());
  }
  EXPECT_GT(largest, 0.01);
  EXPECT_LT(sum.norm(), 1e-15);
}

}  // namespace
}  // namespace repose
