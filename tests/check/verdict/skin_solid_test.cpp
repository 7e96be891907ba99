#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/check/skins.h"
#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/items.h"

namespace repose::check {
namespace {

/// A lattice body of pitch 0.1 with its lowest corner at a place.
PlacedBody lattice(const std::array<int, 3>& counts, const Vec3& corner) {
  shape::LatticeInput in;
  in.counts = counts;
  in.pitch = 0.1;
  in.radius = 0.02;
  PlacedBody out = at(shape::make_lattice(in).value(), Vec3::Zero());
  out.name = "soft";
  const auto& centers = std::get<shape::SphereSet>(out.shape->geometry).centers;
  for (const Vec3& center : centers) out.points_world.push_back(center - centers[0] + corner);
  return out;
}

PlacedBody solid(const shape::ShapePtr& shape, const Vec3& place) {
  PlacedBody out = at(shape, place);
  out.name = "solid";
  return out;
}

shape::ShapePtr needle() {
  return shape::make_cylinder({.radius = 0.004, .height = 0.3}).value();
}

Answer judged(const PlacedBody& soft, const PlacedBody& body) {
  Input input;
  input.bodies = {soft, body};
  const SkinsVerdict out = judge_skins(input, SkinsOf::all_bodies);
  EXPECT_EQ(out.why.empty(), out.answer == Answer::proven);
  EXPECT_EQ(judge_skins(input).answer, Answer::not_judged);
  // in either order
  std::swap(input.bodies[0], input.bodies[1]);
  EXPECT_EQ(judge_skins(input, SkinsOf::all_bodies).answer, out.answer);
  return out.answer;
}

TEST(skin_solids, a_needle_through_a_sheet_is_seen_though_it_touches_no_molecule) {
  const PlacedBody sheet = lattice({4, 4, 1}, Vec3::Zero());
  EXPECT_EQ(judged(sheet, solid(needle(), Vec3(0.137, 0.154, 0.0))), Answer::missed);
  EXPECT_EQ(judged(sheet, solid(needle(), Vec3(0.137, 0.154, 0.149))), Answer::missed);
  EXPECT_EQ(judged(sheet, solid(needle(), Vec3(0.137, 0.154, 0.151))), Answer::proven);
  EXPECT_EQ(judged(sheet, solid(needle(), Vec3(0.137, -0.01, 0.0))), Answer::proven);
}

TEST(skin_solids, every_kind_of_solid_is_judged) {
  const PlacedBody sheet = lattice({4, 4, 1}, Vec3::Zero());
  const Vec3 over(0.147, 0.152, 0.0);
  const std::vector<shape::ShapePtr> all{shape::make_ball({0.03}).value(),
                                         shape::make_box({Vec3(0.02, 0.03, 0.06)}).value(),
                                         shape::make_ellipsoid({Vec3(0.01, 0.02, 0.03)}).value(),
                                         shape::make_torus({0.022, 0.008}).value()};
  for (const auto& shape : all) {
    EXPECT_EQ(judged(sheet, solid(shape, over)), Answer::missed);
    EXPECT_EQ(judged(sheet, solid(shape, over + Vec3(0.0, 0.0, 0.04))), Answer::proven);
  }
  EXPECT_EQ(judged(sheet, solid(shape::make_half_space().value(), Vec3(0.0, 0.0, -0.001))),
            Answer::proven);
  EXPECT_EQ(judged(sheet, solid(shape::make_half_space().value(), Vec3(0.0, 0.0, 0.001))),
            Answer::missed);
}

TEST(skin_solids, a_solid_within_a_block_between_its_molecules_is_seen_though_nothing_crosses) {
  const PlacedBody block = lattice({3, 3, 3}, Vec3::Zero());
  const shape::ShapePtr ball = shape::make_ball({0.01}).value();
  EXPECT_EQ(judged(block, solid(ball, Vec3(0.05, 0.05, 0.05))), Answer::missed);
  EXPECT_EQ(judged(block, solid(ball, Vec3(0.05, 0.05, 0.25))), Answer::proven);
}

/// The way of a solid past a sheet that stays.
Answer judged_way(const PlacedBody& soft, const PlacedBody& from, const PlacedBody& to) {
  Input first, last;
  first.bodies = {soft, from};
  last.bodies = {soft, to};
  const Answer out = judge_skins_way(first, last, SkinsOf::all_bodies).answer;
  EXPECT_EQ(judge_skins_way(last, first, SkinsOf::all_bodies).answer, out);
  return out;
}

TEST(skin_solids, a_bullet_that_passes_a_hole_of_a_net_between_two_states_is_seen) {
  const PlacedBody net = lattice({4, 4, 1}, Vec3::Zero());
  const auto at_height = [&](double z) {
    return solid(shape::make_ball({0.01}).value(), Vec3(0.147, 0.152, z));
  };
  EXPECT_EQ(judged(net, at_height(0.1)), Answer::proven);
  EXPECT_EQ(judged(net, at_height(-0.1)), Answer::proven);
  EXPECT_EQ(judged_way(net, at_height(0.1), at_height(-0.1)), Answer::missed);
  EXPECT_EQ(judged_way(net, at_height(0.1), at_height(0.0101)), Answer::proven);
}

TEST(skin_solids, a_box_that_turns_into_a_sheet_on_its_way_is_seen) {
  const PlacedBody sheet = lattice({4, 4, 1}, Vec3::Zero());
  const auto turned = [&](double angle) {
    PlacedBody out =
        solid(shape::make_box({Vec3(0.16, 0.01, 0.02)}).value(), Vec3(0.147, 0.152, 0.05));
    out.world_from_body.rotation = rotation_from_vector(Vec3(0.0, angle, 0.0));
    return out;
  };
  EXPECT_EQ(judged(sheet, turned(0.1)), Answer::proven);
  EXPECT_EQ(judged(sheet, turned(3.0)), Answer::proven);
  EXPECT_EQ(judged_way(sheet, turned(0.1), turned(3.0)), Answer::missed);
  EXPECT_EQ(judged_way(sheet, turned(0.1), turned(0.3)), Answer::proven);
}

TEST(skin_solids, random_solids_are_said_to_be_apart_only_where_no_sample_of_the_skin_is_in_them) {
  constexpr int kSamples = 40;
  Random random(1717);
  int proven = 0, missed = 0;
  for (int k = 0; k < 300; ++k) {
    PlacedBody soft = lattice({2, 2, 1}, Vec3::Zero());
    for (Vec3& p : soft.points_world)
      for (int axis = 0; axis < 3; ++axis) p[axis] += random.between(-0.05, 0.05);
    const Vec3 half(random.between(0.004, 0.04), random.between(0.004, 0.04),
                    random.between(0.004, 0.04));
    PlacedBody body = solid(
        shape::make_box({2.0 * half}).value(),
        Vec3(random.between(0.0, 0.1), random.between(0.0, 0.1), random.between(-0.06, 0.06)));
    body.world_from_body.rotation = rotation_from_vector(
        Vec3(random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)));
    const Answer said = judged(soft, body);
    proven += said == Answer::proven ? 1 : 0;
    missed += said == Answer::missed ? 1 : 0;
    // the two triangles of the square, sampled
    const auto& places = std::get<shape::SphereSet>(soft.shape->geometry).lattice;
    const auto& x = soft.points_world;
    const auto number = [&](int i, int j) {
      const auto first = places[0];
      for (std::size_t n = 0; n < places.size(); ++n)
        if (places[n] == std::array{first[0] + i, first[1] + j, first[2]}) return n;
      return places.size();
    };
    bool inside = false;
    const std::array<std::array<std::size_t, 3>, 2> triangles{
        {{number(0, 0), number(1, 0), number(1, 1)}, {number(0, 0), number(0, 1), number(1, 1)}}};
    for (const auto& t : triangles)
      for (int i = 0; i <= kSamples; ++i)
        for (int j = 0; i + j <= kSamples; ++j) {
          const double u = 1.0 * i / kSamples, v = 1.0 * j / kSamples;
          const Vec3 p = (1.0 - u - v) * x[t[0]] + u * x[t[1]] + v * x[t[2]];
          const Vec3 q = body.world_from_body.inverse() * p;
          inside |= (q.cwiseAbs().array() < half.array() - 1e-12).all();
        }
    if (inside) {
      EXPECT_EQ(said, Answer::missed) << k;
    }
  }
  EXPECT_GT(proven, 50);
  EXPECT_GT(missed, 50);
  EXPECT_GE(proven + missed, 295);
}

}  // namespace
}  // namespace repose::check
