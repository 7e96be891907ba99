// Bodies that are all points within a radius of a centre, a line or a core: how deep they lie in
// each other by these alone, from apart over touching and crossing to one within the other.
#include <algorithm>
#include <array>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "src/check/gap/convex_gap.h"
#include "src/check/gap/convex_search.h"
#include "src/check/gap/plane_body.h"
#include "src/check/gap/swept.h"

namespace repose::check {
namespace {

/// The deepest point of one of two balls in the other, by the definition of the gap.
double plain_gap(double apart, double ra, double rb) {
  if (apart >= ra + rb) return apart - ra - rb;
  return -std::max(std::min(rb, rb - apart + ra), std::min(ra, ra - apart + rb));
}

/// Radii of every order; middles in one place, within one ball, within both, touching, apart.
std::vector<std::array<double, 3>> cases() {
  std::vector<std::array<double, 3>> out;
  for (const auto& [ra, rb] : {std::pair(0.3, 0.3), {0.2, 0.5}, {0.5, 0.2}, {0.05, 0.6}})
    for (const double apart : {0.01, 0.1, 0.15, 0.25, 0.35, 0.45, 0.55, ra + rb, 0.9})
      out.push_back({ra, rb, apart});
  return out;
}

PlacedBody along_x(const shape::ShapePtr& s, double z) {
  return at(s, Vec3(0, 0, z), rotation_from_vector(Vec3(0, std::numbers::pi / 2, 0)));
}
PlacedBody along_y(const shape::ShapePtr& s, double z) {
  return at(s, Vec3(0, 0, z), rotation_from_vector(Vec3(std::numbers::pi / 2, 0, 0)));
}

TEST(RoundDepth, of_capsules_across_each_other_is_that_of_balls_whichever_way_finds_it) {
  for (const auto& [ra, rb, apart] : cases()) {
    const auto sa = shape::make_capsule({ra, 3.0}).value(),
               sb = shape::make_capsule({rb, 3.0}).value();
    const PlacedBody a = along_x(sa, 0.0), b = along_y(sb, apart);
    const auto swept_a = Swept::of(*sa), swept_b = Swept::of(*sb);
    const auto body_a = ConvexBody::of(sa), body_b = ConvexBody::of(sb);
    const GapSettings settings{.width = 1e-7};
    const double truth = plain_gap(apart, ra, rb);
    for (const GapBracket& g : {swept_swept(a, *swept_a, b, *swept_b, settings),
                                convex_swept(a, *body_a, b, *swept_b, settings),
                                convex_swept(b, *body_b, a, *swept_a, settings),
                                convex_convex(a, *body_a, b, *body_b, settings), gap(a, b)}) {
      EXPECT_NEAR(g.upper, truth, 1e-6) << ra << ' ' << rb << ' ' << apart;
      EXPECT_GE(g.upper, truth) << ra << ' ' << rb << ' ' << apart;
      EXPECT_LE(g.lower, truth) << ra << ' ' << rb << ' ' << apart;
      if (apart > std::max(ra, rb)) {
        EXPECT_NEAR(g.lower, truth, 1e-6);
      }
    }
  }
}

TEST(RoundDepth, of_rings_across_each_other_is_that_of_balls) {
  for (const auto& [ra, rb, apart] : cases()) {
    // the second one stands upright over the first one's spine, across it
    const auto sa = shape::make_torus({2.0, ra}).value(), sb = shape::make_torus({2.0, rb}).value();
    const PlacedBody a = at(sa, Vec3::Zero());
    const PlacedBody b =
        at(sb, Vec3(2.0, 0, 2.0 + apart), rotation_from_vector(Vec3(std::numbers::pi / 2, 0, 0)));
    const auto swept_a = Swept::of(*sa), swept_b = Swept::of(*sb);
    const double truth = plain_gap(apart, ra, rb);
    const GapBracket g = swept_swept(a, *swept_a, b, *swept_b, {.width = 1e-7});
    EXPECT_NEAR(g.upper, truth, 1e-6) << ra << ' ' << rb << ' ' << apart;
    EXPECT_GE(g.upper, truth - 1e-12);
    EXPECT_LE(g.lower, truth + 1e-12);
  }
}

TEST(RoundDepth, of_discs_is_that_of_balls) {
  for (const auto& [ra, rb, apart] : cases())
    for (const double turn : {0.0, 0.7}) {
      const auto disc = [](double r) {
        auto s = std::make_shared<shape::Shape>();
        s->geometry = shape::PlaneRegion{{}, {{Vec2::Zero(), r}}, 0.1};
        s->bounding_radius = r;
        return s;
      };
      const Vec3 to(apart * std::cos(turn), apart * std::sin(turn), 0);
      const PlacedBody a = at(disc(ra), Vec3::Zero()), b = at(disc(rb), to);
      const PlaneClose c = closest(PlaneBody(a), PlaneBody(b));
      EXPECT_NEAR(c.distance, plain_gap(apart, ra, rb), 1e-12) << ra << ' ' << rb << ' ' << apart;
      EXPECT_LT((c.normal_a_to_b - to.head<2>() / apart).norm(), 1e-12);
    }
}

TEST(RoundDepth, of_balls_is_their_own) {
  for (const auto& [ra, rb, apart] : cases()) {
    const GapBracket g = gap(at(ball(ra), Vec3::Zero()), at(ball(rb), Vec3(0, apart, 0)));
    EXPECT_NEAR(g.upper, plain_gap(apart, ra, rb), 1e-12) << ra << ' ' << rb << ' ' << apart;
  }
}

}  // namespace
}  // namespace repose::check
