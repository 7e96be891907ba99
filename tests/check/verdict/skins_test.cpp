#include "repose/check/skins.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/check/verdict.h"
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

/// The way of two bodies whose points all go as far as said.
SkinsVerdict judged_way(const PlacedBody& a, const PlacedBody& b, const Vec3& b_goes) {
  Input from, to;
  from.bodies = to.bodies = {a, b};
  for (Vec3& p : to.bodies[1].points_world) p += b_goes;
  const SkinsVerdict out = judge_skins_way(from, to);
  // back again, and in either order
  EXPECT_EQ(judge_skins_way(to, from).answer, out.answer);
  std::swap(from.bodies[0], from.bodies[1]);
  std::swap(to.bodies[0], to.bodies[1]);
  EXPECT_EQ(judge_skins_way(from, to).answer, out.answer);
  return out;
}

TEST(skins, a_sheet_that_passes_through_another_between_two_states_is_seen) {
  const PlacedBody low = lattice({4, 4, 1}, Vec3::Zero(), "low");
  const PlacedBody high = lattice({3, 3, 1}, Vec3(0.033, 0.041, 0.1), "high");
  Input after;
  after.bodies = {low, high};
  for (Vec3& p : after.bodies[1].points_world) p.z() -= 0.2;
  // both states are good: only the way is not
  EXPECT_EQ(judged(low, high).answer, Answer::proven);
  EXPECT_EQ(judge_skins(after).answer, Answer::proven);
  const SkinsVerdict said = judged_way(low, high, Vec3(0.0, 0.0, -0.2));
  EXPECT_EQ(said.answer, Answer::missed);
  EXPECT_NE(said.why.find("cross on the way"), std::string::npos);
  // short of it, and beside it, there is a plane between
  EXPECT_EQ(judged_way(low, high, Vec3(0.0, 0.0, -0.0999999)).answer, Answer::proven);
  EXPECT_EQ(judged_way(low, high, Vec3(0.7, 0.0, 0.0)).answer, Answer::proven);
  // a way that ends where they lie in each other: not known, and known at once
  EXPECT_NE(judged_way(low, high, Vec3(0.0, 0.0, -0.1)).answer, Answer::proven);
  // at whatever moment of its way
  for (const double beyond : {1e-6, 1e-3, 0.1, 3.0})
    EXPECT_EQ(judged_way(low, high, Vec3(0.0, 0.0, -0.1 - beyond)).answer, Answer::missed)
        << beyond;
}

TEST(skins, a_needle_that_swings_over_an_edge_is_apart_at_every_moment_though_no_plane_stays) {
  const PlacedBody blade = lattice({2, 2, 1}, Vec3(0.0, -0.05, 0.0), "blade");
  PlacedBody needle = lattice({2, 2, 1}, Vec3::Zero(), "needle");
  // low and high end, in the plane y = 0 but for its width
  const auto place = [](const Vec2& low, const Vec2& high) {
    return std::vector<Vec3>{Vec3(low[0], -0.01, low[1]), Vec3(low[0], 0.01, low[1]),
                             Vec3(high[0], -0.01, high[1]), Vec3(high[0], 0.01, high[1])};
  };
  Input from, to;
  needle.points_world = place(Vec2(-0.1, -0.2), Vec2(-0.1, 0.1));
  from.bodies = {blade, needle};
  // upright before the edge, then lying above it: the hull of both holds the edge
  needle.points_world = place(Vec2(-0.1, 0.1), Vec2(0.3, 0.1));
  to.bodies = {blade, needle};
  EXPECT_EQ(judge_skins_way(from, to).answer, Answer::proven);
  // lying below it, it was cut on the way, though both ends are good
  needle.points_world = place(Vec2(-0.1, -0.1), Vec2(0.3, -0.05));
  to.bodies = {blade, needle};
  EXPECT_EQ(judge_skins(to).answer, Answer::proven);
  EXPECT_EQ(judge_skins_way(from, to).answer, Answer::missed);
}

TEST(skins, a_way_that_only_touches_is_neither_apart_nor_a_crossing) {
  const PlacedBody low = lattice({4, 4, 1}, Vec3::Zero(), "low");
  const PlacedBody high = lattice({3, 3, 1}, Vec3(0.033, 0.041, 0.125), "high");
  EXPECT_EQ(judged_way(low, high, Vec3(0.0, 0.0, -0.125)).answer, Answer::undecided);
  EXPECT_EQ(judged_way(low, high, Vec3(0.0, 0.0, -0.1250001)).answer, Answer::missed);
}

TEST(skins, ways_are_apart_only_without_and_cross_only_with_a_moment_at_which_triangles_cross) {
  // random ways of two tetrahedral pairs of cells, looked at in many states by exact signs
  constexpr int kStates = 256;
  Random random(4711);
  int proven = 0, crossed = 0, seen = 0;
  for (int k = 0; k < 400; ++k) {
    PlacedBody a = lattice({2, 2, 1}, Vec3::Zero(), "a"), b = lattice({2, 2, 1}, Vec3::Zero(), "b");
    Input from, to;
    const auto shake = [&](const Vec3& where) {
      std::vector<Vec3> out;
      for (int i = 0; i < 4; ++i)
        out.push_back(where + 0.1 * Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                                         random.between(-1.0, 1.0)));
      return out;
    };
    a.points_world = shake(Vec3::Zero());
    b.points_world = shake(Vec3(0.0, 0.0, 0.12));
    from.bodies = {a, b};
    a.points_world = shake(Vec3::Zero());
    b.points_world = shake(Vec3(0.0, 0.0, 0.12));
    to.bodies = {a, b};
    const Answer way = judge_skins_way(from, to).answer;
    const bool at_start = judge_skins(from).answer == Answer::missed;
    bool crosses = false;
    for (int m = 0; m <= kStates && !crosses; ++m) {
      Input now = from;
      for (std::size_t body = 0; body < 2; ++body)
        for (std::size_t i = 0; i < 4; ++i)
          now.bodies[body].points_world[i] +=
              (m / double(kStates)) *
              (to.bodies[body].points_world[i] - from.bodies[body].points_world[i]);
      crosses = judge_skins(now).answer == Answer::missed;
    }
    EXPECT_FALSE(way == Answer::proven && crosses) << k;
    // what is said to cross does so in a state, and what begins apart and crosses is seen
    EXPECT_FALSE(way == Answer::missed && !crosses) << k;
    if (crosses && !at_start) {
      EXPECT_EQ(way, Answer::missed) << k;
      ++seen;
    }
    proven += way == Answer::proven ? 1 : 0;
    crossed += crosses ? 1 : 0;
  }
  // most of what never crosses is proven
  EXPECT_GT(proven, 50);
  EXPECT_GT(crossed, 50);
  EXPECT_GT(seen, 20);
  EXPECT_GT(proven + crossed, 360);
}

}  // namespace
}  // namespace repose::check
