// Contacts where a patch shrinks to a point, in valleys of meshes, and what stays level.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

PlacedBody named(PlacedBody item, const std::string& name, bool fixed, double friction) {
  item.name = name;
  item.fixed = fixed;
  item.friction = friction;
  return item;
}
Input on_ground(const shape::ShapePtr& shape, const Vec3& place, const Quat& turn,
                double friction = 0.5) {
  Input input;
  input.bodies.push_back(named(at(ground(), Vec3::Zero()), "ground", true, friction));
  input.bodies.push_back(named(at(shape, place, turn), "body", false, friction));
  return input;
}
/// The body turned by `turn` and set down on the ground.
Input set_down(const shape::ShapePtr& shape, const Quat& turn, double friction = 0.5) {
  Input input = on_ground(shape, Vec3::Zero(), turn, friction);
  const GapBracket g = gap(input.bodies[0], input.bodies[1], {.width = 1e-11});
  input.bodies[1].world_from_body.position.z() -= 0.5 * (g.lower + g.upper);
  return input;
}

/// Round about z, the pole below at z = -height, curved there like a ball of `radius`.
std::vector<shape::ShapePtr> poled(double scale) {
  std::vector<shape::ShapePtr> out;
  // revolved: a half ball and a flatter bowl shape
  std::vector<Vec2> arc;
  for (int k = 0; k < 8; ++k) {
    const double t = 0.5 * std::numbers::pi * k / 8;
    arc.emplace_back(scale * std::cos(t), -scale * std::sin(t));
  }
  arc.emplace_back(0.0, -scale);
  out.push_back(shape::make_revolution({arc, {0}}).value());
  out.push_back(shape::make_revolution(
                    {{scale * Vec2(1, 0), scale * Vec2(0.75, -0.7), scale * Vec2(0, -1)}, {0}})
                    .value());
  // a formula: a paraboloid's cup closed by a disc
  shape::FormulaInput cup;
  cup.parameters = {{"s", scale}};
  cup.patches.push_back({"s*v*cos(u)", "s*v*sin(u)", "s*(0.5*v*v-1)", 0, 6.283185307179586, 0, 1});
  cup.patches.push_back({"s*v*cos(u)", "s*v*sin(u)", "s*(-0.5)", 0, 6.283185307179586, 0, 1});
  out.push_back(shape::make_formula(cup).value());
  return out;
}

TEST(Poles, bodies_stand_on_them) {
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const auto& shape : poled(scale))
      for (const double tilt : {0.0, 1e-4, 0.01, 1.0}) {
        // about an axis that is no patch's own
        const Input input =
            set_down(shape, rotation_from_vector(tilt * kDegree * Vec3(0.8, 0.6, 0)));
        const auto contacts = find_contacts(input.bodies[0], input.bodies[1]);
        ASSERT_FALSE(contacts.empty()) << name_of(shape->kind) << ' ' << scale << ' ' << tilt;
        EXPECT_LT((contacts[0].normal_a_to_b - Vec3::UnitZ()).norm(), 1e-6);
        if (tilt > 0.0) continue;
        const Verdict v = check(input);
        EXPECT_EQ(v.answer, Answer::proven) << name_of(shape->kind) << ' ' << scale << ' ' << v.why;
        EXPECT_EQ(v.stability.kind, StabilityClass::stable) << name_of(shape->kind) << ' ' << v.why;
      }
}

TEST(Poles, bend_as_the_surface_does) {
  // a ball's half: 1 / radius in every direction
  const auto half = poled(2.0)[0];
  const Input input = set_down(half, Quat::Identity());
  const auto contacts = find_contacts(input.bodies[0], input.bodies[1]);
  ASSERT_EQ(contacts.size(), 1u);
  const Mat3 across = Mat3(Vec3(1, 1, 0).asDiagonal());
  EXPECT_LT((contacts[0].curvature_b - 0.5 * across).norm(), 0.02);
}

/// A block with a groove along y: walls of slope 1 that meet at (0, y, 0).
shape::ShapePtr grooved() {
  std::vector<Vec3> p;
  for (const double y : {-2.0, 2.0})
    for (const auto& [x, z] :
         {std::pair(-2.0, -1.0), {2.0, -1.0}, {2.0, 2.0}, {0.0, 0.0}, {-2.0, 2.0}})
      p.emplace_back(x, y, z);
  std::vector<std::array<int, 3>> t;
  // the ends, as two triangles and one beside the groove each
  for (const auto& [a, b, c] : {std::array{0, 1, 3}, {1, 2, 3}, {0, 3, 4}}) {
    t.push_back({a, b, c});
    t.push_back({5 + a, 5 + c, 5 + b});
  }
  for (int k = 0; k < 5; ++k) {
    const int l = (k + 1) % 5;
    t.push_back({k, 5 + k, 5 + l});
    t.push_back({k, 5 + l, l});
  }
  return shape::make_mesh({{p, t}, false}).value();
}

TEST(Valleys, a_wedge_stands_in_a_groove) {
  const auto block = grooved();
  for (const double length : {1.0, 6.0})     // shorter and longer than the groove
    for (const double slope : {1.0, 2.0}) {  // fills it, and touches with its edge alone
      // a prism whose edge lies along y below, flat on top
      const double w = 1.0 / slope, h = 0.5 * length;
      const auto wedge = shape::make_convex({{Vec3(0, -h, 0), Vec3(0, h, 0), Vec3(-w, -h, 1),
                                              Vec3(-w, h, 1), Vec3(w, -h, 1), Vec3(w, h, 1)},
                                             {}})
                             .value();
      Input input;
      input.bodies.push_back(named(at(block, Vec3::Zero()), "block", true, 0.0));
      input.bodies.push_back(named(at(wedge, Vec3::Zero()), "wedge", false, 0.0));
      const auto contacts = find_contacts(input.bodies[0], input.bodies[1]);
      bool left = false, right = false;
      const Vec3 n(std::sqrt(0.5), 0, std::sqrt(0.5));
      for (const ContactPoint& c : contacts) {
        left = left || (c.normal_a_to_b - n).norm() < 1e-6;
        right = right || (c.normal_a_to_b - Vec3(-n.x(), 0, n.z())).norm() < 1e-6;
      }
      EXPECT_TRUE(left && right) << length << ' ' << slope << ' ' << contacts.size();
      const Verdict v = check(input);
      EXPECT_EQ(v.overlap, Answer::proven) << v.why;
      EXPECT_EQ(v.balanced, Answer::proven) << length << ' ' << slope << ' ' << v.why;
      // it slides along the groove, level
      if (slope == 1.0) {
        EXPECT_EQ(v.stability.kind, StabilityClass::stable) << length << ' ' << v.why;
      }
    }
}

TEST(Valleys, a_spike_stands_in_a_pit) {
  // a pit of four walls with its lowest point at the origin, and a steeper spike in it
  std::vector<Vec3> p{Vec3(0, 0, 0)};
  for (const double z : {1.0, -1.0})
    for (const auto& [x, y] : {std::pair(-1.0, -1.0), {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}})
      p.emplace_back(x, y, z);
  std::vector<std::array<int, 3>> t{{5, 7, 6}, {5, 8, 7}};
  for (int k = 0; k < 4; ++k) {
    const int l = (k + 1) % 4;
    t.push_back({0, 1 + k, 1 + l});
    t.push_back({5 + k, 5 + l, 1 + l});
    t.push_back({5 + k, 1 + l, 1 + k});
  }
  const auto pit = shape::make_mesh({{p, t}, false}).value();
  const auto spike = shape::make_convex({{Vec3(0, 0, 0), Vec3(-0.3, -0.3, 2), Vec3(0.3, -0.3, 2),
                                          Vec3(0.3, 0.3, 2), Vec3(-0.3, 0.3, 2)},
                                         {}})
                         .value();
  const auto contacts = find_contacts(at(pit, Vec3::Zero()), at(spike, Vec3::Zero()));
  EXPECT_GE(contacts.size(), 4u);
  for (const ContactPoint& c : contacts) EXPECT_GT(c.normal_a_to_b.z(), 0.5);
}

TEST(Level, rolling_is_neutral_and_not_metastable) {
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double friction : {0.0, 0.5}) {
      const Quat lying = rotation_from_vector(Vec3(0.5 * std::numbers::pi, 0, 0));
      for (const auto& shape :
           {shape::make_cylinder({0.3 * scale, scale}).value(),
            shape::make_capsule({0.3 * scale, scale}).value(),
            shape::make_ellipsoid({scale * Vec3(0.3, 0.3, 0.6)}).value(), ball(0.3 * scale)}) {
        const Verdict v = check(on_ground(shape, Vec3(0, 0, 0.3 * scale), lying, friction));
        EXPECT_EQ(v.answer, Answer::proven) << name_of(shape->kind) << ' ' << v.why;
        EXPECT_EQ(v.stability.kind, StabilityClass::stable)
            << name_of(shape->kind) << ' ' << scale << ' ' << friction << ' ' << v.why;
        EXPECT_EQ(v.stability.witness.power, 0.0);
      }
    }
}

/// A block whose top is z = sign (|x|^power + |y|^power) about the origin.
shape::ShapePtr bump(int power, double sign) {
  const auto top = [&](const std::string& x, const std::string& y) {
    return fmt::format("{}*(({})^{}+({})^{})", sign, x, power, y, power);
  };
  shape::FormulaInput in;
  const auto add = [&](const std::string& x, const std::string& y, const std::string& z,
                       double v0) {
    in.patches.push_back({x, y, z, -1, 1, v0, 1});
  };
  add("u", "v", top("u", "v"), -1);
  add("u", "v", "-3", -1);
  add("1", "u", "-3+v*(3+" + top("1", "u") + ")", 0);
  add("-1", "u", "-3+v*(3+" + top("-1", "u") + ")", 0);
  add("u", "1", "-3+v*(3+" + top("u", "1") + ")", 0);
  add("u", "-1", "-3+v*(3+" + top("u", "-1") + ")", 0);
  return shape::make_formula(in).value();
}

TEST(Level, a_ball_on_a_bump_of_higher_order_is_not_called_stable) {
  for (const int power : {2, 4, 6})
    for (const double sign : {-1.0, 1.0}) {
      Input input;
      input.bodies.push_back(named(at(bump(power, sign), Vec3::Zero()), "bump", true, 0.5));
      input.bodies.push_back(named(at(ball(0.2), Vec3(0, 0, 0.2)), "ball", false, 0.5));
      const Verdict v = check(input);
      EXPECT_EQ(v.answer, Answer::proven) << power << ' ' << sign << ' ' << v.why;
      EXPECT_EQ(v.stability.kind == StabilityClass::stable, sign > 0.0) << power << ' ' << v.why;
    }
}

TEST(Poles, contacts_at_them_are_as_sharp_as_elsewhere) {
  // an egg on its side in a bowl whose lowest place is its pole, a little off it, at any turn
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double off : {0.0, 1e-7, 1e-4, 1e-2}) {
      const auto bowl = shape::make_revolution(
                            {{scale * Vec2(0, -0.5), scale * Vec2(3, -0.5), scale * Vec2(3, 2.2),
                              scale * Vec2(2.2, 1.2), scale * Vec2(1.2, 0.3), scale * Vec2(0, 0)},
                             {1, 2}})
                            .value();
      const auto egg = shape::make_ellipsoid({scale * Vec3(0.3, 0.3, 0.45)}).value();
      Input input;
      input.bodies.push_back(named(at(bowl, Vec3::Zero(), Quat::Identity()), "bowl", true, 0.0));
      const Quat turn = rotation_from_vector(Vec3(0, 0, 0.7)) *
                        rotation_from_vector(Vec3(0.5 * std::numbers::pi, 0, 0));
      input.bodies.push_back(
          named(at(egg, scale * Vec3(off, -0.3 * off, 0.5), turn), "egg", false, 0.0));
      // down by the gap, which is a little shorter than the way down
      for (int k = 0; k < 3; ++k) {
        const GapBracket g = gap(input.bodies[0], input.bodies[1], {.width = 1e-12});
        input.bodies[1].world_from_body.position.z() -= 0.5 * (g.lower + g.upper);
      }
      const auto contacts = find_contacts(input.bodies[0], input.bodies[1]);
      ASSERT_EQ(contacts.size(), 1u) << scale << ' ' << off;
      // the egg bends so much more than the bowl that it touches almost beneath its middle; there
      // both normals are one
      const ContactPoint& c = contacts[0];
      EXPECT_LT((c.point - Vec3(scale * off, -0.3 * scale * off, c.point.z())).norm(),
                scale * (0.6 * off + 1e-9))
          << scale << ' ' << off;
      const Vec3 own = turn.conjugate() * (c.point - input.bodies[1].world_from_body.position);
      const Vec3 outward =
          turn * Vec3(own.x() / 0.09, own.y() / 0.09, own.z() / 0.2025).normalized();
      EXPECT_LT((c.normal_a_to_b + outward).norm(), 1e-6) << scale << ' ' << off;
    }
}

}  // namespace
}  // namespace repose::check
