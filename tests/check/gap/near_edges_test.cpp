// Contacts that lie almost along a curve, on flat areas and beside edges; what they carry.
#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

PlacedBody named(PlacedBody item, const std::string& name, bool fixed, double friction) {
  item.name = name;
  item.fixed = fixed;
  item.friction = friction;
  return item;
}

TEST(NearEdges, a_ball_almost_in_the_middle_of_a_ring_is_carried_all_round) {
  // nearest at one place by a hair: the rest of the ring touches as well
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double off : {0.0, 1e-8, 4e-7}) {
      Input input;
      input.bodies.push_back(named(at(torus(scale, 0.3 * scale), Vec3::Zero()), "ring", true, 0.0));
      const double height = std::sqrt(1.1 * 1.1 - 1.0) + 4.0 * off;
      input.bodies.push_back(named(
          at(ball(0.8 * scale), scale * Vec3(0.6 * off, 0.8 * off, height)), "ball", false, 0.0));
      const Verdict v = check(input);
      EXPECT_EQ(v.answer, Answer::proven) << scale << ' ' << off << ' ' << v.why;
    }
}

TEST(NearEdges, a_body_on_its_flat_side_does_not_tip) {
  // its side bends so little that one point alone would let it tilt
  for (const double scale : {1e-3, 1e3})
    for (const double friction : {0.0, 0.5}) {
      Input input;
      input.bodies.push_back(named(at(ground(), Vec3::Zero()), "ground", true, friction));
      const auto flat =
          shape::make_superellipsoid({scale * Vec3(0.25, 0.2, 0.18), 0.4, 0.5}).value();
      input.bodies.push_back(named(at(flat, Vec3(0, 0, 0.18 * scale)), "body", false, friction));
      const Verdict v = check(input);
      EXPECT_EQ(v.answer, Answer::proven) << v.why;
      EXPECT_EQ(v.stability.kind, StabilityClass::stable) << scale << ' ' << friction << v.why;
    }
}

TEST(NearEdges, a_body_beside_a_table_s_edge_is_level) {
  // without friction it may slide on and fall, but no small push makes it
  for (const double edge : {0.05, 0.2, 0.45}) {
    Input input;
    const auto table = shape::make_box({Vec3(2, 2, 0.2)}).value();
    input.bodies.push_back(named(at(table, Vec3(0, 0, -0.1)), "table", true, 0.0));
    const auto egg = shape::make_ellipsoid({Vec3(0.5, 0.4, 0.3)}).value();
    input.bodies.push_back(named(at(egg, Vec3(1.0 - edge, 0, 0.3)), "egg", false, 0.0));
    const Verdict v = check(input);
    EXPECT_EQ(v.answer, Answer::proven) << edge << ' ' << v.why;
    EXPECT_EQ(v.stability.kind, StabilityClass::stable) << edge << ' ' << v.why;
  }
}

}  // namespace
}  // namespace repose::check
