// All that a gap's answer carries, for pairs of every kind: bounds, witnesses, normal, status,
// cost.
#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/form.h"
#include "repose/shape/make.h"

#include "check/sweep.h"
#include "src/check/gap/prepared.h"
#include "src/check/gap/surface_gap.h"
#include "src/check/gap/surface_pair.h"
#include "src/check/gap/swept.h"

namespace repose::check {
namespace {

const std::vector<sweep::Body>& bodies() {
  static const std::vector<sweep::Body> made = [] {
    Random random(81);
    std::vector<sweep::Body> out;
    for (const auto make : sweep::makers()) out.push_back(make(random));
    return out;
  }();
  return made;
}

/// Two bodies beside each other, apart by roughly `far` of their size.
std::pair<PlacedBody, PlacedBody> beside(const sweep::Body& a, const sweep::Body& b, double far,
                                         Random& random) {
  const Quat qa = random_rotation(random), qb = random_rotation(random);
  const Vec3 d = random_direction(random);
  const double reach = a.shape->bounding_radius + b.shape->bounding_radius;
  return {at(a.shape, -(qa * a.shape->bounding_center), qa),
          at(b.shape, (1.0 + far) * reach * d - qb * b.shape->bounding_center, qb)};
}

/// A witness lies on its body's surface: a step outward along the normal leaves it, one inward (of
/// bodies with edges: towards their centre) does not.
void expect_on(const sweep::Body& body, const PlacedBody& item, const Vec3& point,
               const Vec3& outward, double step) {
  const Pose back = item.world_from_body.inverse();
  EXPECT_FALSE(body.inside(back * Vec3(point + step * outward))) << body.kind;
  const Vec3 center = item.world_from_body * body.shape->volume.center;
  const Vec3 inward = body.smooth() ? Vec3(-outward) : Vec3((center - point).normalized());
  if (body.kind == "bezier") return;  // its plain inside is not sure beside edges
  EXPECT_TRUE(body.inside(back * Vec3(point + step * inward))) << body.kind;
}

GapBracket moved_gap(PlacedBody a, PlacedBody b, const Pose& by, const GapSettings& s) {
  a.world_from_body = by * a.world_from_body;
  b.world_from_body = by * b.world_from_body;
  return gap(a, b, s);
}

void expect_apart(const sweep::Body& of_a, const sweep::Body& of_b, const PlacedBody& a,
                  const PlacedBody& b, Random& random) {
  const double size = std::min(a.size(), b.size());
  const GapSettings s{.width = 1e-6};
  const GapBracket g = gap(a, b, s);
  ASSERT_EQ(g.status, GapStatus::closed) << of_a.kind << ' ' << of_b.kind;
  EXPECT_LE(g.lower, g.upper);
  EXPECT_LE(g.width(), 1e-6 * size);
  EXPECT_GT(g.lower, 0.0);
  EXPECT_GT(g.tests, 0);
  EXPECT_LT(g.tests, 20'000) << of_a.kind << ' ' << of_b.kind;
  EXPECT_NEAR(g.normal_a_to_b.norm(), 1.0, 1e-12);
  const Vec3 between = g.point_b - g.point_a;
  EXPECT_NEAR(between.norm(), g.upper, 2e-6 * size) << of_a.kind << ' ' << of_b.kind;
  EXPECT_GT(between.dot(g.normal_a_to_b), (1.0 - 1e-4) * between.norm());
  // both witnesses on their surfaces, both normals towards the other
  expect_on(of_a, a, g.point_a, g.normal_a_to_b, 1e-4 * size);
  expect_on(of_b, b, g.point_b, -g.normal_a_to_b, 1e-4 * size);
  // changed round
  const GapBracket back = gap(b, a, s);
  EXPECT_EQ(back.status, g.status);
  EXPECT_LE(std::max(g.lower, back.lower), std::min(g.upper, back.upper) + 1e-12);
  EXPECT_LT((back.normal_a_to_b + g.normal_a_to_b).norm(), 5e-2) << of_a.kind << ' ' << of_b.kind;
  EXPECT_NEAR((back.point_b - back.point_a).norm(), between.norm(), 2e-6 * size);
  EXPECT_LT((back.point_b - g.point_a).norm(), 5e-2 * size) << of_a.kind << ' ' << of_b.kind;
  // elsewhere
  const Pose by{5.0 * random_direction(random), random_rotation(random)};
  const GapBracket there = moved_gap(a, b, by, s);
  EXPECT_LE(std::max(g.lower, there.lower), std::min(g.upper, there.upper) + 1e-11);
  // enough ends it sooner, with a bound that holds
  const GapBracket early = gap(a, b, {.width = 1e-6, .enough = 0.3 * g.lower / size});
  EXPECT_EQ(early.status, GapStatus::apart) << of_a.kind << ' ' << of_b.kind;
  EXPECT_GE(early.lower, 0.3 * g.lower);
  EXPECT_LE(early.lower, g.upper);
  EXPECT_LE(early.tests, 2 * g.tests + 40) << of_a.kind << ' ' << of_b.kind;
  // a distance that is not reached is not called apart
  EXPECT_NE(gap(a, b, {.width = 1e-6, .enough = 1.5 * g.upper / size}).status, GapStatus::apart);
}

TEST(Results, pairs_apart_carry_all_that_is_promised) {
  Random random(82);
  for (std::size_t i = 0; i < bodies().size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const auto [a, b] = beside(bodies()[i], bodies()[j], -0.05, random);
      if (gap(a, b).lower <= 0.0) continue;
      expect_apart(bodies()[i], bodies()[j], a, b, random);
    }
}

TEST(Results, no_budget_is_overdrawn_and_what_was_reached_holds) {
  Random random(83);
  for (const auto& of_a : bodies())
    for (const auto& of_b : bodies()) {
      const auto [a, b] = beside(of_a, of_b, random.between(-0.3, 0.0), random);
      const GapBracket cut = gap(a, b, {.width = 1e-9, .budget = 60});
      const GapBracket full = gap(a, b, {.width = 1e-6});
      EXPECT_LE(cut.lower, full.upper + 1e-12) << of_a.kind << ' ' << of_b.kind;
      EXPECT_GE(cut.upper, full.lower - 1e-12) << of_a.kind << ' ' << of_b.kind;
      EXPECT_LE(cut.tests, 6000) << of_a.kind << ' ' << of_b.kind;
      const double size = std::min(a.size(), b.size());
      if (cut.status == GapStatus::closed) {
        EXPECT_LE(cut.width(), 1.01e-9 * size + 1e-12);
      }
      if (cut.status == GapStatus::overlap) {
        EXPECT_LT(cut.upper, 0.0);
      }
    }
}

TEST(Results, overlap_is_seen_from_both_sides_and_its_witness_lies_in_both) {
  Random random(84);
  int shallow = 0;
  for (const auto& of_a : bodies())
    for (int k = 0; k < 4; ++k) {
      const auto& of_b = bodies()[random.below(bodies().size())];
      sweep::Pair pair = sweep::draw_pair(of_a, of_b, random);
      // from touching at one place to `deep` within
      const double deep = 0.02 * pair.size;
      const Vec3 n = [&] {
        const GapBracket g = gap(pair.a, pair.b, {.width = 1e-6});
        return g.normal_a_to_b;
      }();
      PlacedBody b = pair.b;
      b.world_from_body.position -= (deep + std::fabs(pair.meant)) * n;
      const GapBracket g = gap(pair.a, b, {.width = 1e-6}), back = gap(b, pair.a, {.width = 1e-6});
      EXPECT_LE(g.lower, g.upper + 1e-12) << of_a.kind << ' ' << of_b.kind;
      EXPECT_LE(std::max(g.lower, back.lower), std::min(g.upper, back.upper) + 1e-9 * pair.size)
          << of_a.kind << ' ' << of_b.kind;
      EXPECT_NEAR(g.normal_a_to_b.norm(), 1.0, 1e-9);
      if (g.status != GapStatus::overlap && g.status != GapStatus::closed) continue;
      if (!(g.upper < -1e-3 * pair.size)) continue;
      ++shallow;
      // no point of a lies deeper in b than its span along any direction
      EXPECT_GE(g.upper, -2.0 * pair.size);
    }
  EXPECT_GT(shallow, 15);
}

TEST(Results, convex_pairs_are_closed_by_planes_alone) {
  Random random(87);
  std::vector<const sweep::Body*> convex;
  for (const auto& b : bodies())
    if (b.support) convex.push_back(&b);
  int closed = 0, all = 0;
  for (int k = 0; k < 400; ++k) {
    const auto &of_a = *convex[random.below(convex.size())],
               &of_b = *convex[random.below(convex.size())];
    sweep::Pair pair = sweep::draw_pair(of_a, of_b, random);
    const GapBracket g = gap(pair.a, pair.b);
    ++all;
    closed += g.status == GapStatus::closed || g.status == GapStatus::overlap;
    EXPECT_LT(g.tests, 1500) << of_a.kind << ' ' << of_b.kind << ' ' << pair.meant;
    EXPECT_LE(g.lower, pair.meant >= 0.0 || pair.sure() ? pair.meant + 1e-11 : 1e300);
    if (pair.meant >= 0.0) {
      EXPECT_GE(g.upper, pair.meant - 1e-11);
    }
  }
  EXPECT_GE(closed, all - 4);
  // boxes sunk into each other by a face: depth known, at the cost of some planes
  const auto box = shape::make_box({Vec3(1, 1, 1)}).value();
  for (const double deep : {1e-6, 1e-3, 0.1}) {
    const GapBracket g = gap(at(box, Vec3::Zero()), at(box, Vec3(0.2, 0.1, 1.0 - deep),
                                                       rotation_from_vector(Vec3(0, 0, 0.4))));
    EXPECT_NEAR(g.lower, -deep, 1e-9);
    EXPECT_NEAR(g.upper, -deep, 1e-9);
    EXPECT_LT(g.tests, 100);
    EXPECT_LT((g.normal_a_to_b - Vec3::UnitZ()).norm(), 1e-9);
  }
}

TEST(Results, a_spine_within_the_other_body_is_as_deep_as_the_balls_say) {
  // a capsule whose axis passes the ring's spine at a distance: as two balls there
  const auto ring = shape::make_torus({2.0, 0.3}).value();
  for (const double r : {0.2, 0.9})
    for (const double apart : {0.1, 0.25, 0.5, 0.95, 1.3}) {
      const auto capsule = shape::make_capsule({r, 0.8}).value();
      // its axis along the ring's tangent, above the spine
      const PlacedBody a = at(ring, Vec3::Zero()),
                       b = at(capsule, Vec3(2.0, 0, apart),
                              rotation_from_vector(Vec3(std::numbers::pi / 2, 0, 0)));
      const GapBracket g = gap(a, b, {.width = 1e-6}), back = gap(b, a, {.width = 1e-6});
      const double truth = apart >= r + 0.3 ? apart - r - 0.3
                                            : -std::max(0.3 - std::max(0.0, apart - r),
                                                        r - std::max(0.0, apart - 0.3));
      // the ring bends away from the straight axis, so that their middles are not quite the nearest
      EXPECT_LE(g.lower, truth + 1e-9) << r << ' ' << apart;
      EXPECT_LE(back.lower, truth + 1e-9) << r << ' ' << apart;
      if (truth > 0.0 || apart > std::max(r, 0.3)) {
        EXPECT_NEAR(g.upper, truth, 0.05) << r << ' ' << apart;
        EXPECT_NEAR(back.upper, g.upper, 1e-5);
      } else {
        EXPECT_LT(g.upper, -0.04) << r << ' ' << apart;
        EXPECT_GE(g.upper, -std::max(r, 0.3) - 1e-9) << r << ' ' << apart;
        EXPECT_GE(back.upper, -std::max(r, 0.3) - 1e-9) << r << ' ' << apart;
      }
    }
}

TEST(Results, a_ball_spends_no_more_than_its_budget_and_sees_both_sides_of_a_surface) {
  for (const auto& of_b : bodies()) {
    if (of_b.kind == "sphere") continue;
    const Vec3 center = of_b.shape->bounding_center;
    const GapBracket cut = gap(at(ball(0.1), center + Vec3(0.3, 2.5, 0.4)),
                               at(of_b.shape, Vec3::Zero()), {.width = 1e-12, .budget = 10});
    EXPECT_LE(cut.tests, 200) << of_b.kind;
    // deep inside: overlap, whose bounds hold the truth
    Random random(88);
    for (int k = 0; k < 3; ++k) {
      Vec3 in = of_b.shape->volume.center;
      if (of_b.kind == "torus")
        in = Vec3(0,
                  0.5 * (of_b.shape->bounding_radius +
                         std::get<shape::TorusForm>(shape::form_of(*of_b.shape).is).ring -
                         std::get<shape::TorusForm>(shape::form_of(*of_b.shape).is).tube),
                  0);
      if (!of_b.inside(in)) continue;
      const double r = 0.02 + 0.02 * k;
      const GapBracket g = gap(at(ball(r), in), at(of_b.shape, Vec3::Zero()), {.width = 1e-6});
      double nearest = 1e300;
      for (const auto& s : of_b.samples) nearest = std::min(nearest, (s.point - in).norm());
      EXPECT_LT(g.upper, 0.0) << of_b.kind;
      // of a torus the depth is known in closed form
      EXPECT_EQ(g.status, of_b.kind == "torus" ? GapStatus::closed : GapStatus::overlap)
          << of_b.kind;
      EXPECT_LE(g.lower, g.upper);
      EXPECT_GE(g.upper, -(r + nearest) - 1e-9) << of_b.kind;
      EXPECT_LE(g.upper, -r + 1e-9) << of_b.kind;
      EXPECT_NEAR(g.normal_a_to_b.norm(), 1.0, 1e-9);
      EXPECT_GT(g.tests, 0);
    }
  }
}

TEST(Results, what_cannot_meet_or_has_no_gap_is_not_judged) {
  const auto shared = ball(1.0);
  PlacedBody a = at(shared, Vec3::Zero()), b = at(shared, Vec3(0.5, 0, 0));
  for (PlacedBody* which : {&a, &b}) {
    which->collides = false;
    EXPECT_EQ(gap(a, b).status, GapStatus::unjudged);
    which->collides = true;
  }
  EXPECT_EQ(gap(a, b).status, GapStatus::closed);
  a.layer = 3;
  EXPECT_EQ(gap(a, b).status, GapStatus::closed) << "layers are for bodies of the plane";
  EXPECT_EQ(gap(at(ground(), Vec3::Zero()), at(ground(), Vec3(0, 0, 1))).status,
            GapStatus::unjudged);
  EXPECT_LT(gap(at(ground(), Vec3::Zero()), at(ground(), Vec3(0, 0, 1))).lower, -1e300);
}

TEST(Results, a_ball_and_ground_tell_points_normal_and_cost) {
  Random random(85);
  for (int k = 0; k < 100; ++k) {
    const Quat q = random_rotation(random);
    const Vec3 origin = random_direction(random), up = q * Vec3::UnitZ();
    const PlacedBody floor = at(ground(), origin, q);
    const double r = random.between(0.1, 2.0), h = random.between(-1.0, 3.0);
    const Vec3 center = origin + q * Vec3(random.between(-2, 2), random.between(-2, 2), h);
    const GapBracket g = gap(floor, at(ball(r), center));
    EXPECT_NEAR(g.lower, h - r, 1e-12);
    EXPECT_NEAR(g.upper, h - r, 1e-12);
    EXPECT_LT((g.normal_a_to_b - up).norm(), 1e-12);
    EXPECT_LT((g.point_a - (center - h * up)).norm(), 1e-12);
    EXPECT_LT((g.point_b - (center - r * up)).norm(), 1e-12);
    EXPECT_EQ(g.tests, 1);
    EXPECT_EQ(g.status, GapStatus::closed);
    const Vec3 d = random_direction(random);
    const GapBracket two = gap(at(ball(r), center), at(ball(0.5), center + (r + 0.5 + h) * d));
    EXPECT_EQ(two.tests, 1);
    if (h <= -0.5 - r || h < -0.4) continue;
    EXPECT_LT((two.point_a - (center + r * d)).norm(), 1e-12);
    EXPECT_LT((two.point_b - (center + (r + h) * d)).norm(), 1e-12);
    EXPECT_LT((two.normal_a_to_b - d).norm(), 1e-12);
  }
  const GapBracket same = gap(at(ball(1.0), Vec3::Zero()), at(ball(0.5), Vec3::Zero()));
  EXPECT_NEAR(same.normal_a_to_b.norm(), 1.0, 1e-15);
}

TEST(Results, ground_under_every_kind_tells_the_lowest_point) {
  Random random(86);
  for (const auto& of_b : bodies()) {
    for (int k = 0; k < 3; ++k) {
      const Quat q = random_rotation(random), tilt = random_rotation(random);
      const Vec3 up = tilt * Vec3::UnitZ();
      const PlacedBody floor = at(ground(), Vec3(0.3, -0.2, 0.1), tilt);
      const PlacedBody b = at(of_b.shape, Vec3(0.3, -0.2, 0.1) + 2.0 * up, q);
      const GapBracket g = gap(floor, b, {.width = 1e-7});
      ASSERT_EQ(g.status, GapStatus::closed) << of_b.kind;
      double low = 1e300;
      for (const auto& s : of_b.samples)
        low = std::min(low, up.dot(b.world_from_body * s.point - floor.world_from_body.position));
      EXPECT_LE(g.lower, low + 1e-12) << of_b.kind;
      EXPECT_GE(g.upper, low - 0.03) << of_b.kind;
      EXPECT_LE(g.width(), 1e-7 * b.size());
      EXPECT_LT((g.normal_a_to_b - up).norm(), 1e-12);
      EXPECT_NEAR(up.dot(g.point_b - floor.world_from_body.position), g.upper, 1e-6);
      EXPECT_NEAR(up.dot(g.point_a - floor.world_from_body.position), 0.0, 1e-12);
      EXPECT_NEAR((g.point_b - g.point_a).norm(), std::fabs(g.upper), 1e-6);
      expect_on(of_b, b, g.point_b, -up, 1e-4);
      EXPECT_GT(g.tests, 0);
      EXPECT_LT(g.tests, 4000);
      const GapBracket back = gap(b, floor, {.width = 1e-7});
      EXPECT_EQ(back.lower, g.lower);
      EXPECT_EQ(back.point_a, g.point_b);
      EXPECT_EQ(back.normal_a_to_b, -g.normal_a_to_b);
      if (of_b.kind != "sphere") {
        EXPECT_EQ(gap(floor, b, {.width = 1e-7, .enough = 0.5 * g.lower / b.size()}).status,
                  GapStatus::apart);
      }
      // sunk in
      PlacedBody sunk = b;
      sunk.world_from_body.position -= (g.upper + 0.01 * b.size()) * up;
      const GapBracket in = gap(floor, sunk, {.width = 1e-7});
      EXPECT_NEAR(in.upper, -0.01 * b.size(), 1e-6);
      EXPECT_NEAR(in.lower, -0.01 * b.size(), 1e-6);
    }
  }
}

/// An angle iron: two walls, 0.2 thick, along x; the inner corner at the origin.
shape::ShapePtr angle_iron() {
  const std::vector<Vec2> outline{{-0.2, -0.2}, {2, -0.2}, {2, 0}, {0, 0}, {0, 2}, {-0.2, 2}};
  std::vector<Vec3> points;
  for (const double x : {-1.5, 1.5})
    for (const Vec2& p : outline) points.push_back({x, p.x(), p.y()});
  std::vector<std::array<int, 3>> triangles;
  for (int k = 0; k < 6; ++k) {
    const int next = (k + 1) % 6;
    triangles.push_back({k, next + 6, next});
    triangles.push_back({k, k + 6, next + 6});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}}) {
    triangles.push_back({a, c, b});
    triangles.push_back({a + 6, b + 6, c + 6});
  }
  return mesh(points, triangles);
}

TEST(Results, witnesses_in_a_corner_are_as_near_as_the_bound_says) {
  // no plane parts the two bodies well: the distance is found by the search in full
  const auto iron = angle_iron();
  const auto box = shape::make_box({Vec3(0.6, 0.5, 0.4)}).value();
  Random random(86);
  for (int k = 0; k < 8; ++k) {
    const Pose by{random_direction(random), random_rotation(random)};
    const double over = 0.01 + 0.02 * k, beside = 0.3 - 0.02 * k;
    PlacedBody a = at(iron, Vec3::Zero()), b = at(box, Vec3(0.1, beside + 0.25, over + 0.2));
    a.world_from_body = by * a.world_from_body;
    b.world_from_body = by * b.world_from_body;
    for (const bool first : {true, false}) {
      const GapBracket g = first ? gap(a, b) : gap(b, a);
      const double truth = std::min(over, beside);
      EXPECT_LE(g.lower, truth);
      EXPECT_GE(g.upper, truth);
      EXPECT_LE(g.width(), 2e-9);
      EXPECT_LE((g.point_b - g.point_a).norm(), g.upper + 1e-12);
      EXPECT_GE((g.point_b - g.point_a).norm(), g.lower - 1e-12);
      EXPECT_LT((g.point_b - g.point_a - truth * g.normal_a_to_b).norm(), 1e-8);
    }
  }
}

TEST(Results, a_gap_found_by_two_ways_counts_the_tests_of_both) {
  // the ring's spine pierces the wall, which its tube cannot tell; the surfaces can
  const auto iron = angle_iron();
  const auto ring = shape::make_torus({0.5, 0.05}).value();
  const PlacedBody a = at(ring, Vec3(0, 1.0, 0.0), rotation_from_vector(Vec3(0.3, 0.2, 0))),
                   b = at(iron, Vec3::Zero());
  const GapSettings settings{.width = 1e-4};
  Prepared made_a(ring), made_b(iron);
  const GapBracket spine = swept_surface(a, *made_a.swept(), b, *made_b.surface(), settings);
  ASSERT_EQ(spine.status, GapStatus::undecided);
  ASSERT_GT(spine.tests, 0);
  const GapBracket faces = surface_surface(a, made_a, b, made_b, settings);
  EXPECT_EQ(gap(a, b, settings).tests, spine.tests + faces.tests);
}

}  // namespace
}  // namespace repose::check
