#include <cmath>

#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "check/shapes.h"

namespace repose::check {
namespace {

PlacedBody fixed(PlacedBody item, const std::string& name) {
  item.fixed = true;
  item.name = name;
  return item;
}
PlacedBody named(PlacedBody item, const std::string& name, double friction = 0.5) {
  item.name = name;
  item.friction = friction;
  return item;
}

/// Blocks of length 1 shifted so that each reaches `part` of the harmonic overhang limit.
Input tower(int blocks, double part) {
  Input input;
  input.bodies.push_back(fixed(at(box_mesh(Vec3(1, 1, 1)), Vec3(-0.5, 0, -0.5)), "table"));
  double edge = 0.0;  // x of the right edge of what stands below
  for (int k = blocks; k >= 1; --k) {
    const double right = edge + part * 0.5 / k;
    const double z = 0.05 + 0.1 * (blocks - k);
    input.bodies.push_back(named(at(box_mesh(Vec3(1, 0.5, 0.1)), Vec3(right - 0.5, 0, z)),
                                 "block " + std::to_string(blocks - k + 1)));
    edge = right;
  }
  return input;
}

TEST(Rest, a_tower_stands_below_its_overhang_limit_and_falls_above) {
  const Verdict stands = check(tower(3, 0.99));
  EXPECT_EQ(stands.overlap, Answer::proven) << stands.why;
  EXPECT_EQ(stands.balanced, Answer::proven) << stands.why;
  EXPECT_EQ(stands.stability.kind, StabilityClass::stable);
  const Input leaning = tower(3, 1.01);
  const Verdict falls = check(leaning);
  EXPECT_EQ(falls.balanced, Answer::missed) << falls.balance.residual;
  ASSERT_GE(falls.stability.witness.body, 1);
  EXPECT_GT(falls.stability.witness.angular.y(), 0.0);  // tips over the edge, towards +x
}

Input incline(double angle, double friction) {
  Input input;
  const Quat q = rotation_from_vector(Vec3(0, angle, 0));  // downhill is +x
  input.bodies.push_back(fixed(at(ground(), Vec3::Zero(), q), "slope"));
  input.bodies.push_back(named(at(box_mesh(Vec3(1, 1, 0.2)), q * Vec3(0, 0, 0.1), q), "block"));
  for (PlacedBody& item : input.bodies) item.friction = friction;
  return input;
}

TEST(Rest, a_block_on_an_incline_slides_when_the_tangent_exceeds_friction) {
  const double limit = std::atan(0.5);
  const Verdict holds = check(incline(0.99 * limit, 0.5));
  EXPECT_EQ(holds.answer, Answer::proven) << holds.why;
  EXPECT_NEAR(holds.stability.margins.friction, std::tan(0.99 * limit), 5e-3);
  const Verdict slides = check(incline(1.01 * limit, 0.5));
  EXPECT_EQ(slides.balanced, Answer::missed);
  EXPECT_EQ(slides.stability.witness.body, 1);
  EXPECT_GT(slides.stability.witness.velocity.x(), 0.0);
}

/// A thin rod of length 2 against a wall at x = 0, its foot on the floor at angle t.
Input ladder(double angle) {
  Input input;
  const double half_pi = std::acos(0.0);
  input.bodies.push_back(fixed(at(ground(), Vec3::Zero()), "floor"));
  input.bodies.push_back(
      fixed(at(ground(), Vec3::Zero(), rotation_from_vector(Vec3(0, half_pi, 0))), "wall"));
  auto shape = std::make_shared<shape::Shape>();
  const double c = std::cos(angle), s = std::sin(angle);
  const Vec3 foot(c, 0, -s), head(-c, 0, s);
  shape->geometry =
      shape::ConvexPolyhedron{{foot, head, 0.5 * (foot + head) + Vec3(0.01 * s, 0.1, 0.01 * c),
                               0.5 * (foot + head) + Vec3(0.01 * s, -0.1, 0.01 * c)},
                              {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}};
  shape->bounding_radius = 1.0;
  shape->volume.volume = 1.0;
  input.bodies.push_back(named(at(shape, Vec3(c, 0, s)), "ladder"));
  input.bodies[0].friction = 0.4;
  input.bodies[1].friction = 0.2;
  input.bodies[2].friction = 1.0;
  return input;
}

TEST(Rest, a_ladder_slips_below_its_angle) {
  const double limit = std::atan((1.0 - 0.4 * 0.2) / (2.0 * 0.4));
  // sideways a rod on two points is free to swing; the plane of the ladder is what is asked
  const auto held = [](Input input) {
    input.bodies[2].frozen = {false, true, false, true, false, true};
    return input;
  };
  EXPECT_EQ(check(held(ladder(1.01 * limit))).balanced, Answer::proven);
  const Verdict slips = check(held(ladder(0.99 * limit)));
  EXPECT_EQ(slips.balanced, Answer::missed);
  EXPECT_GT(slips.stability.witness.velocity.x(), 0.0);
}

TEST(Rest, an_ellipsoid_is_stable_only_on_its_flat_side) {
  Input input;
  input.bodies.push_back(fixed(at(ground(), Vec3::Zero()), "floor"));
  input.bodies.push_back(named(at(ellipsoid(Vec3(3, 2, 1)), Vec3(0, 0, 1)), "egg"));
  EXPECT_EQ(check(input).stability.kind, StabilityClass::stable);
  input.bodies[1].world_from_body = {Vec3(0, 0, 3), rotation_between(Vec3::UnitX(), Vec3::UnitZ())};
  const Verdict upright = check(input);
  EXPECT_EQ(upright.balanced, Answer::proven) << upright.why;
  EXPECT_EQ(upright.stability.kind, StabilityClass::metastable);
}

TEST(Rest, a_ball_that_touches_within_the_tolerance_rolls_level) {
  Input input;
  input.bodies.push_back(fixed(at(ground(), Vec3::Zero()), "floor"));
  input.bodies.push_back(named(at(ball(1.0), Vec3(0, 0, 1.0 + 2e-7)), "ball"));
  const Verdict rolls = check(input);
  EXPECT_EQ(rolls.balanced, Answer::proven) << rolls.why;
  EXPECT_EQ(rolls.stability.kind, StabilityClass::stable) << rolls.why;
}

TEST(Rest, a_torus_rests_on_a_cone_all_round) {
  const double a = std::numbers::pi / 6;
  Input input;
  input.bodies.push_back(fixed(at(cone(a, 3.0), Vec3::Zero()), "cone"));
  input.bodies.push_back(
      named(at(torus(1, 0.25), Vec3(0, 0, (0.25 - std::cos(a)) / std::sin(a))), "ring", 0.0));
  Settings settings;
  settings.tolerance = 1e-4;
  settings.gap.width = 1e-4;
  settings.stability.margins = false;
  settings.contact.merge = 0.1;
  const Verdict v = check(input, settings);
  EXPECT_EQ(v.answer, Answer::proven) << v.why << " " << v.balance.residual;
  EXPECT_GE(v.contacts.size(), 8u);
}

/// A plane box.
shape::ShapePtr plate(double w, double h) {
  auto s = std::make_shared<shape::Shape>();
  s->geometry =
      shape::PlaneRegion{{{{Vec2(-w, -h), Vec2(w, -h), Vec2(w, h), Vec2(-w, h)}, {}}}, {}, 0.1};
  s->bounding_radius = std::hypot(w, h);
  return s;
}

TEST(Rest, plates_of_the_plane_stack_and_layers_do_not_meet) {
  Input input;
  input.gravity = Vec3(0, -9.81, 0);
  input.bodies.push_back(fixed(at(plate(5, 0.5), Vec3(0, -0.5, 0)), "floor"));
  input.bodies.push_back(named(at(plate(0.5, 0.5), Vec3(0, 0.5, 0)), "low"));
  input.bodies.push_back(named(at(plate(0.5, 0.5), Vec3(0.3, 1.5, 0)), "high"));
  const Verdict v = check(input);
  EXPECT_EQ(v.answer, Answer::proven) << v.why;
  EXPECT_EQ(v.stability.kind, StabilityClass::stable);
  input.bodies[2].world_from_body.position.y() -= 1e-4;
  EXPECT_EQ(check(input).overlap, Answer::missed);
  input.bodies[2].layer = 1;
  EXPECT_EQ(check(input).overlap, Answer::proven);
}

TEST(Rest, rings_lie_on_the_ground_all_round) {
  const auto ring = shape::make_torus({0.08, 0.025});
  ASSERT_TRUE(ring);
  for (const double turn : {0.0, 0.4, 2.0}) {
    const Quat q = rotation_from_vector(Vec3(0, 0, turn));
    for (const double above : {0.0, 2e-11, 3e-9}) {
      Input input;
      input.bodies = {fixed(at(ground(), Vec3(0.3, -0.2, 0.0)), "ground"),
                      named(at(*ring, Vec3(0.01, 0.02, 0.025 + above), q), "ring")};
      const Verdict lies = check(input);
      EXPECT_EQ(lies.balanced, Answer::proven) << lies.why << " at " << turn << ", " << above;
      EXPECT_EQ(lies.stability.kind, StabilityClass::stable);
      EXPECT_GE(lies.contacts.size(), 12u);
    }
  }
}

Input on_ground(int count, const Vec3& size, const Vec3& step) {
  Input input;
  input.bodies.push_back(at(ground(), Vec3::Zero()));
  input.bodies.back().fixed = true;
  const auto box = shape::make_box({size}).value();
  for (int k = 0; k < count; ++k) {
    input.bodies.push_back(at(box, Vec3(0, 0, 0.5 * size.z()) + k * step));
    input.bodies.back().name = "box " + std::to_string(k);
  }
  return input;
}

/// A block of width 1 between two, its lower edges at the height of their upper ones; `slot` is how
/// far these are apart. Blocks of any make.
template <class Make>
Verdict over_slot(const Make& make, double slot, double scale, double friction) {
  Input input;
  const auto block = make(Vec3(scale * Vec3(1.0, 1.0, 1.0)));
  for (const double side : {-1.0, 1.0})
    input.bodies.push_back(
        fixed(at(block, scale * Vec3(side * 0.5 * (slot + 1.0), 0, -0.5)), "wall"));
  input.bodies.push_back(named(at(block, scale * Vec3(0, 0, 0.5)), "block"));
  for (PlacedBody& item : input.bodies) item.friction = friction;
  return check(input);
}

TEST(Rest, a_block_over_a_slot_as_wide_as_it_is_is_not_called_balanced) {
  const auto solid = [](const Vec3& size) { return shape::make_box({size}).value(); };
  const auto mesh = [](const Vec3& size) { return box_mesh(size); };
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double friction : {0.0, 0.5}) {
      // it may fall straight down between the two, which it does not overlap on its way
      for (const double play : {0.0, 1e-8, 1e-7, 5e-7}) {
        EXPECT_NE(over_slot(solid, 1.0 + play, scale, friction).balanced, Answer::proven) << play;
        EXPECT_NE(over_slot(mesh, 1.0 + play, scale, friction).balanced, Answer::proven) << play;
      }
      // ledges of a thousandth, or of five hundred-thousandths, carry it
      for (const double ledge : {1e-3, 1e-4}) {
        const Verdict held = over_slot(solid, 1.0 - ledge, scale, friction);
        EXPECT_EQ(held.balanced, Answer::proven) << ledge << ": " << held.why;
        EXPECT_EQ(over_slot(mesh, 1.0 - ledge, scale, friction).balanced, Answer::proven) << ledge;
      }
    }
}

TEST(Rest, blocks_stacked_edge_above_edge_carry_one_another) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    Input input;
    const auto block = shape::make_box({Vec3(scale * Vec3(1.0, 0.5, 0.25))}).value();
    input.bodies.push_back(fixed(at(block, Vec3::Zero()), "lowest"));
    for (int k = 1; k <= 4; ++k)
      input.bodies.push_back(named(at(block, scale * Vec3(0, 0, 0.25 * k)), "block"));
    const Verdict said = check(input);
    EXPECT_EQ(said.balanced, Answer::proven) << said.why;
    EXPECT_EQ(said.stability.kind, StabilityClass::stable) << said.why;
  }
}

TEST(Margins, of_more_than_twenty_bodies_are_those_of_closed_form) {
  // sixty slabs side by side slide at the angle of friction, none sooner
  Input slabs = on_ground(60, Vec3(1, 1, 0.2), Vec3(1.5, 0, 0));
  slabs.loads.push_back({7, Vec3(0.125 * 9.81, 0, 0), Vec3(9, 0, 0.1), Vec3::Zero()});
  Verdict v = check(slabs);
  EXPECT_EQ(v.balanced, Answer::proven);
  EXPECT_NEAR(v.stability.margins.load, 4.0, 1e-2);
  EXPECT_NEAR(v.stability.margins.friction, 0.125, 3e-3);
  EXPECT_EQ(v.stability.margins.open, "");
  slabs.loads.clear();
  v = check(slabs);
  EXPECT_NEAR(v.stability.margins.tilt, std::atan(0.5), 3e-3);
  EXPECT_EQ(v.stability.margins.friction, 0.0);
  EXPECT_EQ(v.stability.margins.load, -1.0);
  // a tower of 24 cubes tips as one
  Settings more;
  more.stability.margin_work = 2e8;
  v = check(on_ground(24, Vec3::Ones(), Vec3(0, 0, 1)), more);
  EXPECT_NEAR(v.stability.margins.tilt, std::atan(1.0 / 24.0), 2e-3);
  EXPECT_EQ(v.stability.margins.friction, 0.0);
  EXPECT_GE(v.stability.margins.first_if_tilted.body, 1);
}

TEST(Rest, a_tower_of_many_bodies_stands_and_one_pulled_from_under_falls) {
  Settings settings;
  settings.stability.margins = false;
  settings.judge_stability = false;
  for (const int count : {19, 20, 21, 60}) {
    Input tower = on_ground(count, Vec3::Ones(), Vec3(0, 0, 1));
    const Verdict stands = check(tower, settings);
    EXPECT_EQ(stands.balanced, Answer::proven) << count << ": " << stands.why;
    EXPECT_LE(stands.balance.residual, 1e-6);
    // the top third shifted beyond its edge tips
    for (int k = count - count / 3; k < count; ++k)
      tower.bodies[static_cast<std::size_t>(k) + 1].world_from_body.position.x() = 0.6;
    const Verdict tips = check(tower, settings);
    EXPECT_NE(tips.balanced, Answer::proven) << count;
    if (count < 60) {
      EXPECT_EQ(tips.balanced, Answer::missed) << count << ": " << tips.why;
    }
  }
}

TEST(Margins, not_computed_within_the_work_allowed_say_so) {
  const Input slabs = on_ground(3, Vec3(1, 1, 0.2), Vec3(1.5, 0, 0));
  Settings settings;
  settings.stability.margin_work = 200.0;
  const Verdict v = check(slabs, settings);
  EXPECT_EQ(v.balanced, Answer::proven);
  EXPECT_EQ(v.stability.margins.tilt, -1.0);
  EXPECT_EQ(v.stability.margins.friction, -1.0);
  EXPECT_EQ(v.stability.margins.load, -1.0);
  EXPECT_NE(v.stability.margins.open.find("not computed"), std::string::npos);
  EXPECT_NE(v.stability.margins.open.find("200"), std::string::npos);
  EXPECT_NE(to_json(v, slabs).tall().find("not computed"), std::string::npos);
  EXPECT_NE(to_summary(v, slabs).find("not computed"), std::string::npos);
  settings.stability.margins = false;
  EXPECT_EQ(check(slabs, settings).stability.margins.open, "");
}

TEST(Stability, a_board_on_a_can_rocks_back_while_it_is_thinner_than_the_can) {
  // rolling by t the centre rises by (R - h / 2) t^2 / 2, wherever the board's edges cross the line
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double length : {2.0, 0.8, 0.5})
      for (const double thicker : {-0.05, -0.01, 0.01, 0.05})
        for (const bool as_mesh : {false, true}) {
          const Vec3 size = scale * Vec3(1.0, 0.8, 1.0 + thicker);
          Input input;
          input.bodies = {at(shape::make_cylinder({0.5 * scale, length * scale}).value(),
                             Vec3::Zero(), rotation_from_vector(Vec3(std::acos(0.0), 0, 0))),
                          at(as_mesh ? box_mesh(size) : shape::make_box({size}).value(),
                             Vec3(0, 0, 0.5 * scale + 0.5 * size.z()))};
          input.bodies[0].fixed = true;
          for (PlacedBody& body : input.bodies) body.friction = 0.9;
          const Verdict v = check(input);
          EXPECT_EQ(v.balanced, Answer::proven) << v.why;
          EXPECT_EQ(v.stability.kind,
                    thicker < 0.0 ? StabilityClass::stable : StabilityClass::metastable)
              << scale << ' ' << length << ' ' << thicker << ' ' << as_mesh;
        }
}

}  // namespace
}  // namespace repose::check
