#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "repose/base/stage_clock.h"
#include "repose/check/verdict.h"
#include "repose/run/judge_input.h"
#include "repose/shape/make.h"

#include "pile_scene.h"
#include "src/methods/pile/nearest.h"
#include "src/methods/pile/nearest_cell_pair.h"
#include "src/methods/pile/sweep.h"
#include "src/methods/pile/touch_points.h"

namespace repose::pile {
namespace {

shape::ShapePtr solid_of(Result<shape::ShapePtr> shape) {
  EXPECT_TRUE(shape) << (shape ? "" : shape.error().text());
  return std::move(shape).value();
}

/// A round bowl about 8 wide and 8 deep, with a pole at the bottom.
shape::ShapePtr bowl(double scale) {
  shape::RevolutionInput in;
  for (const Vec2& p : {Vec2(0.0, 0.0), Vec2(4.0, 1.07), Vec2(6.96, 4.0), Vec2(8.0, 8.0),
                        Vec2(8.64, 8.0), Vec2(7.6, 3.6), Vec2(4.4, 0.24), Vec2(0.0, -0.8)})
    in.profile.push_back(scale * p);
  in.corners = {3, 4};
  return solid_of(shape::make_revolution(in));
}

/// A glass with a flat bottom and steep straight walls.
shape::ShapePtr tumbler(double scale) {
  shape::RevolutionInput in;
  for (const Vec2& p : {Vec2(0.0, 0.3), Vec2(3.6, 0.3), Vec2(4.0, 12.0), Vec2(4.4, 12.0),
                        Vec2(4.0, 0.0), Vec2(0.0, 0.0)})
    in.profile.push_back(scale * p);
  in.corners = {1, 2, 3, 4};
  return solid_of(shape::make_revolution(in));
}

shape::ShapePtr egg(double scale) {
  shape::RevolutionInput in;
  for (const Vec2& p :
       {Vec2(0.0, -0.8), Vec2(0.6, -0.5), Vec2(0.8, 0.1), Vec2(0.5, 0.7), Vec2(0.0, 0.95)})
    in.profile.push_back(scale * p);
  return solid_of(shape::make_revolution(in));
}

void add_turned(PileScene& s, const shape::ShapePtr& shape, const Vec3& at, const Quat& turned) {
  const int body = s.add(shape, at, false, turned);
  s.problem.bodies[body].center_body = shape->volume.center;
}

check::Verdict verdict_of(const PileScene& s, double friction) {
  check::Input input = judge_input(s.problem, s.state);
  for (check::PlacedBody& body : input.bodies) body.friction = friction;
  return check::check(input);
}

SettingValues with_friction(PileScene& s, double friction) {
  for (Body& body : s.problem.bodies) body.material.friction = friction;
  return {{"friction", friction}};
}

/// How far p is from a cylinder about z, its middle at the origin, m; 0 within it.
double off_cylinder(const Vec3& p, double radius, double height) {
  const double out = std::max(0.0, p.head<2>().norm() - radius);
  const double above = std::max(0.0, std::fabs(p.z()) - 0.5 * height);
  return std::hypot(out, above);
}

/// The least of it over points of the cell, 30 by 30: never below the true one.
double cell_off_cylinder(const PatchCell& cell, const Pose& cylinder, double radius,
                         double height) {
  constexpr int kLooks = 30;
  const Pose back = cylinder.inverse();
  double out = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kLooks; ++i)
    for (int j = 0; j <= kLooks; ++j) {
      const double u = cell.box.u0 + (cell.box.u1 - cell.box.u0) * i / kLooks;
      const double v = cell.box.v0 + (cell.box.v1 - cell.box.v0) * j / kLooks;
      out = std::min(out, off_cylinder(back * cell.patch->point(u, v), radius, height));
    }
  return out;
}

TEST(PatchCell, every_cell_within_reach_of_a_piece_makes_a_pair_to_be_proven) {
  constexpr double kRadius = 0.45, kHeight = 1.0;
  const auto pieces =
      convex_pieces(*solid_of(shape::make_cylinder({.radius = kRadius, .height = kHeight})));
  ASSERT_EQ(pieces.size(), 1U);
  Random random(29);
  int near = 0;
  for (const shape::ShapePtr& shape : {bowl(0.3), tumbler(0.6), egg(3.0)}) {
    const auto cells = cells_of(std::get<shape::Solid>(shape->geometry), 1.0, 0.2);
    for (int round = 0; round < 4000; ++round) {
      const PatchCell& cell = cells[random.below(static_cast<int>(cells.size()))];
      const Convex wall = cell_piece(cell);
      const Vec3 above = cell.patch->point(random.between(cell.box.u0, cell.box.u1),
                                           random.between(cell.box.v0, cell.box.v1));
      Pose at{above + random.between(0.4, 0.8) * random_direction(random), random_rotation(random)};
      const double gap = cell_off_cylinder(cell, at, kRadius, kHeight);
      if (gap == 0.0) continue;
      const double within = gap * random.between(1.0, 1.5);
      std::vector<TouchPoint> rows;
      find_touch_points(wall, Pose{}, pieces[0], at, within, random.between(0.0, 0.1), rows);
      EXPECT_FALSE(rows.empty()) << "gap " << gap << ", within " << within << ", round " << round;
      ++near;
    }
  }
  EXPECT_GT(near, 2000);
}

/// The nearest distance of two cells by samples of both, 8 by 8 each, and feet taken in turns.
double plain_distance(const PatchCell& a, const Pose& pose_a, const PatchCell& b,
                      const Pose& pose_b) {
  constexpr int kLooks = 7, kTurns = 300;
  const auto at = [&](const shape::UvBox& box, int i, int j) {
    return Vec2(box.u0 + (box.u1 - box.u0) * i / kLooks, box.v0 + (box.v1 - box.v0) * j / kLooks);
  };
  double best = std::numeric_limits<double>::infinity();
  Vec2 uv_a, uv_b;
  for (int i = 0; i <= kLooks; ++i)
    for (int j = 0; j <= kLooks; ++j) {
      const Vec2 on_a = at(a.box, i, j);
      const Vec3 p = pose_a * a.patch->point(on_a[0], on_a[1]);
      for (int k = 0; k <= kLooks; ++k)
        for (int l = 0; l <= kLooks; ++l) {
          const Vec2 on_b = at(b.box, k, l);
          const double far = (p - pose_b * b.patch->point(on_b[0], on_b[1])).norm();
          if (far >= best) continue;
          best = far;
          uv_a = on_a;
          uv_b = on_b;
        }
    }
  Vec3 p = pose_a * a.patch->point(uv_a[0], uv_a[1]);
  for (int n = 0; n < kTurns; ++n) {
    const CellFoot on_b = foot_on_cell(b, pose_b.inverse() * p, uv_b);
    const CellFoot on_a = foot_on_cell(a, pose_a.inverse() * (pose_b * on_b.point), uv_a);
    uv_a = on_a.uv;
    uv_b = on_b.uv;
    p = pose_a * on_a.point;
    best = std::min(best, (p - pose_b * on_b.point).norm());
  }
  return best;
}

TEST(PatchCell, nearest_places_of_two_cells_are_those_of_a_plain_search) {
  Random random(83);
  const std::vector<shape::ShapePtr> shapes{
      bowl(0.3), egg(1.0), solid_of(shape::make_torus({.ring_radius = 1.0, .tube_radius = 0.3}))};
  std::vector<std::vector<PatchCell>> cells;
  for (const shape::ShapePtr& shape : shapes)
    cells.push_back(cells_of(std::get<shape::Solid>(shape->geometry), 0.5, 0.05));
  constexpr int kPairs = 400;
  int as_near = 0;
  for (int n = 0; n < kPairs; ++n) {
    const auto &of_a = cells[random.below(3)], &of_b = cells[random.below(3)];
    const Convex a = cell_piece(of_a[random.below(static_cast<int>(of_a.size()))]);
    const Convex b = cell_piece(of_b[random.below(static_cast<int>(of_b.size()))]);
    const Pose pose_a{Vec3::Zero(), random_rotation(random)};
    Pose pose_b{Vec3::Zero(), random_rotation(random)};
    const double apart = random.between(0.01, 0.4);
    pose_b.position =
        pose_a * a.bound_center + apart * random_direction(random) - pose_b.turn(b.bound_center);
    const double plain = plain_distance(*a.cell, pose_a, *b.cell, pose_b);
    const CellPair found = nearest_cell_pair(a, pose_a, b, pose_b);
    EXPECT_NEAR(found.distance, (found.on_a - found.on_b).norm(), 1e-14);
    if (found.distance <= plain + 1e-9) ++as_near;
  }
  EXPECT_GE(as_near, kPairs * 95 / 100);
}

TEST(PatchCell, hulls_of_cells_and_of_their_halves_hold_the_surface) {
  Random random(5);
  Convex point;
  point.points = {Vec3::Zero()};
  const std::vector<shape::ShapePtr> shapes{
      bowl(0.1), tumbler(0.1), egg(1.0),
      solid_of(shape::make_superellipsoid(
          {.radii = Vec3(1.0, 0.8, 0.6), .north_south = 0.5, .east_west = 0.7})),
      solid_of(shape::make_torus({.ring_radius = 1.0, .tube_radius = 0.3}))};
  for (const shape::ShapePtr& shape : shapes) {
    const auto cells = cells_of(std::get<shape::Solid>(shape->geometry), 0.5, 0.1);
    ASSERT_FALSE(cells.empty());
    for (int round = 0; round < 100; ++round) {
      PatchCell cell = cells[random.below(static_cast<int>(cells.size()))];
      for (int depth = 0; depth < 6; ++depth) {
        const shape::UvBox& b = cell.box;
        const Vec3 p = cell.patch->point(random.between(b.u0, b.u1), random.between(b.v0, b.v1));
        const Nearest found = nearest_of_hulls(point, {p, Quat::Identity()}, cell.hull(), {});
        if (found.apart) {
          EXPECT_LE(found.gap, 1e-12) << name_of(shape->kind);
        }
        cell = cell.halves()[random.below(2)];
      }
    }
  }
}

TEST(PatchCell, a_foot_is_no_farther_than_any_sampled_point_of_a_small_cell) {
  constexpr int kSamples = 30;
  Random random(6);
  for (const shape::ShapePtr& shape : {bowl(0.1), egg(1.0)}) {
    const auto cells = cells_of(std::get<shape::Solid>(shape->geometry), 0.15, 0.01);
    for (int round = 0; round < 60; ++round) {
      const PatchCell& cell = cells[random.below(static_cast<int>(cells.size()))];
      const shape::UvBox& b = cell.box;
      const Vec3 p = cell.corner[0] + random.between(0.0, 0.2) * random_direction(random);
      const double found = (foot_on_cell(cell, p, b.center()).point - p).norm();
      for (int i = 0; i <= kSamples; ++i)
        for (int k = 0; k <= kSamples; ++k) {
          const double u = b.u0 + (b.u1 - b.u0) * i / kSamples;
          const double v = b.v0 + (b.v1 - b.v0) * k / kSamples;
          ASSERT_LE(found, (cell.patch->point(u, v) - p).norm() + 1e-9);
        }
    }
  }
}

TEST(Sweep, a_ball_that_is_proven_off_a_curved_wall_is_off_it_at_every_moment) {
  constexpr int kMoments = 40, kSamples = 12;
  constexpr double kRadius = 0.2;
  Random random(7);
  const shape::ShapePtr wall = bowl(0.1);
  const auto cells = cells_of(std::get<shape::Solid>(wall->geometry), 0.15, 0.01);
  Convex ball;
  ball.points = {Vec3::Zero()};
  ball.radius = ball.bound_radius = kRadius;
  int proven = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    const PatchCell& cell = cells[random.below(static_cast<int>(cells.size()))];
    const shape::UvBox& b = cell.box;
    const Vec2 middle = b.center();
    const Vec3 up = cell.patch->normal(middle[0], middle[1]);
    Way way;
    way.from.position =
        cell.patch->point(middle[0], middle[1]) + (kRadius + random.between(1e-7, 0.02)) * up;
    way.shift = random.between(0.0, 0.05) * random_direction(random);
    if (!stay_apart(cell_piece(cell), Way{}, ball, way, up, 1e-9)) {
      ++refused;
      continue;
    }
    ++proven;
    for (int t = 0; t <= kMoments; ++t)
      for (int i = 0; i <= kSamples; ++i)
        for (int k = 0; k <= kSamples; ++k) {
          const Vec3 p = cell.patch->point(b.u0 + (b.u1 - b.u0) * i / kSamples,
                                           b.v0 + (b.v1 - b.v0) * k / kSamples);
          const Vec3 center = way.at(static_cast<double>(t) / kMoments).position;
          ASSERT_GE((p - center).norm(), kRadius);
        }
  }
  EXPECT_GT(proven, 50);
  EXPECT_GT(refused, 20);
}

TEST(PatchCell,
     a_rim_or_an_edge_at_a_hair_over_a_curved_wall_is_nearest_where_it_lies_square_to_it) {
  // over the surface the distance of an edge is a narrow bent valley: the place came out anywhere
  // along it, with a direction to match
  Random random(23);
  const auto can = convex_pieces(*solid_of(shape::make_cylinder({.radius = 1.0, .height = 1.5})));
  const auto box = convex_pieces(*solid_of(shape::make_box({.size = Vec3(2.0, 1.6, 1.2)})));
  const auto inside = convex_pieces(*bowl(1.0));
  const auto outside = convex_pieces(*egg(8.0));
  int looked = 0;
  for (int round = 0; round < 400; ++round) {
    const bool rim = round % 2 == 0;  // in a bowl; else an edge over an egg
    const auto& wall = rim ? inside : outside;
    const PatchCell& cell = *wall[random.below(wall.size())].cell;
    if (!cell.flat.isZero()) continue;
    const shape::UvBox& b = cell.box;
    const Vec2 uv(b.u0 + random.between(0.3, 0.7) * (b.u1 - b.u0),
                  b.v0 + random.between(0.3, 0.7) * (b.v1 - b.v0));
    const Vec3 on = cell.patch->point(uv[0], uv[1]), n = cell.patch->normal(uv[0], uv[1]);
    if (rim && (n.z() < 0.1 || on.head<2>().norm() > 7.0 || on.dot(n) > 0.0)) continue;
    // an edge that runs along the surface there, the body above it
    const double gap = std::pow(10.0, random.between(-8.0, -5.0));
    const Vec3 tangent =
        (n.unitOrthogonal() + random.between(-2.0, 2.0) * n.cross(n.unitOrthogonal())).normalized();
    const double lean = random.between(0.5, 1.0);  // rad, between the end and the surface
    const Vec3 up = std::cos(lean) * n + std::sin(lean) * n.cross(tangent);
    Mat3 turn;
    turn << tangent.cross(up), tangent, up;
    Pose pose;
    pose.rotation = Quat(turn);
    const Vec3 down = turn.transpose() * -n;
    const Vec3 side = Vec3(down.x(), 0.0, 0.0).normalized();
    const Vec3 edge = rim ? Vec3(side.x(), 0.0, down.z() > 0.0 ? 0.75 : -0.75)
                          : Vec3(side.x(), random.between(-0.3, 0.3), down.z() > 0.0 ? 0.6 : -0.6);
    pose.position = on + gap * n - pose.turn(edge);
    const Nearest found = nearest_of(cell_piece(cell), Pose{}, (rim ? can : box)[0], pose);
    ASSERT_TRUE(found.apart) << round;
    if (found.passes) continue;
    ++looked;
    EXPECT_LE(found.gap, gap * (1.0 + 1e-6)) << round;
    const double off = std::fabs(found.normal.dot(n.normalized()));
    EXPECT_GT(off, 1.0 - 1e-3) << round << " gap " << gap << " found " << found.gap;
  }
  EXPECT_GT(looked, 60);
}

TEST(PatchCell, no_point_of_a_rim_is_nearer_to_a_curved_wall_than_the_place_that_is_told) {
  constexpr int kRounds = 1500, kAngles = 240;
  constexpr double kTurn = 6.283185307179586;
  Random random(29);
  const auto can = convex_pieces(*solid_of(shape::make_cylinder({.radius = 1.0, .height = 1.5})));
  const auto cone = convex_pieces(*solid_of(shape::make_cone({.radius = 1.0, .height = 2.0})));
  const auto wall = convex_pieces(*bowl(1.0));
  int looked = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Convex& cell = wall[random.below(wall.size())];
    const Convex& body = round % 2 == 0 ? can[0] : cone[0];
    const Vec2 uv = cell.cell->box.center();
    const Vec3 on = cell.cell->patch->point(uv[0], uv[1]);
    if (on.head<2>().norm() > 7.0) continue;
    // from within the bowl to a hair off the cell
    const Vec3 inwards = Vec3(-on.x(), -on.y(), 6.0 - on.z()).normalized();
    Pose pose{on + 3.0 * inwards, random_rotation(random)};
    const double wanted = std::pow(10.0, random.between(-8.0, -5.0));
    Nearest found;
    for (int step = 0; step < 12; ++step) {
      found = nearest_of(cell, Pose{}, body, pose);
      if (!found.apart) break;
      pose.position -= (found.gap - wanted) * found.normal;
    }
    found = nearest_of(cell, Pose{}, body, pose);
    if (!found.apart || found.gap > 1e-4) continue;
    bool through = false;  // the wall
    double least = std::numeric_limits<double>::infinity();
    for (const Convex::Disc& disc : {body.low, body.high})
      for (int i = 0; i < kAngles; ++i) {
        const double angle = kTurn * i / kAngles;
        const Vec3 p =
            pose * Vec3(disc.radius * std::cos(angle), disc.radius * std::sin(angle), disc.height);
        const CellFoot foot = foot_on_cell(*cell.cell, p, uv);
        least = std::min(least, (p - foot.point).norm());
        through = through || foot.normal.dot(inwards) < 0.0;
      }
    if (through || found.gap <= 0.0) continue;
    ++looked;
    std::vector<TouchPoint> rows;
    find_touch_points(cell, Pose{}, body, pose, 0.1, 0.01, rows);
    ASSERT_FALSE(rows.empty());
    EXPECT_LE(found.gap, least + 1e-9) << round;
    EXPECT_LE(rows.front().gap, least + 1e-9) << round;
    EXPECT_NEAR(rows.front().gap, found.gap, 1e-7) << round;
  }
  EXPECT_GT(looked, 60);
}

TEST(Pile, balls_rest_on_curved_walls_themselves_at_any_scale) {
  for (const double scale : {1e-3, 1.0, 1e3}) {
    PileScene s;
    s.add(bowl(scale), Vec3::Zero(), true);
    for (const Vec3& at : {Vec3(0.3, 0.2, 3.0), Vec3(-1.9, 0.3, 4.0), Vec3(0.9, 2.1, 5.0)})
      s.add_ball(scale, scale * at);
    EXPECT_EQ(s.run().status, RunStatus::rest) << scale;
    const check::Verdict verdict = verdict_of(s, 0.0);
    EXPECT_EQ(verdict.answer, check::Answer::proven) << scale << ": " << verdict.why;
  }
}

TEST(Pile, contacts_that_carry_many_weights_arrive) {
  // a heavy ball among light ones: it presses the wall with more than ten of their mean weights
  PileScene s;
  s.add(bowl(1.0), Vec3::Zero(), true);
  const int heavy = s.add_ball(1.5, Vec3(0.8, 0.3, 3.5));
  s.problem.bodies[heavy].mass = 2000.0;
  for (int i = 0; i < 40; ++i)
    s.add_ball(0.4, Vec3(-2.0 + (i % 5), -2.0 + (i / 5 % 5), 6.5 + 0.1 * (i % 3) + i / 25));
  EXPECT_EQ(s.run().status, RunStatus::rest);
  const check::Verdict verdict = verdict_of(s, 0.0);
  EXPECT_EQ(verdict.answer, check::Answer::proven) << verdict.why;
}

TEST(Pile, sharp_bodies_rest_in_curved_containers_by_friction) {
  constexpr double kFriction = 0.5;
  Random random(4);
  for (const shape::ShapePtr& container : {bowl(1.0), tumbler(1.0)}) {
    PileScene s;
    s.add(container, Vec3::Zero(), true);
    const auto cube = solid_of(shape::make_box({.size = Vec3(1.2, 1.1, 0.9)}));
    for (int i = 0; i < 3; ++i)
      add_turned(s, cube, Vec3(0.9 * (i - 1), 0.3 * i, 3.0 + 2.0 * i), random_rotation(random));
    EXPECT_EQ(s.run(with_friction(s, kFriction)).status, RunStatus::rest);
    const check::Verdict verdict = verdict_of(s, kFriction);
    EXPECT_EQ(verdict.answer, check::Answer::proven) << verdict.why;
  }
}

TEST(Pile, proving_that_cones_in_a_bowl_go_free_takes_no_more_than_seven_tenths_of_the_time) {
  // contacts at a hair between curved sides took four fifths of the time of such piles
  constexpr int kCones = 16, kSteps = 80;
  constexpr double kFriction = 0.5, kMostShare = 0.7;  // of the steps' CPU time
  PileScene s;
  s.add(bowl(1.0), Vec3::Zero(), true);
  const auto cone = solid_of(shape::make_cone({.radius = 0.6, .height = 1.2}));
  Random random(8);
  for (int i = 0; i < kCones; ++i)
    add_turned(s, cone, Vec3(2.6 * (i % 2) - 1.3, 2.6 * (i / 2 % 2) - 1.3, 4.0 + 2.6 * (i / 4)),
               random_rotation(random));
  const auto method = s.method(with_friction(s, kFriction));
  ASSERT_TRUE(method->prepare(s.problem, s.state));
  StageClock clock;
  const double begin = cpu_seconds();
  {
    const StageClock::Use use(clock);
    for (int step = 0; step < kSteps; ++step)
      if (method->step(s.problem, s.state).status != RunStatus::moving) break;
  }
  const double all = cpu_seconds() - begin;
  EXPECT_LT(clock.seconds().at("prove_motion"), kMostShare * all);
}

TEST(Pile, a_body_of_revolution_comes_to_proven_rest_on_the_ground_and_in_a_bowl) {
  constexpr double kFriction = 0.5;
  for (const bool in_bowl : {false, true}) {
    PileScene s;
    if (in_bowl)
      s.add(bowl(1.0), Vec3::Zero(), true);
    else
      s.add_wall(Vec3::Zero(), Vec3::UnitZ());
    add_turned(s, egg(1.0), Vec3(0.4, 0.2, 3.0), rotation_from_vector(Vec3(1.2, 0.3, 0.1)));
    EXPECT_EQ(s.run(with_friction(s, kFriction)).status, RunStatus::rest);
    const check::Verdict verdict = verdict_of(s, kFriction);
    EXPECT_EQ(verdict.answer, check::Answer::proven) << verdict.why;
  }
}

}  // namespace
}  // namespace repose::pile
