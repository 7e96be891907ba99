// Small, light and lonely bodies beside large and heavy ones, and motions that are level to second
// order: whether they come back is known by hand.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "check/shapes.h"

namespace repose::check {
namespace {

PlacedBody weighing(PlacedBody item, double kilograms, const std::string& name) {
  item.mass = kilograms;
  item.name = name;
  return item;
}

/// Half axes of an egg whose tip bends too much to stand on: the radius there is a^2 / c < c.
constexpr double kBroad = 0.3, kTall = 0.5;

/// A ground, an egg of some size and mass that stands on its tip or lies, and a block.
Input egg_and_block(double egg_size, double egg_mass, double block_mass, bool stands) {
  Input input;
  input.bodies.push_back(at(ground(), Vec3::Zero()));
  input.bodies.back().fixed = true;
  const Quat turn = stands ? Quat::Identity() : rotation_from_vector(Vec3(std::acos(0.0), 0, 0));
  const Vec3 place(0.0, 0.0, egg_size * (stands ? kTall : kBroad));
  const auto egg = shape::make_ellipsoid({egg_size * Vec3(kBroad, kBroad, kTall)}).value();
  input.bodies.push_back(weighing(at(egg, place, turn), egg_mass, "egg"));
  const auto block = shape::make_box({Vec3(1.0, 1.0, 1.0)}).value();
  input.bodies.push_back(weighing(at(block, Vec3(3.0, 0.0, 0.5)), block_mass, "block"));
  return input;
}

TEST(GroupStability, a_light_or_small_egg_falls_off_its_tip_whatever_stands_beside_it) {
  for (const double size : {1.0, 1e-2, 1e-4})
    for (const double mass : {1.0, 1e-5, 1e-9})
      for (const double block : {1.0, 1e6}) {
        const Verdict stands = check(egg_and_block(size, mass, block, true));
        EXPECT_EQ(stands.balanced, Answer::proven) << stands.why;
        EXPECT_EQ(stands.stability.kind, StabilityClass::metastable)
            << "egg of size " << size << " and " << mass << " kg: " << stands.why;
        EXPECT_EQ(stands.stability.witness.body, 1);
        const Verdict lies = check(egg_and_block(size, mass, block, false));
        EXPECT_EQ(lies.stability.kind, StabilityClass::stable) << lies.why;
      }
}

TEST(GroupStability, so_does_one_that_stands_on_a_heavy_body) {
  for (const double mass : {1.0, 1e-5, 1e-9}) {
    Input input = egg_and_block(0.1, mass, 1e3, true);
    input.bodies[1].world_from_body.position = Vec3(3.0, 0.0, 1.0 + 0.1 * kTall);
    const Verdict stands = check(input);
    EXPECT_EQ(stands.balanced, Answer::proven) << stands.why;
    EXPECT_EQ(stands.stability.kind, StabilityClass::metastable) << mass << ": " << stands.why;
  }
}

/// A weld of two bodies that are of other sizes, held at the first by a pin.
Input welded(double first, double second, double height) {
  Input input;
  input.bodies.push_back(
      weighing(at(shape::make_box({Vec3::Constant(first)}).value(), Vec3::Zero()), 1.0, "pinned"));
  input.bodies.push_back(
      weighing(at(shape::make_box({Vec3::Constant(second)}).value(), Vec3(0.0, 0.0, height)), 1.0,
               "welded"));
  const std::vector<Vec3> all{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  Restraint pin;
  pin.body_a = 0;
  pin.forces = all;
  Restraint weld = pin;
  weld.body_b = 1;
  weld.torques = all;
  input.restraints = {pin, weld};
  return input;
}

TEST(GroupStability, a_weld_turns_bodies_of_any_sizes_alike) {
  for (const auto& [first, second] : {std::pair(0.1, 2.0), std::pair(2.0, 0.1)})
    for (const double height : {3.0, -3.0}) {
      const Verdict said = check(welded(first, second, height));
      EXPECT_EQ(said.balanced, Answer::proven) << said.why;
      EXPECT_EQ(said.stability.kind,
                height > 0.0 ? StabilityClass::metastable : StabilityClass::stable)
          << first << ", " << second << ": " << said.why;
    }
}

/// Two springs from both sides press on a disc of the plane: it goes aside by -force / length.
TEST(GroupStability, weight_across_the_plane_hides_no_spring_in_it) {
  for (const double stiffness : {1e-4, 1.0, 1e4})
    for (const double pull : {1.0, -1.0}) {
      Input input;
      input.gravity = Vec3(0.0, 0.0, -9.81);
      shape::PlaneRegion region;
      region.discs.push_back({Vec2::Zero(), 0.05});
      input.bodies.push_back(
          weighing(at(shape::make_plane_region(region).value(), Vec3::Zero()), 1e3, "disc"));
      for (const double side : {1.0, -1.0}) {
        const Vec3 to(side, 0.0, 0.0);
        input.loads.push_back({0, pull * 0.5 * stiffness * to, Vec3::Zero(), Vec3::Zero()});
        input.ties.push_back({0, -1, Vec3::Zero(), to, pull * 0.5 * stiffness, stiffness});
      }
      const Verdict said = check(input);
      EXPECT_EQ(said.stability.kind,
                pull > 0.0 ? StabilityClass::stable : StabilityClass::metastable)
          << stiffness << ": " << said.why;
    }
}

/// A smooth ball in the middle of a surface z = f(x, y) that is level to second order at least
/// along one line; turned about z.
Stability on_surface(const std::string& height, double turned) {
  const std::string depth = "1.0";
  std::vector<shape::FormulaPatchInput> patches;
  const auto patch = [&](const std::string& x, const std::string& y, const std::string& z) {
    patches.push_back({x, y, z, -1.0, 1.0, -1.0, 1.0});
  };
  const auto at_place = [&](const std::string& x, const std::string& y) {
    std::string out;
    for (const char c : height)
      out += c == 'X' ? "(" + x + ")" : c == 'Y' ? "(" + y + ")" : std::string(1, c);
    return out;
  };
  patch("u", "v", at_place("u", "v"));
  patch("u", "-v", "-" + depth);
  for (const auto& [x, y] :
       {std::pair("u", "-1"), std::pair("1", "u"), std::pair("-u", "1"), std::pair("-1", "-u")})
    patch(x, y, "-" + depth + "+(v/2+0.5)*(" + at_place(x, y) + "+" + depth + ")");
  Input input;
  const auto hill = shape::make_formula({patches, {}, {}}).value();
  constexpr double kRadius = 0.02;
  input.bodies.push_back(at(hill, Vec3::Zero(), rotation_from_vector(Vec3(0, 0, turned))));
  input.bodies.back().fixed = true;
  input.bodies.push_back(at(ball(kRadius), Vec3(0.0, 0.0, kRadius)));
  for (PlacedBody& body : input.bodies) body.friction = 0.0;
  const Verdict said = check(input);
  EXPECT_EQ(said.balanced, Answer::proven) << said.why;
  return said.stability;
}

TEST(LevelMotion, what_rises_along_two_lines_may_fall_between_them) {
  for (const double turned : {0.0, 0.3, std::numbers::pi / 4.0}) {
    const Stability saddle = on_surface("0.2*(X^4-6*X^2*Y^2+Y^4)", turned);
    EXPECT_NE(saddle.kind, StabilityClass::stable) << saddle.why;
    const Stability bowl = on_surface("0.2*(X^4+X^2*Y^2+Y^4)", turned);
    EXPECT_EQ(bowl.kind, StabilityClass::stable) << bowl.why;
  }
}

TEST(LevelMotion, what_is_level_or_rises_along_every_line_may_fall_along_a_curve) {
  for (const double turned : {0.0, 0.3, std::numbers::pi / 4.0}) {
    // at x = 1.5 y^2 it is -0.675 y^4; along x = 0 it is level
    const Stability trough = on_surface("0.3*(X^2-3*X*Y^2)", turned);
    EXPECT_NE(trough.kind, StabilityClass::stable) << trough.why;
    // Peano's: along every line through the middle it rises, at y = 2 x^2 it is -0.3 x^4
    const Stability peano = on_surface("0.3*(Y-X^2)*(Y-3*X^2)", turned);
    EXPECT_NE(peano.kind, StabilityClass::stable) << peano.why;
    const Stability valley = on_surface("0.3*(X^2-X*Y^2)+0.3*Y^4", turned);
    EXPECT_EQ(valley.kind, StabilityClass::stable) << valley.why;
  }
}

}  // namespace
}  // namespace repose::check
