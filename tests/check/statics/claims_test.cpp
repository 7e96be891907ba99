// Whether it stands, under which class, at three scales and ten random rigid motions.
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <ostream>

#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kHalfPi = std::numbers::pi / 2;

PlacedBody fixed(PlacedBody item, const std::string& name) {
  item.fixed = true;
  item.name = name;
  return item;
}
PlacedBody named(PlacedBody item, const std::string& name) {
  item.name = name;
  return item;
}
void set_friction(Input& input, double friction) {
  for (PlacedBody& item : input.bodies) item.friction = friction;
}
/// A plane through `point` whose free side is that of `normal`.
PlacedBody wall(const Vec3& point, const Vec3& normal, const std::string& name) {
  return fixed(at(ground(), point, rotation_between(Vec3::UnitZ(), normal)), name);
}
/// Keeps unit balls at y = 0.
void add_plane_of_motion(Input& input, double s) {
  input.bodies.push_back(wall(Vec3(0, -s, 0), Vec3::UnitY(), "front"));
  input.bodies.push_back(wall(Vec3(0, s, 0), -Vec3::UnitY(), "back"));
}

Input slot(double s) {
  Input input;
  input.bodies = {wall(Vec3::Zero(), Vec3::UnitZ(), "floor"),
                  wall(Vec3::Zero(), Vec3::UnitX(), "left"),
                  wall(Vec3(3 * s, 0, 0), -Vec3::UnitX(), "right"),
                  named(at(ball(s), s * Vec3(1, 0, 1)), "low"),
                  named(at(ball(s), s * Vec3(2, 0, 1 + std::sqrt(3.0))), "high")};
  add_plane_of_motion(input, s);
  set_friction(input, 0.0);
  return input;
}

Input vee(double s, const Vec3& one, const Vec3& two) {
  Input input;
  input.bodies = {wall(Vec3::Zero(), Vec3(1, 0, 1).normalized(), "left"),
                  wall(Vec3::Zero(), Vec3(-1, 0, 1).normalized(), "right"),
                  named(at(ball(s), s * one), "one"), named(at(ball(s), s * two), "two")};
  add_plane_of_motion(input, s);
  set_friction(input, 0.0);
  return input;
}
Input vee_saddle(double s) {
  return vee(s, Vec3(-1, 0, 1 + std::sqrt(2.0)), Vec3(1, 0, 1 + std::sqrt(2.0)));
}
Input vee_lowest(double s) {
  return vee(s, Vec3(0, 0, std::sqrt(2.0)), Vec3(std::sqrt(2.0), 0, 2 * std::sqrt(2.0)));
}

Input on_three(double s) {
  Input input;
  for (int k = 0; k < 3; ++k) {
    const double turn = 4 * kHalfPi * k / 3, far = 2 / std::sqrt(3.0);
    input.bodies.push_back(
        fixed(at(ball(s), s * Vec3(far * std::cos(turn), far * std::sin(turn), 1)), "base"));
  }
  input.bodies.push_back(named(at(ball(s), s * Vec3(0, 0, 2.6329931618554521)), "top"));
  set_friction(input, 0.0);
  return input;
}
Input on_four(double s) {
  Input input;
  for (int k = 0; k < 4; ++k)
    input.bodies.push_back(fixed(at(ball(s), s * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, 1)), "base"));
  input.bodies.push_back(named(at(ball(s), s * Vec3(0, 0, 1 + std::sqrt(2.0))), "top"));
  set_friction(input, 0.0);
  return input;
}
Input ball_on_ball(double s) {
  Input input;
  input.bodies = {wall(Vec3::Zero(), Vec3::UnitZ(), "floor"),
                  fixed(at(ball(s), Vec3(0, 0, s)), "low"),
                  named(at(ball(s), Vec3(0, 0, 3 * s)), "high")};
  return input;
}
Input egg(double s, const Vec3& up_body, double height) {
  Input input;
  input.bodies = {wall(Vec3::Zero(), Vec3::UnitZ(), "floor"),
                  named(at(ellipsoid(s * Vec3(3, 2, 1)), Vec3(0, 0, s * height),
                           rotation_between(up_body, Vec3::UnitZ())),
                        "egg")};
  return input;
}
Input egg_flat(double s) {
  return egg(s, Vec3::UnitZ(), 1);
}
Input egg_on_side(double s) {
  return egg(s, Vec3::UnitY(), 2);
}
Input egg_on_end(double s) {
  return egg(s, Vec3::UnitX(), 3);
}

/// Blocks of length 1 of which number k from the top, of n, reaches `part(k)` of its limit 1/2k
/// over the next.
Input tower(double s, int blocks, const std::function<double(int)>& part) {
  Input input;
  input.bodies.push_back(fixed(at(box_mesh(s * Vec3(1, 1, 1)), s * Vec3(-0.5, 0, -0.5)), "table"));
  double edge = 0.0;
  for (int k = blocks; k >= 1; --k) {
    const double right = edge + part(k) * 0.5 / k;
    const double z = 0.05 + 0.1 * (blocks - k);
    input.bodies.push_back(named(at(box_mesh(s * Vec3(1, 0.5, 0.1)), s * Vec3(right - 0.5, 0, z)),
                                 "block " + std::to_string(k)));
    edge = right;
  }
  return input;
}
Input tower_stands(double s) {
  return tower(s, 4, [](int) { return 0.99; });
}
Input tower_falls(double s) {
  return tower(s, 4, [](int) { return 1.01; });
}

/// A board of length 2 against a wall, two feet and two heads, its mass on their middle.
Input ladder(double s, double angle) {
  Input input;
  input.bodies = {wall(Vec3::Zero(), Vec3::UnitZ(), "floor"),
                  wall(Vec3::Zero(), Vec3::UnitX(), "wall")};
  auto shape = std::make_shared<shape::Shape>();
  const double x = std::cos(angle), z = std::sin(angle);
  const Vec3 foot(x, 0, -z), head(-x, 0, z), side(0, 0.2, 0), lift(0.05 * z, 0, 0.05 * x);
  std::vector<Vec3> points{foot - side, foot + side, head - side, head + side, lift};
  for (Vec3& p : points) p *= s;
  shape->geometry =
      shape::ConvexPolyhedron{points, {{0, 2, 3, 1}, {0, 1, 4}, {1, 3, 4}, {3, 2, 4}, {2, 0, 4}}};
  shape->bounding_radius = s * 1.03;
  shape->volume.volume = 1.0;
  input.bodies.push_back(named(at(shape, s * Vec3(x, 0, z)), "ladder"));
  input.bodies[0].friction = 0.4;
  input.bodies[1].friction = 0.2;
  input.bodies[2].friction = 1.0;
  return input;
}
const double kSlipAngle = std::atan((1.0 - 0.4 * 0.2) / (2.0 * 0.4));
Input ladder_holds(double s) {
  return ladder(s, 1.01 * kSlipAngle);
}
Input ladder_slips(double s) {
  return ladder(s, 0.99 * kSlipAngle);
}

Input incline(double s, double angle) {
  Input input;
  const Quat q = rotation_from_vector(Vec3(0, angle, 0));  // downhill is +x
  input.bodies = {fixed(at(ground(), Vec3::Zero(), q), "slope"),
                  named(at(box_mesh(s * Vec3(1, 1, 0.2)), q * Vec3(0, 0, 0.1 * s), q), "block")};
  set_friction(input, 0.5);
  return input;
}
Input incline_holds(double s) {
  return incline(s, std::atan(0.99 * 0.5));
}
Input incline_slides(double s) {
  return incline(s, std::atan(1.01 * 0.5));
}

/// A unit ball in a pit: the cone of half-angle 30 degrees, apex down.
Input ball_in_cone(double s) {
  shape::RevolutionInput in;
  in.profile = {{0, -0.5}, {2.5, -0.5}, {2.5, 3}, {std::sqrt(3.0), 3}, {0, 0}};
  for (Vec2& p : in.profile) p *= s;
  in.corners = {1, 2, 3, 4};
  Input input;
  input.bodies = {fixed(at(*shape::make_revolution(in), Vec3::Zero()), "pit"),
                  named(at(ball(s), Vec3(0, 0, 2 * s)), "ball")};
  set_friction(input, 0.0);
  return input;
}

/// A block with the hollow z = rho^2 / (4 f), f = 0.25, made once for each scale.
shape::ShapePtr hollow(double s) {
  static std::map<double, shape::ShapePtr> made;
  shape::ShapePtr& out = made[s];
  if (out) return out;
  shape::FormulaInput in;
  in.parameters = {{"s", s}, {"w", 1.2}, {"low", -0.5}};
  const auto patch = [&](const char* x, const char* y, const char* z) {
    in.patches.push_back({std::string("s*(") + x + ")", std::string("s*(") + y + ")",
                          std::string("s*(") + z + ")", -1, 1, -1, 1});
  };
  const char* kSide = "low + (v+1)/2*(w^2*u^2 + w^2 - low)";
  patch("w*u", "w*v", "w^2*(u^2+v^2)");
  patch("w*u", "-w*v", "low");
  patch("w*u", "-w", kSide);
  patch("-w*u", "w", kSide);
  patch("w", "w*u", kSide);
  patch("-w", "-w*u", kSide);
  const auto solid = shape::make_formula(in);
  EXPECT_TRUE(solid) << solid.error().text();
  return out = *solid;
}
Input ball_in_hollow(double s, double radius, double height) {
  Input input;
  input.bodies = {fixed(at(hollow(s), Vec3::Zero()), "hollow"),
                  named(at(ball(s * radius), Vec3(0, 0, s * height)), "ball")};
  set_friction(input, 0.0);
  return input;
}
Input small_in_hollow(double s) {
  return ball_in_hollow(s, 0.4, 0.4);  // on the vertex
}
Input large_in_hollow(double s) {
  return ball_in_hollow(s, 1.0, 1.25);  // on a ring
}

/// Tilted by t, the ring's centre rises by 0.866 t^2.
Input torus_on_cone(double s) {
  const double a = std::numbers::pi / 6;
  Input input;
  input.bodies = {
      fixed(at(cone(a, 3.0 * s), Vec3::Zero()), "cone"),
      named(at(torus(s, 0.25 * s), Vec3(0, 0, s * (0.25 - std::cos(a)) / std::sin(a))), "ring")};
  set_friction(input, 0.0);
  return input;
}

/// The whole scene turned and moved, gravity turned along.
Input moved(Input input, const Pose& by) {
  for (PlacedBody& item : input.bodies) item.world_from_body = by * item.world_from_body;
  input.gravity = by.turn(input.gravity);
  return input;
}

struct Case {
  const char* name;
  Input (*build)(double scale);
  Answer balanced;
  StabilityClass kind;
  int motions = 10;
  int mover = -1;           // whom the witness names
  Vec3 way = Vec3::Zero();  // of its centre, unmoved; zero: not asked
};

void PrintTo(const Case& c, std::ostream* out) {
  *out << c.name;
}

class Claims : public ::testing::TestWithParam<Case> {};

TEST_P(Claims, are_right_at_every_scale_and_under_every_rigid_motion) {
  const Case& c = GetParam();
  Random random(17);
  Settings settings;
  settings.tolerance = 1e-6;
  settings.gap.width = 1e-6;
  settings.stability.margins = false;
  settings.ranges.max_contacts = 0;
  for (int k = 0; k < c.motions; ++k)
    for (const double scale : {1e-3, 1.0, 1e3}) {
      const Pose by{scale * 3.0 * random_direction(random), random_rotation(random)};
      const Verdict v = check(moved(c.build(scale), by), settings);
      ASSERT_EQ(v.overlap, Answer::proven) << c.name << ' ' << scale << ' ' << v.why;
      ASSERT_EQ(v.balanced, c.balanced) << c.name << ' ' << scale << ' ' << v.balance.residual;
      ASSERT_EQ(v.stability.kind, c.kind) << c.name << ' ' << scale << ' ' << v.stability.why;
      EXPECT_FALSE(v.why.empty());
      if (c.mover < 0) continue;
      const Screw& s = v.stability.witness;
      ASSERT_EQ(s.body, c.mover) << c.name;
      EXPECT_GT(s.power, 0.0);
      if (c.way.isZero(0.0)) continue;
      EXPECT_GT(s.velocity.dot(by.turn(c.way.normalized())), 0.2 * s.velocity.norm());
    }
}

INSTANTIATE_TEST_SUITE_P(
    Truth, Claims,
    ::testing::Values(
        Case{"slot", slot, Answer::proven, StabilityClass::stable},
        Case{"vee_saddle", vee_saddle, Answer::proven, StabilityClass::metastable},
        Case{"vee_lowest", vee_lowest, Answer::proven, StabilityClass::stable},
        Case{"on_three", on_three, Answer::proven, StabilityClass::stable},
        Case{"on_four", on_four, Answer::proven, StabilityClass::stable},
        Case{"ball_on_ball", ball_on_ball, Answer::proven, StabilityClass::metastable, 10, 2},
        Case{"egg_flat", egg_flat, Answer::proven, StabilityClass::stable},
        Case{"egg_on_side", egg_on_side, Answer::proven, StabilityClass::metastable, 10, 1},
        Case{"egg_on_end", egg_on_end, Answer::proven, StabilityClass::metastable, 10, 1},
        Case{"ball_in_cone", ball_in_cone, Answer::proven, StabilityClass::stable},
        Case{"small_in_hollow", small_in_hollow, Answer::proven, StabilityClass::stable},
        Case{"large_in_hollow", large_in_hollow, Answer::proven, StabilityClass::stable},
        Case{"torus_on_cone", torus_on_cone, Answer::proven, StabilityClass::stable, 2},
        Case{"tower_stands", tower_stands, Answer::proven, StabilityClass::stable},
        Case{"tower_falls", tower_falls, Answer::missed, StabilityClass::unstable},
        Case{"ladder_holds", ladder_holds, Answer::proven, StabilityClass::stable},
        Case{"ladder_slips", ladder_slips, Answer::missed, StabilityClass::unstable, 10, 2,
             Vec3(1, 0, -1)},
        Case{"incline_holds", incline_holds, Answer::proven, StabilityClass::stable},
        Case{"incline_slides", incline_slides, Answer::missed, StabilityClass::unstable, 10, 1,
             Vec3(1, 0, -0.5)}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST(Claim, the_witness_is_the_block_that_reaches_too_far) {
  for (int loose = 1; loose <= 3; ++loose) {
    // those above it just hold, those below well within their limits
    const Input input = tower(1.0, 3, [&](int k) {
      return k == loose ? 1.1 : k < loose ? 0.99 : 0.5;
    });
    const Verdict v = check(input);
    ASSERT_EQ(v.stability.kind, StabilityClass::unstable) << loose;
    const Screw& s = v.stability.witness;
    // what lies on it tips with it, the farther up the faster
    EXPECT_GE(s.body, 4 - loose) << loose;
    EXPECT_GT(s.angular.y(), 0.0);
    EXPECT_GT(s.power, 0.0);
    const auto& per_body = v.balance.per_body;
    for (int below = 1; below < 4 - loose; ++below)
      EXPECT_LT(per_body[static_cast<std::size_t>(below)], 0.5 * v.balance.residual) << loose;
  }
}

TEST(Claim, margins_are_those_of_closed_form) {
  // a slab slides before it tips
  Input slab = incline(1.0, 0.0);
  Verdict v = check(slab);
  EXPECT_NEAR(v.stability.margins.tilt, std::atan(0.5), 3e-3);
  EXPECT_EQ(v.stability.margins.friction, 0.0);
  EXPECT_EQ(v.stability.margins.first_if_tilted.body, 1);
  EXPECT_EQ(v.stability.margins.load, -1.0) << "it bears no loads";
  // a quarter of its weight pushes it: twice that overcomes friction
  slab.loads.push_back({1, Vec3(0.25 * 9.81, 0, 0), Vec3(0, 0, 0.1), Vec3::Zero()});
  v = check(slab);
  EXPECT_EQ(v.balanced, Answer::proven) << v.why;
  EXPECT_NEAR(v.stability.margins.load, 2.0, 1e-2);
  EXPECT_NEAR(v.stability.margins.friction, 0.25, 3e-3);
  // a slope's friction
  v = check(incline(1.0, std::atan(0.3)));
  EXPECT_NEAR(v.stability.margins.friction, 0.3, 3e-3);
  EXPECT_NEAR(v.stability.margins.tilt, std::atan(0.5) - std::atan(0.3), 3e-3);
  // a tall box tips before it slides
  Input tall;
  tall.bodies = {wall(Vec3::Zero(), Vec3::UnitZ(), "floor"),
                 named(at(box_mesh(Vec3(0.2, 0.5, 1)), Vec3(0, 0, 0.5)), "tall")};
  set_friction(tall, 0.8);
  Settings finer;
  finer.stability.tilt_directions = 16;
  v = check(tall, finer);
  EXPECT_NEAR(v.stability.margins.tilt, std::atan(0.2), 5e-3);
  const Screw& first = v.stability.margins.first_if_tilted;
  EXPECT_EQ(first.body, 1);
  EXPECT_GT(std::fabs(first.angular.y()), 5.0 * std::fabs(first.angular.x()));
}

TEST(Claim, a_cube_on_an_edge_or_a_corner_is_balanced_but_tips) {
  const auto cube = box_mesh(Vec3(1, 1, 1));
  Input input;
  input.bodies = {
      wall(Vec3::Zero(), Vec3::UnitZ(), "floor"),
      named(at(cube, Vec3(0, 0, std::sqrt(0.5)), rotation_from_vector(Vec3(0, kHalfPi / 2, 0))),
            "cube")};
  Verdict v = check(input);
  EXPECT_EQ(v.balanced, Answer::proven) << v.why;
  EXPECT_EQ(v.stability.kind, StabilityClass::metastable);
  EXPECT_GT(std::fabs(v.stability.witness.angular.y()), 0.9 * v.stability.witness.angular.norm());
  input.bodies[1].world_from_body = {
      Vec3(0, 0, std::sqrt(0.75)), rotation_between(Vec3(-1, -1, -1).normalized(), -Vec3::UnitZ())};
  v = check(input);
  EXPECT_EQ(v.balanced, Answer::proven) << v.why;
  EXPECT_EQ(v.contacts.size(), 1u);
  EXPECT_EQ(v.stability.kind, StabilityClass::metastable);
  // upright on a face it stands
  input.bodies[1].world_from_body = {Vec3(0, 0, 0.5), Quat::Identity()};
  EXPECT_EQ(check(input).stability.kind, StabilityClass::stable);
}

TEST(Claim, a_joint_that_holds_the_turn_keeps_a_ball_on_a_ball) {
  for (const bool held_is_b : {true, false}) {
    Input input = ball_on_ball(1.0);
    Restraint hold;
    hold.body_a = held_is_b ? -1 : 2;
    hold.body_b = held_is_b ? 2 : -1;
    hold.torques = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    input.restraints = {hold};
    EXPECT_EQ(check(input).stability.kind, StabilityClass::stable) << held_is_b;
    input.restraints[0].torques = {Vec3::UnitX()};
    EXPECT_EQ(check(input).stability.kind, StabilityClass::metastable) << held_is_b;
  }
}

TEST(Claim, frozen_freedoms_do_not_move) {
  Input input = ball_on_ball(1.0);
  input.bodies[2].frozen = {true, true, false, true, true, false};
  EXPECT_EQ(check(input).stability.kind, StabilityClass::stable);
  input.bodies[2].frozen = {true, false, false, false, true, false};
  const Verdict v = check(input);
  EXPECT_EQ(v.stability.kind, StabilityClass::metastable);
  EXPECT_GT(std::fabs(v.stability.witness.angular.x()), 0.1);
  EXPECT_LT(std::fabs(v.stability.witness.velocity.x()), 1e-6);
}

TEST(Claim, the_deepest_overlap_is_named_first) {
  Input input;
  input.bodies = {wall(Vec3::Zero(), Vec3::UnitZ(), "floor"),
                  named(at(ball(1.0), Vec3(0, 0, 0.999)), "shallow"),
                  named(at(ball(1.0), Vec3(5, 0, 0.9)), "deep"),
                  named(at(ball(1.0), Vec3(10, 0, 0.99)), "middle")};
  const Verdict v = check(input);
  ASSERT_EQ(v.overlaps.size(), 3u);
  EXPECT_EQ(v.overlaps[0].body_b, 2);
  EXPECT_EQ(v.overlaps[1].body_b, 3);
  EXPECT_NE(v.why.find("deep"), std::string::npos);
}

TEST(Claim, pushes_and_torques_are_loads) {
  // a ball between floor and wall pushed against the wall
  Input input;
  input.bodies = {wall(Vec3::Zero(), Vec3::UnitZ(), "floor"),
                  wall(Vec3(1, 0, 0), -Vec3::UnitX(), "wall"),
                  named(at(ball(1.0), Vec3(0, 0, 1)), "ball")};
  set_friction(input, 0.0);
  input.loads = {{2, Vec3(7.0, 0, 0), Vec3(0, 0, 1), Vec3::Zero()}};
  Verdict v = check(input);
  ASSERT_EQ(v.balanced, Answer::proven) << v.why;
  for (std::size_t c = 0; c < v.contacts.size(); ++c)
    EXPECT_NEAR(v.balance.forces_on_b[c].norm(), v.contacts[c].body_a == 0 ? 9.81 : 7.0, 1e-5);
  input.loads[0].torque = Vec3(0, 1.0, 0);
  EXPECT_EQ(check(input).balanced, Answer::missed) << "nothing holds the turn without friction";
  input.loads[0].torque.setZero();
  input.loads[0].point_world = Vec3(0, 0, 1.5);
  EXPECT_EQ(check(input).balanced, Answer::missed);
}

}  // namespace
}  // namespace repose::check
