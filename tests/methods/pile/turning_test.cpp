#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "repose/check/verdict.h"
#include "repose/run/judge_input.h"
#include "repose/shape/make.h"
#include "repose/shape/tessellate.h"

#include "pile_scene.h"
#include "src/methods/pile/nearest.h"
#include "src/methods/pile/sweep.h"
#include "src/methods/pile/touch_points.h"

namespace repose::pile {
namespace {

shape::ShapePtr made(Result<shape::ShapePtr> shape) {
  EXPECT_TRUE(shape);
  return std::move(shape).value();
}

int add_solid(PileScene& s, const shape::ShapePtr& shape, const Vec3& at, const Quat& turned) {
  const int body = s.add(shape, at, false, turned);
  s.problem.bodies[body].center_body = shape->volume.center;
  return body;
}

/// An L of six sides, drawn out.
shape::TriangleMesh hook_mesh(double scale) {
  const std::vector<Vec2> outline{{0, 0}, {4, 0}, {4, 2}, {2, 2}, {2, 4}, {0, 4}};
  shape::TriangleMesh mesh;
  for (const double z : {0.0, 1.0})
    for (const Vec2& p : outline) mesh.points.push_back(scale * Vec3(p.x(), p.y(), z));
  for (int i = 0; i < 4; ++i) {
    mesh.triangles.push_back({i + 2, i + 1, 0});
    mesh.triangles.push_back({6, i + 7, i + 8});
  }
  for (int i = 0; i < 6; ++i) {
    const int next = (i + 1) % 6;
    mesh.triangles.push_back({i, next, next + 6});
    mesh.triangles.push_back({i, next + 6, i + 6});
  }
  return mesh;
}

TEST(Convex, nearest_points_of_random_boxes_and_round_solids_are_separated_by_their_slab) {
  Random random(3);
  const std::vector<shape::ShapePtr> shapes{
      made(shape::make_box({.size = Vec3(1.0, 0.7, 0.4)})),
      made(shape::make_cylinder({.radius = 0.4, .height = 1.1})),
      made(shape::make_cone({.radius = 0.5, .height = 0.9})),
      made(shape::make_capsule({.radius = 0.2, .height = 0.8}))};
  for (int round = 0; round < 300; ++round) {
    const auto a = convex_pieces(*shapes[random.below(4)]),
               b = convex_pieces(*shapes[random.below(4)]);
    const Pose at_a{Vec3::Zero(), random_rotation(random)};
    const Pose at_b{1.9 * random_direction(random), random_rotation(random)};
    const Nearest nearest = nearest_of(a[0], at_a, b[0], at_b);
    ASSERT_TRUE(nearest.apart);
    const double distance = (nearest.point_b - nearest.point_a).norm() - a[0].radius - b[0].radius;
    EXPECT_LE(nearest.gap, distance + 1e-9);
    EXPECT_NEAR(nearest.gap, distance, 1e-5);
    EXPECT_NEAR(slab_between(a[0], at_a, b[0], at_b, nearest.normal), nearest.gap, 1e-12);
  }
}

TEST(Convex, no_place_of_an_arc_is_nearer_to_another_body_than_the_gap_of_the_two) {
  // a ring around and beside other bodies: seen from within, an arc has several nearest places
  constexpr int kPlaces = 400;
  Random random(8);
  const auto ring =
      convex_pieces(*made(shape::make_torus({.ring_radius = 0.9, .tube_radius = 0.1})));
  const std::vector<shape::ShapePtr> others{
      made(shape::make_box({.size = Vec3(1.0, 0.7, 0.4)})),
      made(shape::make_cylinder({.radius = 0.4, .height = 1.1})),
      made(shape::make_capsule({.radius = 0.2, .height = 0.8})),
      made(shape::make_torus({.ring_radius = 0.9, .tube_radius = 0.1}))};
  Convex point;
  point.points = {Vec3::Zero()};
  for (int round = 0; round < 400; ++round) {
    const auto pieces = convex_pieces(*others[round % others.size()]);
    const Convex& other = pieces[random.below(static_cast<int>(pieces.size()))];
    const Convex& arc = ring[random.below(static_cast<int>(ring.size()))];
    const Pose at_ring{Vec3::Zero(), random_rotation(random)};
    const Pose at{random.between(0.0, 1.2) * random_direction(random), random_rotation(random)};
    const Nearest nearest = nearest_of(arc, at_ring, other, at);
    if (!nearest.apart || nearest.gap < 0.0) continue;
    for (int i = 0; i <= kPlaces; ++i) {
      const double angle = arc.middle + arc.half * (2.0 * i / kPlaces - 1.0);
      const Vec3 p = at_ring * Vec3(arc.ring * std::cos(angle), arc.ring * std::sin(angle), 0.0);
      const Nearest there = nearest_of(point, {p, Quat::Identity()}, other, at);
      ASSERT_GE(there.gap - arc.radius, nearest.gap - 1e-9) << round;
    }
  }
}

TEST(Convex, a_nudge_changes_the_gap_of_bodies_that_nearly_touch_by_no_more_than_itself) {
  constexpr double kGap = 1e-6, kNudge = 1e-10;
  Random random(5);
  const auto drum = convex_pieces(*made(shape::make_cylinder({.radius = 0.5, .height = 1.1})));
  const auto box = convex_pieces(*made(shape::make_box({.size = Vec3(1.0, 0.7, 0.4)})));
  for (int round = 0; round < 400; ++round) {
    const Convex& other = round % 2 == 0 ? drum[0] : box[0];
    const Pose a{Vec3::Zero(), random_rotation(random)};
    Pose b{3.0 * random_direction(random), random_rotation(random)};
    // sides and ends that lie along each other within a thousandth
    if (round % 4 > 1)
      b.rotation = rotation_from_vector(1e-3 * random_direction(random)) * a.rotation;
    Nearest near = nearest_of(drum[0], a, other, b);
    for (int step = 0; step < 60 && std::fabs(near.gap - kGap) > 1e-3 * kGap; ++step) {
      b.position -= (near.gap - kGap) * near.normal;
      near = nearest_of(drum[0], a, other, b);
      ASSERT_TRUE(near.apart);
    }
    b.position += kNudge * random_direction(random);
    const Nearest nudged = nearest_of(drum[0], a, other, b);
    ASSERT_TRUE(nudged.apart);
    EXPECT_NEAR(nudged.gap, near.gap, 2.0 * kNudge);
  }
}

TEST(Convex, triangles_in_one_plane_are_joined_to_convex_polygons) {
  // its two ends are two convex polygons each
  const shape::TriangleMesh mesh = hook_mesh(1.0);
  const std::vector<Convex> pieces = mesh_pieces(mesh);
  EXPECT_EQ(pieces.size(), 6u + 2u * 2u);
  for (const Convex& piece : pieces)
    for (const Convex::Face& side : piece.sides)
      for (const Vec3& p : piece.points) EXPECT_LE(side.normal.dot(p), side.offset + 1e-12);
}

TEST(Turning, two_rings_in_a_funnel_come_to_rest) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  for (const Vec3& n :
       {Vec3(1.0, 0.0, 0.2), Vec3(-1.0, 0.0, 0.2), Vec3(0.0, 1.0, 0.2), Vec3(0.0, -1.0, 0.2)})
    s.add_wall(-0.8 * n, n.normalized());
  const auto ring = made(shape::make_torus({.ring_radius = 0.5, .tube_radius = 0.15}));
  for (int i = 0; i < 2; ++i)
    add_solid(s, ring, Vec3(0.1 * i, 0.05, 1.0 + 1.4 * i),
              rotation_from_vector(Vec3(0.4 * i, 0.3, 0.1 * i)));
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_LT(s.unbalanced(), 1e-6);
}

TEST(Turning, a_tilted_box_falls_on_a_face_and_rests_on_four_corners) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  const auto box = made(shape::make_box({.size = Vec3(1.0, 0.6, 0.4)}));
  const int body =
      add_solid(s, box, Vec3(0.0, 0.0, 1.5), rotation_from_vector(Vec3(0.4, 0.5, 0.2)));
  const StepReport report = s.run();
  ASSERT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_LT(s.unbalanced(), 1e-6);
  const Quat turned = s.state.bodies[body].world_from_body.rotation;
  double level = 0.0;
  for (int k = 0; k < 3; ++k) level = std::max(level, std::fabs((turned * Vec3::Unit(k)).z()));
  EXPECT_NEAR(level, 1.0, 1e-9);
  EXPECT_GE(s.state.contacts.size(), 4u);
}

TEST(Turning, no_state_between_frames_of_a_tumbling_box_reaches_below_the_floor) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  const auto shape = made(shape::make_box({.size = Vec3(1.0, 0.6, 0.4)}));
  const int body =
      add_solid(s, shape, Vec3(0.0, 0.0, 1.2), rotation_from_vector(Vec3(0.9, 0.1, 0.0)));
  const Convex box = convex_pieces(*shape)[0];
  double energy = 1e300;
  s.run({}, 200, [&](const State& before, const State& after, const Audit& audit) {
    EXPECT_LE(audit.energy, energy);
    energy = audit.energy;
    const Pose &from = before.bodies[body].world_from_body,
               &to = after.bodies[body].world_from_body;
    for (int part = 0; part <= 20; ++part) {
      const double t = part / 20.0;
      const Pose pose{from.position + t * (to.position - from.position),
                      from.rotation.slerp(t, to.rotation)};
      EXPECT_GE(height_above(Vec3::Zero(), Vec3::UnitZ(), box, pose), 0.0);
    }
  });
}

TEST(Turning, a_held_box_keeps_its_attitude_and_slides_down_a_wedge) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3(0.6, 0.0, 0.8));
  s.add_wall(Vec3(2.0, 0.0, 0.0), -Vec3::UnitX());
  const auto box = made(shape::make_box({.size = Vec3(0.4, 0.4, 0.4)}));
  const int body = add_solid(s, box, Vec3(0.0, 0.0, 2.0), Quat::Identity());
  for (int k = 3; k < 6; ++k) s.problem.bodies[body].frozen[k] = true;
  const StepReport report = s.run();
  ASSERT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.center(body).x(), 1.8, 1e-7);
  // the lower left corner stands on the slope
  EXPECT_NEAR(0.6 * (s.center(body).x() - 0.2) + 0.8 * (s.center(body).z() - 0.2), 0.0, 1e-7);
}

TEST(Turning, a_cylinder_a_ring_and_a_box_come_to_rest_side_by_side) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  const auto drum = made(shape::make_cylinder({.radius = 0.3, .height = 0.8}));
  const auto ring = made(shape::make_torus({.ring_radius = 0.5, .tube_radius = 0.15}));
  const auto box = made(shape::make_box({.size = Vec3(1.0, 0.6, 0.4)}));
  add_solid(s, drum, Vec3(0.0, 0.0, 1.5), rotation_from_vector(Vec3(0.8, 0.3, 0.1)));
  add_solid(s, ring, Vec3(2.0, 0.0, 1.5), rotation_from_vector(Vec3(0.3, 0.5, 0.0)));
  add_solid(s, box, Vec3(0.2, 0.1, 3.0), rotation_from_vector(Vec3(0.2, 0.9, 0.4)));
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_LT(s.unbalanced(), 1e-6);
}

TEST(Turning, an_overlapping_start_is_refused_by_name_and_repaired_on_request_by_least_motion) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  s.add_ball(1.0, Vec3(0.0, 0.0, 1.0));
  s.add_ball(1.0, Vec3(1.8, 0.0, 1.0));
  const auto box = made(shape::make_box({.size = Vec3(1.0, 1.0, 1.0)}));
  const int low = add_solid(s, box, Vec3(5.0, 0.0, 0.5), Quat::Identity());
  const int high = add_solid(s, box, Vec3(5.1, 0.2, 1.4), Quat::Identity());
  State refused = s.state;
  const auto ready = s.method()->prepare(s.problem, refused);
  ASSERT_FALSE(ready);
  EXPECT_NE(ready.error().text().find("body 1 and body 2 by 0.2 m"), std::string::npos)
      << ready.error().text();
  EXPECT_NE(ready.error().text().find("body 3 and body 4 by 0.1 m"), std::string::npos);
  const auto repaired = s.method({{"repair_start", true}})->prepare(s.problem, s.state);
  ASSERT_TRUE(repaired) << repaired.error().text();
  EXPECT_NEAR(s.center(1).x(), -0.1, 1e-6);
  EXPECT_NEAR(s.center(2).x(), 1.9, 1e-6);
  EXPECT_NEAR(s.center(low).z(), 0.5, 1e-6);   // the floor holds it
  EXPECT_NEAR(s.center(high).z(), 1.5, 0.05);  // lifted, and turned a little
}

/// Every pair of free bodies, and each with the walls z = 0, at `looks` places between two frames.
void expect_free_between(const PileScene& s, const std::vector<std::vector<Convex>>& pieces,
                         const State& before, const State& after, int looks) {
  const auto way = [&](std::size_t i) {
    return way_between(before.bodies[i].world_from_body, after.bodies[i].world_from_body);
  };
  for (std::size_t i = 0; i < pieces.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      for (int look = 0; look <= looks; ++look) {
        if (s.problem.bodies[i].fixed || s.problem.bodies[j].fixed) continue;
        const double t = static_cast<double>(look) / looks;
        const Nearest n = nearest_of(pieces[i][0], way(i).at(t), pieces[j][0], way(j).at(t));
        EXPECT_TRUE(n.apart) << i << " " << j;
        EXPECT_GE(n.gap, 0.0) << i << " " << j;
      }
}

TEST(Turning, boxes_and_capsules_in_a_box_come_to_rest_and_never_overlap_between_frames) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  for (const double side : {1.0, -1.0}) {
    s.add_wall(Vec3(-side * 1.5, 0.0, 0.0), side * Vec3::UnitX());
    s.add_wall(Vec3(0.0, -side * 1.5, 0.0), side * Vec3::UnitY());
  }
  const auto box = made(shape::make_box({.size = Vec3(1.0, 0.8, 0.6)}));
  const auto capsule = made(shape::make_capsule({.radius = 0.25, .height = 0.6}));
  Random random(4);
  for (int i = 0; i < 12; ++i)
    add_solid(s, i % 2 == 0 ? box : capsule, 1.45 * Vec3(i % 2 - 0.5, i / 2 % 2 - 0.5, i / 4 + 0.7),
              random_rotation(random));
  std::vector<std::vector<Convex>> pieces;
  for (const Body& body : s.problem.bodies) pieces.push_back(convex_pieces(*body.shape));
  double energy = 1e300;
  const StepReport report =
      s.run({}, 300, [&](const State& before, const State& after, const Audit& audit) {
        EXPECT_LE(audit.energy, energy);
        EXPECT_GE(audit.worst_gap_relative, 0.0);
        energy = audit.energy;
        expect_free_between(s, pieces, before, after, 6);
      });
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_LT(s.unbalanced(), 1e-6);
}

TEST(Turning, two_bodies_that_meet_in_flight_do_not_hold_up_the_others) {
  constexpr int kSteps = 25;
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  const auto box = made(shape::make_box({.size = Vec3(0.5, 0.4, 0.3)}));
  Random random(7);
  // twelve columns of three that turn and meet at their own times
  for (int i = 0; i < 36; ++i)
    add_solid(s, box, Vec3(3.0 * (i % 4), 3.0 * (i / 4 % 3), 2.0 + 0.8 * (i / 12)),
              random_rotation(random));
  const auto height = [&] {
    double sum = 0.0;
    for (int i = 0; i < 36; ++i) sum += s.center(i + 1).z() / 36.0;
    return sum;
  };
  s.run({{"friction", 0.5}}, kSteps);
  EXPECT_LT(height(), 0.5);  // of 2.8 at first; 0.65 where one pair shortens the way of all
}

/// The last state as the judge sees it.
check::Verdict judged(const PileScene& s, double friction) {
  check::Input input = judge_input(s.problem, s.state);
  for (check::PlacedBody& body : input.bodies) body.friction = friction;
  return check::check(input);
}

TEST(Turning, eight_mixed_bodies_in_a_bowl_are_held_by_friction_and_the_judge_agrees) {
  constexpr double kFriction = 0.4;
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  for (int side = 0; side < 8; ++side) {
    const double angle = 2.0 * M_PI * side / 8;
    const Vec3 in(-std::cos(angle), -std::sin(angle), 0.0);
    s.add_wall(-0.8 * in, (in + 0.7 * Vec3::UnitZ()).normalized());
  }
  const auto box = made(shape::make_box({.size = Vec3(1.0, 0.7, 0.5)}));
  const auto drum = made(shape::make_cylinder({.radius = 0.35, .height = 0.8}));
  const auto ring = made(shape::make_torus({.ring_radius = 0.45, .tube_radius = 0.2}));
  const auto hook = made(shape::make_mesh({.mesh = hook_mesh(0.25)}));
  const std::array kinds{box, drum, ring, hook};
  Random random(11);
  for (int i = 0; i < 8; ++i) {
    const auto& shape = kinds[static_cast<std::size_t>(i % 4)];
    const Vec3 at(0.5 * (i % 2) - 0.25, 0.5 * (i / 2 % 2) - 0.25, 1.2 + 1.5 * i);
    add_solid(s, shape, at, random_rotation(random));
  }
  const StepReport report = s.run({{"friction", kFriction}}, 600);
  ASSERT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_LT(report.residual, 1e-6);
  EXPECT_LT(s.unbalanced(), 1e-6);
  const check::Verdict verdict = judged(s, kFriction);
  EXPECT_EQ(verdict.answer, check::Answer::proven) << verdict.why;
}

TEST(Turning, unions_of_balls_and_capsules_move_as_so_many_convex_pieces) {
  const auto rod = made(shape::make_capsule({.radius = 0.1, .height = 1.2}));
  const auto knob = made(shape::make_ball({.radius = 0.25}));
  const Quat across(Eigen::AngleAxisd(0.5 * M_PI, Vec3::UnitX()));
  shape::UnionInput parts;
  parts.parts = {{rod, Pose{}},
                 {rod, Pose{Vec3(0.0, 0.1, 0.0), across}},
                 {knob, Pose{Vec3(0.0, 0.0, 0.6), Quat::Identity()}}};
  const auto jack = made(shape::make_union(parts));
  const auto pieces = convex_pieces(*jack);
  ASSERT_EQ(pieces.size(), 3U);
  // together they reach as far as the union's surface, in every direction
  const shape::Tessellation surface = shape::tessellate(*jack, {});
  Random random(4);
  for (int n = 0; n < 200; ++n) {
    const Vec3 d = random_direction(random);
    double reach = -1.0, drawn = -1.0;
    for (const Convex& p : pieces) reach = std::max(reach, d.dot(p.support(d)) + p.radius);
    for (const Vec3& p : surface.points) drawn = std::max(drawn, d.dot(p));
    EXPECT_GE(reach, drawn - 1e-12);
    EXPECT_LE(reach, drawn + surface.chord_error);
  }
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  for (int i = 0; i < 3; ++i)
    add_solid(s, jack, Vec3(0.3 * i, 0.0, 1.5 + 2.0 * i), random_rotation(random));
  EXPECT_EQ(s.run({{"friction", 0.4}}, 300).status, RunStatus::rest);
  EXPECT_EQ(judged(s, 0.4).answer, check::Answer::proven);
}

TEST(Turning, eggs_on_the_face_of_a_box_rest_in_few_steps_at_any_scale) {
  // the place where an egg touches a face is that of its support, not of a flat simplex
  for (const double scale : {1.0, 1e-3, 1e3}) {
    PileScene s;
    s.add(made(shape::make_box({.size = scale * Vec3(8.0, 6.0, 1.0)})), Vec3::Zero(), true);
    const auto egg = made(shape::make_ellipsoid({.radii = scale * Vec3(0.4, 0.4, 0.55)}));
    Random random(6);
    for (int i = 0; i < 3; ++i)
      add_solid(s, egg, scale * Vec3(1.5 * i - 1.5, 0.3 * i, 1.5), random_rotation(random));
    const StepReport report = s.run({}, 100);
    EXPECT_EQ(report.status, RunStatus::rest) << report.why;
    EXPECT_LT(report.residual, 1e-6);
    EXPECT_EQ(judged(s, 0.0).answer, check::Answer::proven);
  }
}

/// The twelve triangles of a box.
shape::ShapePtr mesh_box(const Vec3& size) {
  shape::MeshInput in;
  for (int k = 0; k < 8; ++k)
    in.mesh.points.push_back(
        0.5 * size.cwiseProduct(Vec3(k & 4 ? 1 : -1, k & 2 ? 1 : -1, k & 1 ? 1 : -1)));
  in.mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                       {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return made(shape::make_mesh(in));
}

TEST(Turning, a_mesh_sunk_into_a_table_is_lifted_out_by_its_depth) {
  const auto table = [](bool mesh) {
    const Vec3 size(10.0, 10.0, 1.0);
    return mesh ? mesh_box(size) : made(shape::make_box({.size = size}));
  };
  for (const bool mesh : {false, true})
    for (const double depth : {1e-3, 1e-2, 0.1})
      for (const double turned : {0.0, 0.3}) {
        PileScene s;
        s.add(table(mesh), Vec3(0.0, 0.0, -0.5), true);
        const int box = add_solid(s, mesh_box(Vec3(1.0, 1.0, 1.0)), Vec3(0.1, 0.2, 0.5 - depth),
                                  Quat(Eigen::AngleAxisd(turned, Vec3::UnitZ())));
        State refused = s.state;
        const auto no = s.method()->prepare(s.problem, refused);
        ASSERT_FALSE(no);
        // the two are named once, however many of their pieces meet
        const std::string text = no.error().wrong;
        EXPECT_EQ(text.find("body 0 and body 1"), text.rfind("body 0 and body 1")) << text;
        const auto ready = s.method({{"repair_start", true}})->prepare(s.problem, s.state);
        ASSERT_TRUE(ready) << mesh << " " << depth << " " << ready.error().text();
        EXPECT_NEAR(s.center(box).z(), 0.5, 1e-3) << mesh << " " << depth << " " << turned;
        EXPECT_EQ(judged(s, 0.0).overlap, check::Answer::proven);
      }
}

TEST(Turning, a_tilted_mesh_is_lifted_out_of_a_table_by_no_more_than_its_corner_lies_deep) {
  // faces that lie within the table were kept there: the box was turned, and went five times as far
  for (const double tilt : {1e-3, 0.02, 0.1, 0.5})
    for (const double depth : {1e-5, 1e-3, 1e-2, 0.05, 0.2}) {
      const Quat turned(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
      const Vec3 size(0.8, 0.6, 1.0);
      const double corner = (turned * Vec3(0.5 * size.x(), 0.0, -0.5 * size.z())).z();
      PileScene s;
      s.add(mesh_box(Vec3(10.0, 10.0, 0.4)), Vec3(0.0, 0.0, -0.2), true);
      const Vec3 start(0.0, 0.0, -corner - depth);
      const int box = add_solid(s, mesh_box(size), start, turned);
      const auto ready = s.method({{"repair_start", true}})->prepare(s.problem, s.state);
      ASSERT_TRUE(ready) << tilt << " " << depth << " " << ready.error().text();
      EXPECT_LT((s.center(box) - start).norm(), 1.01 * depth + 1e-4) << tilt << " " << depth;
      EXPECT_EQ(judged(s, 0.0).overlap, check::Answer::proven);
    }
}

TEST(Turning, curved_bodies_that_overlap_deeply_are_parted_on_request) {
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  add_solid(s, made(shape::make_cylinder({.radius = 0.5, .height = 0.8})), Vec3(0.0, 0.0, 1.0),
            Quat::Identity());
  add_solid(s, made(shape::make_ellipsoid({.radii = Vec3(0.6, 0.4, 0.4)})), Vec3(0.1, 0.0, 1.2),
            Quat::Identity());
  const auto refused = s.method()->prepare(s.problem, s.state);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().right.find("repair_start"), std::string::npos);
  const auto ready = s.method({{"repair_start", true}})->prepare(s.problem, s.state);
  ASSERT_TRUE(ready) << ready.error().text();
  EXPECT_EQ(judged(s, 0.0).overlap, check::Answer::proven);
}

/// A block of that material's friction on a rough plane that falls by `degrees`; how far it went.
double slide_of_block(double degrees, double friction, double material = 10.0) {
  PileScene s;
  const double t = degrees * M_PI / 180.0;
  const Vec3 up(std::sin(t), 0.0, std::cos(t));
  s.add_wall(Vec3::Zero(), up);
  const auto box = made(shape::make_box({.size = Vec3(1.0, 1.0, 0.4)}));
  const int block = add_solid(s, box, (0.2 + 1e-9) * up, Quat(Eigen::AngleAxisd(t, Vec3::UnitY())));
  for (Body& body : s.problem.bodies) body.material.friction = 10.0;
  s.problem.bodies[static_cast<std::size_t>(block)].material.friction = material;
  const Vec3 start = s.center(block);
  s.run({{"friction", friction}}, 60);
  return (s.center(block) - start).norm();
}

TEST(Turning, friction_holds_a_block_on_an_incline_below_its_angle_and_not_above) {
  // tan 26.565051 degrees = 0.5; between its edges the pyramid reaches to 24.79 degrees
  EXPECT_LT(slide_of_block(24.5, 0.5), 1e-6);
  EXPECT_GT(slide_of_block(27.2, 0.5), 0.1);
}

TEST(Turning, a_contact_has_the_friction_of_the_smoother_material_and_the_setting_at_most) {
  // tan 10 degrees = 0.176
  EXPECT_GT(slide_of_block(10.0, 0.5, 0.1), 0.1);
  EXPECT_LT(slide_of_block(10.0, 0.5, 0.3), 1e-6);
  EXPECT_GT(slide_of_block(10.0, 0.1, 0.3), 0.1);
}

TEST(Turning, balls_among_bricks_rest_with_friction_and_the_judge_agrees) {
  constexpr double kFriction = 0.4;
  PileScene s;
  s.add_wall(Vec3::Zero(), Vec3::UnitZ());
  for (const Vec3& in :
       {Vec3(1.0, 0.0, 0.0), Vec3(-1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, -1.0, 0.0)})
    s.add_wall(-1.5 * in, in);
  const auto brick = made(shape::make_box({.size = Vec3(0.8, 0.4, 0.4)}));
  const auto ball = made(shape::make_ball({.radius = 0.3}));
  Random random(23);
  for (int i = 0; i < 18; ++i) {
    const Vec3 at(0.9 * (i % 3 - 1), 0.9 * (i / 3 % 3 - 1), 0.6 + 0.9 * (i / 9));
    add_solid(s, i < 9 ? ball : brick, at + Vec3(random.between(-0.05, 0.05), 0.0, 0.0),
              Quat::Identity());
  }
  const StepReport report = s.run({{"friction", kFriction}}, 600);
  ASSERT_EQ(report.status, RunStatus::rest) << report.why;
  const check::Verdict verdict = judged(s, kFriction);
  EXPECT_EQ(verdict.answer, check::Answer::proven) << verdict.why;
}

}  // namespace
}  // namespace repose::pile
