// A body that runs through another overlaps it, however thin the two are.
#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/gap/inside.h"
#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kShortest = 1e-9;  // m: of lengths that shapes take

struct Needle {
  std::string name;
  shape::ShapePtr shape;
  double radius;  // of a ball about its middle that it holds, m
};

/// Bodies of length `size` along z that a ball of `thin` about the origin fits into, closely.
std::vector<Needle> needles(double size, double thin) {
  const auto box = [&](const Vec3& all) {
    std::vector<Vec3> corners;
    for (int i = 0; i < 8; ++i)
      corners.push_back(0.5 * Vec3(i & 1 ? all.x() : -all.x(), i & 2 ? all.y() : -all.y(),
                                   i & 4 ? all.z() : -all.z()));
    return shape::make_convex({corners, {}}).value();
  };
  const Vec3 rod(2.0 * thin, 2.0 * thin, size);
  return {{"box", box(rod), thin},
          {"mesh", box_mesh(rod), thin},
          {"cylinder", shape::make_cylinder({thin, size}).value(), thin},
          {"capsule", shape::make_capsule({thin, size}).value(), thin},
          {"plate", box(Vec3(2.0 * thin, size, size)), thin}};
}

Input two(const Needle& a, const Quat& turn_a, const Needle& b, const Quat& turn_b,
          const Vec3& apart, const Vec3& place, const Quat& turn) {
  Input input;
  input.gravity.setZero();
  input.bodies.push_back(at(a.shape, place, turn * turn_a));
  input.bodies.push_back(at(b.shape, place + turn * apart, turn * turn_b));
  input.bodies[0].name = a.name;
  input.bodies[1].name = b.name;
  return input;
}

TEST(Thin, bodies_that_run_through_each_other_overlap) {
  Random random(231);
  const Quat upright = Quat::Identity(), lying = rotation_from_vector(Vec3(1.4, 0, 0)),
             flat(std::sqrt(0.5), 0, std::sqrt(0.5), 0);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double thin : {1e-9, 1e-8, 1e-7}) {
      if (2.0 * thin * scale < kShortest) continue;
      for (const Needle& a : needles(4.0 * scale, thin * scale))
        for (const Needle& b : needles(4.0 * scale, thin * scale)) {
          // a plate stands across the other's axis
          const Quat turn_b = b.name == "plate" ? flat : lying;
          const Quat turn_a = a.name == "plate" && b.name != "plate" ? Quat(flat * lying) : upright;
          const Verdict v = check(two(a, turn_a, b, turn_b, Vec3(0.5 * thin * scale, 0, 0),
                                      scale * random_direction(random), random_rotation(random)));
          EXPECT_NE(v.overlap, Answer::proven) << a.name << ' ' << b.name << ' ' << thin << scale;
          EXPECT_EQ(v.overlap, Answer::missed)
              << a.name << ' ' << b.name << ' ' << thin << ' ' << scale << ' ' << v.why;
        }
    }
}

TEST(Thin, bodies_side_by_side_do_not_overlap) {
  Random random(232);
  const Quat lying = rotation_from_vector(Vec3(1.4, 0, 0));
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double thin : {1e-9, 1e-7}) {
      if (2.0 * thin * scale < kShortest) continue;
      for (const Needle& a : needles(4.0 * scale, thin * scale))
        for (const Needle& b : needles(4.0 * scale, thin * scale)) {
          if (a.name == "plate" || b.name == "plate") continue;
          const Verdict v = check(two(a, Quat::Identity(), b, lying, Vec3(2.1 * thin * scale, 0, 0),
                                      scale * random_direction(random), random_rotation(random)));
          EXPECT_EQ(v.overlap, Answer::proven)
              << a.name << ' ' << b.name << ' ' << thin << ' ' << scale << ' ' << v.why;
        }
    }
}

TEST(Thin, a_thick_body_may_press_in_by_the_tolerance) {
  // boxes, balls and curved bodies whose overlap is a tenth of what is allowed
  const auto box = shape::make_box({Vec3(1, 1, 1)}).value();
  const auto revolved =
      shape::make_revolution({{{0, -0.5}, {0.5, -0.5}, {0.3, 0.0}, {0.5, 0.5}, {0, 0.5}}, {1, 3}})
          .value();
  for (const auto& shape : {box, revolved, shape::make_torus({0.4, 0.1}).value()}) {
    const double half = shape->kind == shape::ShapeKind::torus ? 0.1 : 0.5;
    Input input;
    input.gravity.setZero();
    input.bodies.push_back(at(box, Vec3(0, 0, -0.5)));
    input.bodies.push_back(at(shape, Vec3(0, 0, half - 1e-10)));
    input.bodies[0].name = "box";
    input.bodies[1].name = name_of(shape->kind);
    const Verdict v = check(input);
    EXPECT_EQ(v.overlap, Answer::proven) << name_of(shape->kind) << ' ' << v.why;
    EXPECT_LT(v.gap.bracket.lower, -5e-11) << name_of(shape->kind);
  }
}

/// Bodies as wide as `size` and `thin` of that thick; `inside`: a point deep in them, body frame.
struct Disc {
  std::string name;
  shape::ShapePtr shape;
  Vec3 inside;
};
std::vector<Disc> discs(double size, double thin) {
  constexpr double kThinnest = 1e-5;  // superellipsoids are sewn no thinner
  const double r = 0.5 * size, t = r * thin;
  return {
      {"ellipsoid", shape::make_ellipsoid({Vec3(r, r, t)}).value(), Vec3(0.3 * r, 0.2 * r, 0)},
      {"needle", shape::make_ellipsoid({Vec3(t, r, t)}).value(), Vec3(0, 0.4 * r, 0)},
      {"superellipsoid",
       shape::make_superellipsoid({Vec3(r, r, std::max(t, kThinnest * r)), 0.9, 0.8}).value(),
       Vec3(-0.2 * r, 0.3 * r, 0)},
      {"cylinder", shape::make_cylinder({r, 2.0 * t}).value(), Vec3(-0.5 * r, 0.1 * r, 0)},
      {"cone", shape::make_cone({r, t, 0.0}).value(), Vec3(0.1 * r, 0.3 * r, 0.3 * t)},
      {"torus", shape::make_torus({r, t}).value(), Vec3(r, 0, 0)},
      {"plate", box_mesh(Vec3(size, size, 2.0 * t)), Vec3(0.2 * r, 0.3 * r, 0)},
  };
}

TEST(Thin, discs_that_cross_overlap_and_the_search_ends) {
  Random random(2319);
  // a search without bounds took minutes and all memory
  constexpr long kMostTests = 500'000;
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double thin : {1e-9, 1e-7, 1e-6}) {
      if (thin * scale < kShortest) continue;
      const auto bodies = discs(2.0 * scale, thin);
      for (const Disc& a : bodies)
        for (const Disc& b : bodies) {
          PlacedBody pa = at(a.shape, scale * random_direction(random), random_rotation(random));
          PlacedBody pb = at(b.shape, Vec3::Zero(), random_rotation(random));
          pb.world_from_body.position =
              pa.world_from_body * a.inside - pb.world_from_body.rotation * b.inside;
          const GapBracket g = gap(pa, pb, {.width = 1e-9});
          EXPECT_LE(g.lower, g.upper);
          EXPECT_LT(g.tests, kMostTests);
          EXPECT_TRUE(g.status == GapStatus::overlap || g.status == GapStatus::closed)
              << a.name << ' ' << b.name << ' ' << thin << ' ' << scale << ' ' << g.lower << ' '
              << g.upper;
          EXPECT_LT(g.upper, 0.0) << a.name << ' ' << b.name << ' ' << thin << ' ' << scale;
        }
    }
}

TEST(Thin, discs_that_cross_along_their_axes_overlap) {
  const auto a = shape::make_ellipsoid({Vec3(1, 1, 1e-9)}).value();
  const auto b = shape::make_ellipsoid({Vec3(1, 1e-9, 1)}).value();
  Input input;
  input.gravity.setZero();
  input.bodies = {at(a, Vec3::Zero()), at(b, Vec3::Zero())};
  EXPECT_EQ(check(input).overlap, Answer::missed);
}

TEST(Thin, whether_a_point_lies_in_a_thin_body_is_asked_for_a_bounded_time) {
  constexpr std::size_t kMostPieces = 100'000;
  for (const Disc& body : discs(2.0, 1e-9)) {
    if (!std::holds_alternative<shape::Solid>(body.shape->geometry)) continue;
    Surface surface(*body.shape);
    EXPECT_NE(side_of(surface, body.inside), Side::outside) << body.name;
    EXPECT_LT(surface.count(), kMostPieces) << body.name;
  }
}

/// A comb: a thick bar with a needle on it, in one mesh.
shape::ShapePtr bar_with_needle(double thin) {
  // the needle, 2 thin wide, stands on the bar's top from z = 0.5 to 4.5
  std::vector<Vec3> p;
  const double w = 1.0;
  for (const double z : {-0.5, 0.5})
    for (const auto& [x, y] : {std::pair(-w, -w), {w, -w}, {w, w}, {-w, w}})
      p.emplace_back(x, y, z);
  for (const double z : {0.5, 4.5})
    for (const auto& [x, y] : {std::pair(-thin, -thin), {thin, -thin}, {thin, thin}, {-thin, thin}})
      p.emplace_back(x, y, z);
  std::vector<std::array<int, 3>> t = {{0, 2, 1}, {0, 3, 2}, {12, 13, 14}, {12, 14, 15}};
  for (int k = 0; k < 4; ++k) {
    const int l = (k + 1) % 4;
    for (const int first : {0, 8}) {
      t.push_back({first + k, first + l, first + 4 + l});
      t.push_back({first + k, first + 4 + l, first + 4 + k});
    }
    // the top about the needle's foot
    t.push_back({4 + k, 4 + l, 8 + l});
    t.push_back({4 + k, 8 + l, 8 + k});
  }
  return shape::make_mesh({{p, t}, false}).value();
}

TEST(Thin, a_needle_on_a_thick_body_is_thin_all_the_same) {
  for (const double thin : {1e-10, 1e-9}) {
    const auto bar = bar_with_needle(thin);
    ASSERT_TRUE(bar);
    Input input;
    input.gravity.setZero();
    input.bodies.push_back(at(bar, Vec3::Zero()));
    // its needle crosses that of another bar lying on its side
    input.bodies.push_back(at(bar, Vec3(0, 3.5, 2.0), rotation_from_vector(Vec3(1.4, 0, 0))));
    const Vec3 tip = input.bodies[1].world_from_body * Vec3(0, 0, 3.0);
    input.bodies[1].world_from_body.position += Vec3(0, 0, 3.0) - tip;
    EXPECT_NE(check(input).overlap, Answer::proven);
    // clear of it all is well
    input.bodies[1].world_from_body.position.x() += 4.0 * thin;
    EXPECT_EQ(check(input).overlap, Answer::proven) << check(input).why;
  }
}

TEST(Thin, what_lies_beside_the_end_of_a_needle_is_not_in_it) {
  // rims from far narrower to wider than what faces may be open by where they are sewn
  Random random(232);
  for (const double thin : {1e-9, 1e-8, 1e-7, 6e-7, 1e-6, 3e-6})
    for (const double height : {1.0, 200.0})
      for (int k = 0; k < 12; ++k) {
        const double r = std::max(thin * height, 2e-9), small = 0.01 * r;
        const bool cone = k % 3 == 0;
        const auto needle = cone ? shape::make_cone({r, height, 0.5 * r}).value()
                                 : shape::make_cylinder({r, height}).value();
        const double end = cone ? height : 0.5 * height, at_end = cone ? 0.5 * r : r;
        const auto flat = shape::make_ellipsoid({small * Vec3(1, 0.9, 5e-3)});
        if (!flat) continue;  // no shape is so small
        // beyond the end, over its middle, its rim or in between
        const double across = at_end * random.unit(), turn = 6.0 * random.unit();
        const double over = small * random.between(1.01, 1.2);
        const Vec3 place(across * std::cos(turn), across * std::sin(turn), end + over);
        const Quat tilt = random_rotation(random), world = random_rotation(random);
        const PlacedBody a = at(flat.value(), world * place, world * tilt);
        const GapBracket g = gap(a, at(needle, Vec3::Zero(), world), {.width = 1e-6});
        EXPECT_GT(g.upper, 0.0) << thin << ' ' << height << ' ' << k;
        EXPECT_LE(g.lower, over) << thin << ' ' << height << ' ' << k;
        EXPECT_NE(g.status, GapStatus::undecided) << thin << ' ' << height << ' ' << k;
      }
}

TEST(Thin, strips_of_the_plane_that_cross_overlap) {
  const auto strip = [](double half) {
    return shape::make_plane_region(
               {{{{{-2, -half}, {2, -half}, {2, half}, {-2, half}}, {}}}, {}, 0.1})
        .value();
  };
  for (const double thin : {1e-10, 1e-9, 1e-8})
    for (const double turn : {0.3, 1.2}) {
      Input input;
      input.gravity.setZero();
      input.bodies.push_back(at(strip(thin), Vec3(0.25, 0.125, 0)));
      input.bodies.push_back(
          at(strip(thin), Vec3(0.25, 0.125, 0), rotation_from_vector(Vec3(0, 0, turn))));
      EXPECT_NE(check(input).overlap, Answer::proven) << thin;
    }
}

}  // namespace
}  // namespace repose::check
