// Balance, stability, resting poses, bodies of the plane and the broad phase, as recorded: see
// bank.h. Beside them plain, slow answers to the same questions.
#include <numbers>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "repose/check/near_pairs.h"
#include "repose/shape/make.h"

#include "check/bank.h"
#include "check/scenes.h"
#include "check/shapes.h"
#include "src/check/gap/gjk_loop.h"
#include "src/check/gap/triangle.h"
#include "src/check/statics/least_norm.h"
#include "src/check/statics/least_residual.h"
#include "src/check/statics/lowest_in_cone.h"
#include "src/check/statics/second_order.h"
#include "src/poses/basins.h"
#include "src/poses/farthest_points.h"
#include "src/poses/pose_groups.h"

namespace repose::check {
namespace {

using namespace poses;

PlacedBody fixed(PlacedBody item) {
  item.fixed = true;
  item.name = "fixed";
  return item;
}
PlacedBody loose(PlacedBody item, double friction, double mass = 1.0) {
  item.name = "loose";
  item.friction = friction;
  item.mass = mass;
  return item;
}

void record(BankLine& line, const Verdict& v) {
  line.add("answer", to_text(v.answer)).add("stability", to_text(v.stability.kind));
  line.bits(v.gap.bracket).bits(v.contacts).bits(v.gap_relative);
  line.count(v.overlaps.size()).count(v.undecided.size());
  for (const Balance* b : {&v.balance, &v.frictionless_balance}) {
    line.bits(b->residual).bits(b->force).bits(b->torque).bits(b->steps).bits(b->least_norm);
    line.bits(b->balanced).bits(b->converged);
    for (const double x : b->per_body) line.bits(x);
    for (const Vec3& f : b->forces_on_b) line.bits(f);
    for (const Reaction& r : b->reactions) line.bits(r.force_on_b).bits(r.torque_on_b);
  }
  for (const ForceRange& r : v.ranges) line.bits(r.low).bits(r.high).bits(r.known);
  const Margins& m = v.stability.margins;
  line.add("tilt", m.tilt).add("friction", m.friction).add("load", m.load);
  line.bits(m.first_if_tilted).bits(v.stability.witness);
  line.took(v.effort);
}

Input tower(int blocks, double part) {
  Input input;
  input.bodies.push_back(fixed(at(box_mesh(Vec3(1, 1, 1)), Vec3(-0.5, 0, -0.5))));
  double edge = 0.0;
  for (int k = blocks; k >= 1; --k) {
    edge += part * 0.5 / k;
    input.bodies.push_back(
        loose(at(box_mesh(Vec3(1, 0.5, 0.1)), Vec3(edge - 0.5, 0, 0.05 + 0.1 * (blocks - k))), 0.5,
              1.0 + 0.3 * k));
  }
  return input;
}
Input incline(double angle, double friction) {
  Input input;
  const Quat q = rotation_from_vector(Vec3(0, angle, 0));
  input.bodies = {fixed(at(ground(), Vec3::Zero(), q)),
                  loose(at(box_mesh(Vec3(1, 1, 0.2)), q * Vec3(0, 0, 0.1), q), friction)};
  input.bodies[0].friction = friction;
  return input;
}
/// Balls lying on each other like shot, the upper ones leaning on the lower.
Input shot() {
  Input input;
  input.bodies = {fixed(at(ground(), Vec3::Zero()))};
  const double h = std::sqrt(2.0 / 3.0);
  for (const Vec3& p : {Vec3(0, 0, 0.5), Vec3(1, 0, 0.5), Vec3(0.5, std::sqrt(0.75), 0.5),
                        Vec3(0.5, std::sqrt(0.75) / 3.0, 0.5 + h)})
    input.bodies.push_back(loose(at(ball(0.5), p), 0.4, 1.0 + p.z()));
  return input;
}
/// Two rods on a hinge, one end in the world, the other held by a rope; a torque acts on one.
Input linkage() {
  Input input;
  input.bodies = {loose(at(box_mesh(Vec3(1, 0.1, 0.1)), Vec3(0.5, 0, 0)), 0.5, 2.0),
                  loose(at(box_mesh(Vec3(1, 0.1, 0.1)), Vec3(1.6, 0, 0)), 0.5, 1.5)};
  const std::vector<Vec3> all{Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const std::vector<Vec3> across{Vec3::UnitX(), Vec3::UnitZ()};
  Restraint wall, hinge, rope;
  wall.body_b = 0;
  wall.forces = hinge.forces = all;
  wall.torques = hinge.torques = across;
  hinge.body_a = 0;
  hinge.body_b = 1;
  hinge.point_world = Vec3(1.05, 0, 0);
  rope.body_b = 1;
  rope.point_world = Vec3(2.0, 0, 0);
  rope.forces = {Vec3(-0.3, 0, 1).normalized()};
  rope.min = 0.0;
  Restraint prop = rope;
  prop.body_b = 0;
  prop.point_world = Vec3(0.8, 0, 0);
  prop.forces = {Vec3::UnitZ()};
  input.restraints = {wall, hinge, rope, prop};
  input.loads = {{0, Vec3(0.2, 0, -1.0), Vec3(0.3, 0, 0), Vec3(0, 0.5, 0)}};
  return input;
}

TEST(Bank, scenes_are_judged_as_recorded) {
  Bank bank("scenes");
  const auto judge = [&](const char* name, const Input& input, const Settings& s = {}) {
    record(bank.line(name), check(input, s));
  };
  judge("tower stands", tower(3, 0.99));
  judge("tower falls", tower(3, 1.01));
  judge("holds", incline(0.3, 0.5));
  judge("slides", incline(0.6, 0.5));
  judge("smooth slope", incline(0.1, 0.0));
  judge("shot", shot());
  judge("linkage", linkage());
  judge("board on balls", scenes::board_on_balls().input);
  judge("balls in slot", scenes::balls_in_slot().input);
  judge("block on slope", scenes::block_on_slope().input);
  Input ball_on_ball = shot();
  ball_on_ball.bodies.resize(2);
  ball_on_ball.bodies[1].fixed = true;
  ball_on_ball.bodies.push_back(loose(at(ball(0.3), Vec3(0, 0, 1.3)), 0.4));
  judge("ball on ball", ball_on_ball);
  Input held = ball_on_ball;
  held.bodies[2].frozen = {true, false, false, false, true, false};
  judge("ball on ball, held", held);
  Input eggs;
  eggs.bodies = {fixed(at(ground(), Vec3::Zero())),
                 loose(at(ellipsoid(Vec3(1.5, 1, 0.5)), Vec3(0, 0, 0.5)), 0.3),
                 loose(at(ellipsoid(Vec3(1.5, 1, 0.5)), Vec3(4, 0, 1),
                          rotation_between(Vec3::UnitY(), Vec3::UnitZ())),
                       0.3)};
  Settings rough;
  rough.gap.width = 1e-6;
  rough.tolerance = 1e-6;
  judge("eggs", eggs, rough);
  Input sunk = shot();
  sunk.bodies[4].world_from_body.position.z() -= 1e-3;
  sunk.bodies[2].world_from_body.position.x() -= 2e-3;
  judge("shot, overlapping", sunk);
}

TEST(Bank, forces_of_random_contacts_are_as_recorded) {
  Bank bank("forces");
  Random random(81);
  for (int k = 0; k < 24; ++k) {
    Input input;
    input.bodies = {fixed(at(ground(), Vec3::Zero()))};
    const int bodies = 1 + k % 3;
    for (int b = 0; b < bodies; ++b) {
      input.bodies.push_back(loose(at(ball(0.4 + 0.3 * b), Vec3(2.0 * b, 0.1, 1.0)), 0.5, 1.0 + b));
      input.bodies.back().center_body = 0.1 * random_direction(random);
    }
    if (k % 4 == 3) input.bodies[1].frozen[4] = true;
    if (k % 5 == 4)
      input.loads = {
          {1, random_direction(random), Vec3(0.1, 0.2, 1), 0.3 * random_direction(random)}};
    std::vector<ContactPoint> contacts;
    for (int c = 0; c < 4 + k % 7 + 2 * bodies; ++c) {
      ContactPoint p;
      p.body_a = c % 3 == 1 && bodies > 1 ? 1 + (c / 3) % bodies : 0;
      p.body_b = 1 + c % bodies;
      if (p.body_a == p.body_b) p.body_a = 0;
      p.point = input.bodies[static_cast<std::size_t>(p.body_b)].world_from_body.position +
                Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 0));
      p.normal_a_to_b = (Vec3(0, 0, 1) + 0.6 * random_direction(random)).normalized();
      p.friction = c % 3 == 2 ? 0.0 : 0.4;
      p.curvature_a = 0.5 * (Mat3::Identity() - p.normal_a_to_b * p.normal_a_to_b.transpose());
      p.curvature_b = (0.3 + c) * p.curvature_a;
      contacts.push_back(p);
    }
    BankLine& line = bank.line(std::to_string(k));
    const Balance b = balance(input, contacts);
    line.add("residual", b.residual).bits(b.least_norm).bits(b.converged).bits(b.steps);
    for (const Vec3& f : b.forces_on_b) line.bits(f);
    const Balance smooth = balance(input, contacts, 0.0);
    line.add("smooth", smooth.residual);
    if (b.balanced)
      for (const ForceRange& r : force_ranges(input, contacts, b)) line.bits(r.low).bits(r.high);
    if (b.balanced) {
      const SecondOrder second = second_order(input, contacts, b);
      line.add("lowest", second.lowest).bits(second.motion);
    }
    StabilitySettings quick;
    quick.tilt_directions = 4;
    quick.margins = k % 4 == 0;
    const Stability s = stability(input, contacts, b, quick);
    line.add("is", to_text(s.kind)).bits(s.margins.tilt).bits(s.margins.friction);
    line.bits(s.margins.load).bits(s.witness).bits(s.margins.first_if_tilted);
  }
}

TEST(Bank, poses_are_as_recorded) {
  Bank bank("poses");
  Random random(82);
  const auto judge = [&](const std::string& name, const shape::ShapePtr& shape, const Vec3& off) {
    PoseSettings s;
    s.chord = 5e-3;
    const auto found = resting_poses(shape, shape->volume.center + off, s);
    BankLine& line = bank.line(name);
    if (!found) {
      line.add("none", 1.0);
      return;
    }
    line.add("poses", static_cast<double>(found->poses.size())).bits(found->resolution);
    line.bits(found->exact);
    for (const RestingPose& p : found->poses) {
      line.add("h", p.height).add("share", p.share).bits(p.down_body).bits(p.height_error);
      line.bits(p.orientation.coeffs()).bits(p.support_area).bits(p.share_error).bits(p.barrier);
      line.bits(p.tilt).bits(p.rolling_axis_body).add("on", to_text(p.contact));
      line.add("rolls", to_text(p.rolling));
      for (const Vec3& x : p.support_body) line.bits(x);
    }
  };
  for (int k = 0; k < 12; ++k) {
    std::vector<Vec3> points;
    for (int c = 0; c < 6 + 4 * k; ++c)
      points.push_back(random_direction(random).cwiseProduct(Vec3(1.3, 0.9, 0.6)));
    judge("lump " + std::to_string(k), shape::make_convex({points, {}}).value(),
          0.08 * random_direction(random));
  }
  const Vec3 none = Vec3::Zero();
  judge("brick", shape::make_box({Vec3(3, 2, 1)}).value(), none);
  judge("round mesh", round_mesh(7, 5, 1.0, 0.3), Vec3(0.02, 0.01, -0.1));
  judge("ball", shape::make_ball({0.7}).value(), none);
  judge("loaded ball", shape::make_ball({0.7}).value(), Vec3(0.1, -0.2, 0.05));
  judge("too far off", shape::make_box({Vec3(3, 2, 1)}).value(), Vec3(0, 0, 2));
  judge("ground", ground(), none);
  judge("ellipsoid", shape::make_ellipsoid({Vec3(3, 2, 1)}).value(), none);
  judge("loaded ellipsoid", shape::make_ellipsoid({Vec3(1.5, 1.2, 1)}).value(),
        Vec3(0.2, 0.1, 0.1));
  judge("cylinder", shape::make_cylinder({0.5, 1.4}).value(), none);
  judge("cone", shape::make_cone({0.6, 1.0, 0.2}).value(), none);
  judge("capsule", shape::make_capsule({0.3, 1.0}).value(), none);
  judge("torus", shape::make_torus({1.0, 0.3}).value(), Vec3(0, 0, 0.05));
  judge("three spheres",
        shape::make_sphere_set(
            {{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0.2, 0.9, 0.1)}, {0.5, 0.4, 0.3}, {}})
            .value(),
        none);
}

TEST(Bank, near_pairs_are_those_of_plain_comparison_at_the_recorded_cost) {
  Random random(84);
  for (int k = 0; k < 6; ++k) {
    std::vector<PlacedBody> bodies;
    const int count = 20 + 40 * k;
    for (int i = 0; i < count; ++i) {
      // long, flat or even heaps, each with a few large bodies
      const Vec3 room = k % 3 == 0 ? Vec3(30, 2, 2) : k % 3 == 1 ? Vec3(9, 9, 1) : Vec3(5, 5, 5);
      const Vec3 p = Vec3(random.unit(), random.unit(), random.unit()).cwiseProduct(room);
      bodies.push_back(at(ball(i % 9 == 0 ? 1.5 : random.between(0.1, 0.4)), p));
      bodies.back().fixed = i % 4 == 0;
      bodies.back().collides = i % 11 != 5;
    }
    bodies.push_back(fixed(at(ground(), Vec3(0, 0, 0.3))));
    const double reach = k % 2 ? 0.0 : 0.05;
    std::vector<std::array<int, 2>> plain;
    for (int i = 0; i < static_cast<int>(bodies.size()); ++i)
      for (int j = i + 1; j < static_cast<int>(bodies.size()); ++j) {
        const PlacedBody &a = bodies[static_cast<std::size_t>(i)],
                         &b = bodies[static_cast<std::size_t>(j)];
        if ((a.fixed && b.fixed) || !a.collides || !b.collides) continue;
        const Vec3 p = a.world_from_body.position, q = b.world_from_body.position;
        const double ra = 0.5 * a.size(), rb = 0.5 * b.size();
        const bool near = j == count ? p.z() - 0.3 - ra <= 2.0 * reach * ra
                                     : (p - q).norm() <= (ra + rb) * (1.0 + 2.0 * reach);
        if (near) plain.push_back({i, j});
      }
    EXPECT_EQ(near_pairs(bodies, reach), plain);
    Bank bank("broad " + std::to_string(k));
    bank.line("pairs").add("found", static_cast<double>(near_pairs(bodies, reach).size()));
  }
}

TEST(Bank, least_values_in_cones_and_simplices_are_as_recorded) {
  Bank bank("cones");
  Random random(85);
  for (int k = 0; k < 12; ++k) {
    const int n = 2 + k % 5, m = k % 4;
    Eigen::MatrixXd h(n, n), rows(m, n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j) h(i, j) = h(j, i) = random.normal();
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) rows(i, j) = random.normal();
    const Lowest low = lowest_in_cone(h, rows);
    bank.line("cone " + std::to_string(k)).add("value", low.value).bits(low.at);
    // no random direction of the cone lies lower
    for (int t = 0; t < 400; ++t) {
      Eigen::VectorXd x(n);
      for (int j = 0; j < n; ++j) x[j] = random.normal();
      x.normalize();
      if (m > 0 && (rows * x).minCoeff() < 0.0) continue;
      EXPECT_GE(x.dot(h * x), low.value - 1e-9) << k;
    }
  }
  for (int k = 0; k < 40; ++k) {
    Vec3 a[3], b[3];
    for (int i = 0; i < 3; ++i) {
      a[i] = random_direction(random);
      b[i] = random_direction(random) + (k % 5) * Vec3(0.4, 0.3, 0.5);
    }
    BankLine& line = bank.line("triangles " + std::to_string(k));
    const ClosePoints c = closest_of_triangles(a, b),
                      s = closest_of_segments(a[0], a[1], b[0], b[1]);
    line.add("apart", (c.a - c.b).norm()).bits(c.a).bits(c.b).bits(s.a).bits(s.b);
    const auto farthest = [](const Vec3* t, const Vec3& d) {
      return *std::max_element(t, t + 3,
                               [&](const Vec3& x, const Vec3& y) { return d.dot(x) < d.dot(y); });
    };
    const CoreDistance g =
        gjk([&](const Vec3& d) { return farthest(a, d); },
            [&](const Vec3& d) { return farthest(b, -d); }, b[0] - a[0], 1e-12, 1e300, 1e-14);
    line.bits(g.lower).bits(g.upper).bits(g.point_a).bits(g.point_b).bits(g.direction);
    EXPECT_NEAR(g.upper, (c.a - c.b).norm(), 1e-9) << k;
  }
}

/// A region of the plane of kind k: convex, with a hole, of discs, of both.
shape::ShapePtr region(int kind, Random& random) {
  const auto ring = [&](int corners, double radius) {
    std::vector<Vec2> out;
    const double turn = random.between(0, 1);
    for (int k = 0; k < corners; ++k) {
      const double t = turn + 2.0 * std::numbers::pi * k / corners;
      const double r = radius * random.between(0.8, 1.2);
      out.emplace_back(r * std::cos(t), r * std::sin(t));
    }
    return out;
  };
  shape::PlaneRegion in;
  in.thickness = 0.1;
  if (kind != 2) in.polygons = {{ring(3 + kind, 0.5), {}}};
  if (kind == 1) {
    std::vector<Vec2> hole = ring(4, 0.2);
    in.polygons[0].holes = {hole};
  }
  if (kind == 3) in.polygons.push_back({{Vec2(0.2, 0.1), Vec2(1.0, 0.2), Vec2(0.9, 0.5)}, {}});
  if (kind >= 2) in.discs = {{Vec2(0.3, 0.1), 0.35}};
  if (kind == 2) in.discs.push_back({Vec2(-0.3, 0.0), 0.25});
  return shape::make_plane_region(in).value();
}

TEST(Bank, bodies_of_the_plane_are_as_recorded) {
  Bank bank("plane");
  Random random(86);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      const auto turned = [&] { return rotation_from_vector(Vec3(0, 0, random.between(0, 6))); };
      PlacedBody a = at(region(i, random), Vec3(0.1, 0.2, 0), turned());
      PlacedBody b = at(region(j, random), Vec3(3.0, random.between(-1, 1), 0), turned());
      b.friction = 0.2;
      for (const double wanted : {0.1, 0.0, -1e-3, -0.1, 5e-7}) {
        const GapBracket g = gap(a, b);
        const double size = std::min(a.size(), b.size());
        b.world_from_body.position -= (g.upper - wanted * size) * g.normal_a_to_b;
        BankLine& line = bank.line(fmt::format("{} {} {}", i, j, wanted));
        line.bits(gap(a, b)).bits(find_contacts(a, b)).bits(find_contacts(b, a));
        line.bits(gap(b, a).lower);
        if (wanted < 0.0) b.world_from_body.position += 1.5 * size * g.normal_a_to_b;
      }
      b.world_from_body.position = a.world_from_body.position + Vec3(0.02, 0.01, 0);
      bank.line(fmt::format("{} {} one in the other", i, j)).bits(gap(a, b)).bits(gap(b, a));
    }
}

}  // namespace
}  // namespace repose::check
