#include "repose/check/skins.h"

#include <gtest/gtest.h>

#include "repose/shape/make.h"

#include "check/items.h"

namespace repose::check {
namespace {

/// A lattice body of pitch 0.1 with its lowest corner at a place.
PlacedBody lattice(const std::array<int, 3>& counts, const Vec3& corner, const std::string& name) {
  shape::LatticeInput in;
  in.counts = counts;
  in.pitch = 0.1;
  in.radius = 0.04;
  PlacedBody out = at(shape::make_lattice(in).value(), Vec3::Zero());
  out.name = name;
  const auto& centers = std::get<shape::SphereSet>(out.shape->geometry).centers;
  for (const Vec3& center : centers) out.points_world.push_back(center - centers[0] + corner);
  return out;
}

SkinsVerdict judged(const PlacedBody& a, const PlacedBody& b) {
  Input input;
  input.bodies = {a, b};
  const SkinsVerdict out = judge_skins(input);
  // in either order
  std::swap(input.bodies[0], input.bodies[1]);
  EXPECT_EQ(judge_skins(input).answer, out.answer);
  return out;
}

TEST(skins, boxes_beside_each_other_are_apart_also_where_their_lattices_line_up) {
  const PlacedBody low = lattice({4, 4, 3}, Vec3::Zero(), "low");
  EXPECT_EQ(judged(low, lattice({4, 4, 3}, Vec3(0.0, 0.0, 0.28), "high")).answer, Answer::proven);
  EXPECT_EQ(judged(low, lattice({4, 4, 3}, Vec3(0.05, 0.03, 0.2), "touching")).answer,
            Answer::proven);
  EXPECT_EQ(judged(low, lattice({2, 2, 2}, Vec3(0.1, 0.1, 0.2), "touching")).answer,
            Answer::proven);
}

TEST(skins, a_corner_a_hair_inside_another_skin_is_seen) {
  const PlacedBody low = lattice({4, 4, 3}, Vec3::Zero(), "low");
  for (const double depth : {1e-3, 1e-9, 1e-15}) {
    PlacedBody high = lattice({3, 3, 2}, Vec3(0.033, 0.041, 0.25), "high");
    high.points_world[0].z() = 0.2 - depth;
    const SkinsVerdict said = judged(low, high);
    EXPECT_EQ(said.answer, Answer::missed) << depth;
    EXPECT_FALSE(said.why.empty());
  }
}

TEST(skins, edges_that_cross_are_seen_though_no_corner_is_inside) {
  // two sheets upright and across, each between the other's corners
  const PlacedBody sheet = lattice({2, 2, 1}, Vec3::Zero(), "sheet");
  PlacedBody blade = lattice({2, 2, 1}, Vec3::Zero(), "blade");
  blade.points_world = {Vec3(0.03, -0.2, -0.2), Vec3(0.03, 0.2, -0.2), Vec3(0.03, -0.2, 0.2),
                        Vec3(0.03, 0.2, 0.2)};
  EXPECT_EQ(judged(sheet, blade).answer, Answer::missed);
}

TEST(skins, a_body_within_another_is_seen_though_nothing_crosses) {
  const PlacedBody around = lattice({5, 5, 5}, Vec3::Zero(), "around");
  EXPECT_EQ(judged(around, lattice({2, 2, 2}, Vec3(0.15, 0.15, 0.15), "within")).answer,
            Answer::missed);
  EXPECT_EQ(judged(around, lattice({2, 2, 2}, Vec3(0.1, 0.1, 0.1), "lined up")).answer,
            Answer::missed);
  EXPECT_EQ(judged(around, lattice({2, 2, 1}, Vec3(0.15, 0.15, 0.15), "sheet")).answer,
            Answer::missed);
}

TEST(skins, one_skin_alone_and_bodies_without_are_not_judged) {
  Input input;
  input.bodies = {lattice({3, 3, 3}, Vec3::Zero(), "one"), at(ball(1.0), Vec3(0, 0, 3))};
  EXPECT_EQ(judge_skins(input).answer, Answer::not_judged);
}

}  // namespace
}  // namespace repose::check
