// The room that brackets leave for rounding: every term of the error analysis is there, none is
// many times too large. Truths are computed in long double from the same doubles.
#include "src/check/exact/rounding.h"

#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/shapes.h"
#include "src/check/gap/convex_search.h"
#include "src/check/gap/distance.h"
#include "src/check/gap/gjk.h"
#include "src/check/gap/pair_case.h"
#include "src/check/gap/polish.h"
#include "src/check/gap/surface_gap.h"
#include "src/check/gap/swept.h"

namespace repose::check {
namespace {

constexpr double kU = 0x1p-52;  // what one operation may change
constexpr double kTurn = 64.0 * kU, kSum = 16.0 * kU;

/// `room` is what the analysis asks for, up to a few operations' own rounding of `value`.
void expect_room(double room, double asked, double value, const char* what, double more = 0.02) {
  EXPECT_GE(room, 0.98 * asked - 3.0 * kU * std::fabs(value)) << what;
  EXPECT_LE(room, (1.0 + more) * asked + 3.0 * kU * std::fabs(value)) << what;
  EXPECT_GT(asked, 10.0 * kU * std::fabs(value)) << what << ": no test at all";
}

TEST(Rounding, frames_know_how_far_off_they_may_be) {
  Random random(91);
  for (const double far : {1e-3, 1.0, 1e6}) {
    const PlacedBody a = at(ball(1.0), far * random_direction(random), random_rotation(random));
    const PlacedBody b = at(ball(1.0), far * random_direction(random), random_rotation(random));
    const Frame wa = world_frame(a), f = relative_frame(a, b);
    EXPECT_DOUBLE_EQ(wa.turn_error, kTurn);
    EXPECT_EQ(wa.shift, a.world_from_body.position);
    const double between = (b.world_from_body.position - a.world_from_body.position).norm();
    EXPECT_NEAR(f.turn_error, 2.0 * kTurn + kSum, 0.01 * kSum);
    EXPECT_NEAR(f.shift_error, (kTurn + kSum) * between, 0.01 * kSum * between);
    EXPECT_NEAR(f.error(3.0), f.turn_error * 3.0 + f.shift_error + kSum * (3.0 + f.shift.norm()),
                1e-3 * kSum);
    const Vec3 p = random_direction(random);
    EXPECT_LT((a.world_from_body * (f * p) - b.world_from_body * p).norm(), 8.0 * kU * (far + 1.0));
  }
}

TEST(Rounding, bounding_balls_hold_their_bodies_wherever_they_are) {
  Random random(92);
  auto shape = std::make_shared<shape::Shape>(*box_mesh(Vec3(1, 2, 3)));
  shape->bounding_center = Vec3(0.5, 0.25, -0.125);
  shape->bounding_radius = 2.5;
  for (const double far : {0.0, 1e6}) {
    const PlacedBody item = at(shape, far * Vec3::UnitX(), random_rotation(random));
    const BoundingBall ball = bounding_ball_world(item);
    const double off = shape->bounding_center.norm();
    EXPECT_NEAR(ball.radius - 2.5, kSum * 2.5 + kTurn * off + kSum * (off + far),
                2.0 * kU * 2.5 + 0.01 * kSum * far);
    EXPECT_LT((ball.center - item.world_from_body * shape->bounding_center).norm(),
              4 * kU * (far + 1));
    EXPECT_DOUBLE_EQ(item.size(), 2.0 * ball.radius);
  }
  const PlacedBody round = at(ball(0.7), Vec3(1, 2, 3));
  EXPECT_EQ(bounding_ball_world(round).radius, 0.7);
  EXPECT_EQ(bounding_ball_world(round).center, Vec3(1, 2, 3));
  EXPECT_TRUE(std::isinf(at(ground(), Vec3::Zero()).size()));
  // sphere sets: about their present places
  auto set = std::make_shared<shape::Shape>();
  set->geometry = shape::SphereSet{{Vec3::Zero(), Vec3::UnitX()}, {0.25, 0.5}, {}};
  set->bounding_radius = 2.0;
  PlacedBody soft = at(set, Vec3::Zero());
  soft.points_world = {Vec3(0, 0, 0), Vec3(0, 4, 0)};
  EXPECT_NEAR(bounding_ball_world(soft).radius, 2.5, 1e-12);
  EXPECT_LT((bounding_ball_world(soft).center - Vec3(0, 2, 0)).norm(), 1e-12);
  EXPECT_EQ(pair_size(round, soft), 1.4);
}

TEST(Rounding, surfaces_over_ground_leave_room_for_both_turns_and_their_support) {
  const auto mesh = box_mesh(Vec3(1, 1, 1));
  Surface surface(*mesh);
  for (const double side : {0.0, 1e4}) {
    const GapBracket g =
        ground_surface(at(ground(), Vec3::Zero()), at(mesh, Vec3(side, 0, 0.5)), surface, {});
    const double asked = (kTurn + kSum) * std::hypot(side, 0.5) +
                         (2.0 * kTurn + kSum) * surface.reach() + 32.0 * kU * surface.reach();
    expect_room(-g.lower, asked, 1.0, "lower", 0.1);
    expect_room(g.upper, asked, 1.0, "upper", 0.1);
  }
}

TEST(Rounding, support_planes_of_surfaces_leave_room_for_all_that_enters) {
  const auto big = box_mesh(Vec3(4, 4, 4)), small = box_mesh(Vec3(1, 1, 1));
  for (const bool first : {true, false}) {
    Surface sa(*(first ? big : small)), sb(*(first ? small : big));
    const PlacedBody a = at(first ? big : small, Vec3::Zero()),
                     b = at(first ? small : big, Vec3(0.5, 0, 3.5));
    const GapSettings settings;
    Case c{sa, sb, relative_frame(a, b), 1.0, 1e-9, settings};
    const double lower = plane_bound(c, Vec3::UnitZ());
    const double asked = c.frame.error(sb.reach()) + kSum * (sa.reach() + sb.reach()) +
                         c.frame.turn_error * sb.reach() + 32.0 * kU * (sa.reach() + sb.reach());
    expect_room(1.0 - lower, asked, 4.0, "plane", 0.12);
    EXPECT_GT(c.tests, 1);
    const double room = 2.0 * c.frame.error(sb.reach()) + kSum * (sa.reach() + sb.reach());
    EXPECT_NEAR(c.point_error(), room, 1e-3 * room);
    EXPECT_LT((c.frame * c.to_b(Vec3(0.1, 0.2, 0.3)) - Vec3(0.1, 0.2, 0.3)).norm(), 1e-14);
  }
}

TEST(Rounding, searches_leave_room_for_frames_and_tests) {
  for (const auto& [pa, pb, shift] : {std::tuple(Vec3(0, 0, 0), Vec3(0, 0, 0), Vec3(0, 0, 1)),
                                      std::tuple(Vec3(0, 0, 3), Vec3(0, 0, 0), Vec3(0, 0, 4)),
                                      std::tuple(Vec3(0, 0, 0), Vec3(0, 0, 3), Vec3(0, 0, -2))}) {
    Surface a(pa), b(pb);
    Frame f;
    f.shift = shift;
    f.turn_error = 2.0 * kTurn;
    f.shift_error = kTurn;
    PairSearch search(a, b, f);
    const double asked = f.error(b.reach()) + 128.0 * kU * (a.reach() + b.reach() + f.shift.norm());
    expect_room(1.0 - search.lower_bound(0, 0), asked, 4.0, "pair");
    const Distance d = search.distance({});
    expect_room(1.0 - d.lower, asked, 4.0, "distance, lower");
    expect_room(d.upper - 1.0, asked, 4.0, "distance, upper");
    // a surface and the core of a ball
    const auto body = ConvexBody::of(ball(0.5));
    const Distance core = distance_to_core(a, *body, f, {});
    const double truth = (f.shift - pa).norm();
    const double room =
        f.error(0.5) + body->error() + 128.0 * kU * (a.reach() + 0.5 + shift.norm());
    expect_room(truth - core.lower, room, 4.0, "core, lower");
    expect_room(core.upper - truth, room, 4.0, "core, upper");
  }
}

TEST(Rounding, a_pair_turned_round_leaves_room_for_its_frame_turned_round) {
  // the convex body comes first, so that it is measured in the frame of the other
  const auto box = shape::make_box({Vec3(1, 1, 1)}).value();
  const auto body = ConvexBody::of(box);
  const auto big = box_mesh(Vec3(4, 4, 4));
  for (const double side : {0.0, 0.5})
    for (const bool first : {true, false}) {
      Surface small(*box_mesh(Vec3(1, 1, 1))), wide(*big);
      const PlacedBody a = at(first ? box : big, Vec3::Zero()),
                       b = at(first ? big : box, Vec3(side, 0, 3.5));
      const GapSettings settings;
      Case c{first ? small : wide, first ? wide : small, relative_frame(a, b), 1.0, 1e-9, settings};
      (first ? c.convex_a : c.convex_b) = body.get();
      DistanceGoal goal;
      goal.width = 1e-9;
      const Distance d = distance_of(c, goal);
      // the frame of the convex body in that of the surface, with what turning the shift back adds
      Frame f = c.frame;
      if (first) {
        f.turn = c.frame.turn.transpose();
        f.shift = -(f.turn * c.frame.shift);
        f.shift_error += (f.turn_error + kSum) * f.shift.norm();
      }
      const Distance plain = distance_to_core(wide, *body, f, goal);
      EXPECT_NEAR(d.lower, plain.lower, 8.0 * kU) << side << ' ' << first;
      EXPECT_LT(d.lower, 1.0 - f.error(body->reach()));
      EXPECT_LE((d.point_b - d.point_a).norm(), d.upper);
      EXPECT_NEAR(d.point_a.z(), first ? 0.5 : 2.0, 1e-9);
      EXPECT_NEAR(d.point_b.z(), first ? 1.5 : 3.0, 1e-9);
    }
}

TEST(Rounding, polished_points_tell_how_far_they_may_be_off) {
  Frame f;
  f.shift = Vec3(0, 0, 2);
  f.turn_error = kTurn;
  f.shift_error = kSum;
  Surface a(Vec3(0.5, 0, 0)), b(*box_mesh(Vec3(1, 1, 1)));
  int leaf = -1;
  for (int i = 0; i < static_cast<int>(b.count()); ++i)
    if (b.piece(i).leaf()) leaf = i;
  const Piece& t = b.piece(leaf);
  const Polished p = polish(a, 0, b, leaf, f);
  const Vec3 body_point = p.point_b - f.shift;
  const double asked =
      Frame{}.error(0.5) + kSum * (t.corner[0].norm() + 4.0 * t.size) + f.error(body_point.norm());
  EXPECT_NEAR(p.error, asked, 0.01 * asked);
}

TEST(Rounding, swept_bodies_leave_room_for_their_radii_and_forms) {
  // capsules as spines: their distance is exact, so what is left over is the room
  for (const auto& [ra, rb, apart] :
       {std::array{0.5, 0.25, 1.0}, {2.0, 0.25, 4.0}, {0.25, 2.0, 4.0}}) {
    const auto sa = shape::make_capsule({ra, 1.0}).value(),
               sb = shape::make_capsule({rb, 1.0}).value();
    const auto swept_a = Swept::of(*sa), swept_b = Swept::of(*sb);
    ASSERT_TRUE(swept_a && swept_b);
    EXPECT_EQ(swept_a->radius, ra);
    EXPECT_TRUE(swept_a->exact);
    const PlacedBody a = at(sa, Vec3::Zero()),
                     b = at(sb, Vec3(apart, 0, 0), rotation_from_vector(Vec3(0.7, 0, 0)));
    const GapBracket g = swept_swept(a, *swept_a, b, *swept_b, {});
    DistanceGoal goal;
    goal.width = 0.5 * 1e-9 * pair_size(a, b);
    const Distance d =
        PairSearch(swept_a->spine, swept_b->spine, relative_frame(a, b)).distance(goal);
    const double asked = swept_a->error + swept_b->error + kSum * (ra + rb + d.lower);
    expect_room(d.lower - ra - rb - g.lower, asked, 1.0, "lower");
    expect_room(g.upper - (d.upper - ra - rb), asked, 1.0, "upper");
    EXPECT_NEAR(g.upper, apart - ra - rb, 1e-9);
    EXPECT_EQ(g.tests, d.tests);
    EXPECT_GT(g.tests, 0);
    EXPECT_LT((g.normal_a_to_b - Vec3::UnitX()).norm(), 1e-6);
    EXPECT_LT((g.point_a - Vec3(ra, 0, 0)).norm(), 1e-3);
    EXPECT_LT((g.point_b - Vec3(apart - rb, 0, 0)).norm(), 1e-3);
    // against a surface
    const auto wall = box_mesh(Vec3(1, 8, 8));
    Surface faces(*wall);
    const PlacedBody w = at(wall, Vec3(apart, 0, 0));
    const GapBracket h = swept_surface(a, *swept_a, w, faces, {});
    EXPECT_NEAR(h.lower, apart - 0.5 - ra, 1e-8);
    EXPECT_NEAR(h.upper, apart - 0.5 - ra, 1e-8);
    EXPECT_GT(h.tests, 0);
    EXPECT_LT((h.point_a - Vec3(ra, h.point_a.y(), h.point_a.z())).norm(), 1e-6);
    EXPECT_NEAR(h.point_b.x(), apart - 0.5, 1e-6);
    EXPECT_LT((h.normal_a_to_b - Vec3::UnitX()).norm(), 1e-6);
  }
}

}  // namespace
}  // namespace repose::check
