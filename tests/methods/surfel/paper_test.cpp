// The paper's engine, equation by equation (Keiser 2004).
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include "repose/base/random.h"

#include "methods/surfel/paper_boxes.h"
#include "methods/surfel/paper_contact.h"
#include "methods/surfel/paper_forces.h"
#include "methods/surfel/paper_look.h"
#include "soft_world.h"

namespace repose::surfel {
namespace {

/// Surfels of a square piece of the plane z = height, looking up or down.
SurfelCloud plane_cloud(double height, double up, double spacing, double half = 0.1) {
  SurfelCloud out;
  for (double x = -half; x <= half; x += spacing)
    for (double y = -half; y <= half; y += spacing) {
      out.points.emplace_back(x, y, height);
      out.normals.emplace_back(0.0, 0.0, up);
    }
  return out;
}

/// Evenly spread surfels of a sphere.
SurfelCloud sphere_cloud(const Vec3& center, double radius, int count) {
  SurfelCloud out;
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  for (int i = 0; i < count; ++i) {
    const double z = 1.0 - (2.0 * i + 1.0) / count, r = std::sqrt(1.0 - z * z);
    const Vec3 n(r * std::cos(golden * i), r * std::sin(golden * i), z);
    out.points.push_back(center + radius * n);
    out.normals.push_back(n);
  }
  return out;
}

TEST(surfel_paper, the_hashed_grid_finds_what_trying_all_finds) {
  Random random(11);
  std::vector<Vec3> points;
  for (int i = 0; i < 500; ++i)
    points.emplace_back(random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                        random.between(-1.0, 1.0));
  const HashedGrid grid(points, 0.2);
  for (int n = 0; n < 50; ++n) {
    const Vec3 to(random.between(-1.2, 1.2), random.between(-1.2, 1.2), random.between(-1.2, 1.2));
    std::vector<int> found, all;
    grid.near(to, 0.2, [&](int i, double) { found.push_back(i); });
    for (std::size_t i = 0; i < points.size(); ++i)
      if ((points[i] - to).norm() < 0.2) all.push_back(static_cast<int>(i));
    std::sort(found.begin(), found.end());
    EXPECT_EQ(found, all);
  }
}

TEST(surfel_paper, equation_1_gives_the_distance_from_a_plane_and_its_foot) {
  const SurfelCloud cloud = plane_cloud(0.3, 1.0, 0.01);
  const ImplicitSurface surface(cloud, 0.03);
  for (const double z : {0.28, 0.295, 0.3, 0.315}) {
    const Vec3 x(0.013, -0.021, z);
    EXPECT_NEAR(surface.local(x).value(x), z - 0.3, 1e-12);
    const auto foot = surface.project(x);
    ASSERT_TRUE(foot.known);
    EXPECT_LT((foot.point - Vec3(x.x(), x.y(), 0.3)).norm(), 1e-12);
  }
  EXPECT_FALSE(surface.project(Vec3(0.0, 0.0, 0.5)).known);
}

TEST(surfel_paper, projections_onto_a_sphere_come_to_it_with_the_square_of_the_spacing) {
  std::vector<double> worst;
  for (const int count : {2000, 8000}) {
    const SurfelCloud cloud = sphere_cloud(Vec3(0.1, 0.0, -0.2), 0.1, count);
    const double spacing = 0.1 * std::sqrt(4.0 * std::numbers::pi / count);
    const ImplicitSurface surface(cloud, 3.0 * spacing);
    Random random(7);
    double most = 0.0;
    for (int n = 0; n < 100; ++n) {
      const Vec3 way = random_direction(random);
      const Vec3 x = Vec3(0.1, 0.0, -0.2) + (0.1 + spacing * random.between(-1.0, 1.0)) * way;
      const auto foot = surface.project(x);
      ASSERT_TRUE(foot.known);
      most = std::max(most, std::fabs((foot.point - Vec3(0.1, 0.0, -0.2)).norm() - 0.1));
      EXPECT_GT(foot.normal.dot(way), 0.99);
    }
    worst.push_back(most);
    EXPECT_LT(most, 0.3 * spacing);
  }
  EXPECT_LT(worst[1], 0.4 * worst[0]);
}

TEST(surfel_paper, equation_2_tells_inside_from_outside) {
  const SurfelCloud cloud = sphere_cloud(Vec3::Zero(), 0.1, 4000);
  const ImplicitSurface surface(cloud, 0.017);
  Random random(9);
  for (int n = 0; n < 200; ++n) {
    const double depth = random.between(0.002, 0.012);
    const Vec3 way = random_direction(random);
    EXPECT_TRUE(surface.is_inside((0.1 - depth) * way));
    EXPECT_FALSE(surface.is_inside((0.1 + depth) * way));
  }
}

TEST(surfel_paper, equation_3_lets_the_soft_surface_give_way_by_its_share) {
  // body one lies below z = 0, body two above z = -0.01
  const SurfelCloud one = plane_cloud(0.0, 1.0, 0.01), two = plane_cloud(-0.01, -1.0, 0.01);
  const ImplicitSurface surface_one(one, 0.03), surface_two(two, 0.03);
  for (const double ratio : {1.0, 3.0, 1000.0}) {
    const Meeting meeting{surface_one, surface_two, ratio, 1.0, 0.01};  // one is the stiffer
    const auto surface = contact_surface(meeting, {Vec3(0.0, 0.0, 0.0)}, {Vec3(0.02, 0.0, -0.01)});
    ASSERT_EQ(surface.size(), 2U);
    for (const Vec3& p : surface) EXPECT_NEAR(p.z(), -0.01 / (1.0 + ratio), 1e-5);
  }
}

TEST(surfel_paper, a_resampled_contact_surface_is_even_and_stays_on_it) {
  const double radius = 0.1, spacing = 0.005;
  const auto count =
      static_cast<int>(4.0 * std::numbers::pi * radius * radius / (spacing * spacing));
  const SurfelCloud one = sphere_cloud(Vec3::Zero(), radius, count);
  const SurfelCloud two = sphere_cloud(Vec3(0.0, 0.0, 0.19), radius, count);
  const ImplicitSurface surface_one(one, 3.0 * spacing), surface_two(two, 3.0 * spacing);
  const Meeting meeting{surface_one, surface_two, 1.0, 1.0, spacing};
  const auto in_two = colliding_surfels(one, surface_two, Vec3(-1.0, -1.0, 0.0), Vec3::Ones());
  const auto in_one = colliding_surfels(two, surface_one, Vec3(-1.0, -1.0, 0.0), Vec3::Ones());
  ASSERT_GT(in_two.size(), 10U);
  std::vector<Vec3> first, second;
  for (const int i : in_two) first.push_back(one.points[static_cast<std::size_t>(i)]);
  for (const int i : in_one) second.push_back(two.points[static_cast<std::size_t>(i)]);
  const auto surface = resampled(meeting, {}, contact_surface(meeting, first, second)).points;
  ASSERT_GT(surface.size(), 20U);
  for (std::size_t i = 0; i < surface.size(); ++i) {
    EXPECT_NEAR(surface[i].z(), 0.095, 0.05 * spacing);  // the plane of symmetry
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT((surface[i] - surface[j]).norm(), 0.49 * spacing);
  }
  // no hole wider than the spacing: every place well within the lens has a surfel near
  for (double x = -0.02; x <= 0.02; x += 0.5 * spacing)
    for (double y = -0.02; y <= 0.02; y += 0.5 * spacing) {
      double least = 1.0;
      for (const Vec3& p : surface) least = std::min(least, (p - Vec3(x, y, 0.095)).norm());
      EXPECT_LT(least, 1.2 * spacing) << x << " " << y;
    }
}

TEST(surfel_paper, principal_normals_are_those_of_the_surface) {
  const SurfelCloud cloud = sphere_cloud(Vec3::Zero(), 0.1, 4000);
  std::vector<Vec3> like;
  for (const Vec3& n : cloud.normals) like.push_back((n + Vec3(0.3, -0.2, 0.1)).normalized());
  const auto normals = principal_normals(cloud.points, 0.015, like);
  for (std::size_t i = 0; i < normals.size(); ++i)
    EXPECT_GT(normals[i].dot(cloud.normals[i]), 0.998);
}

TEST(surfel_paper, equations_4_to_6_push_apart_and_brake_with_equal_and_opposite_forces) {
  const Response r{.spring = 200.0, .damping = 3.0, .friction = 0.5};
  const Vec3 way(0.0, 0.0, 0.02), speed(0.4, -0.3, 1.5);
  const Vec3 push = penalty_force(r, way, speed);
  EXPECT_LT((push - Vec3(0.0, 0.0, -(200.0 * 0.02 + 3.0 * 1.5))).norm(), 1e-12);
  const Vec3 brake = friction_force(r, way, speed);
  EXPECT_NEAR(brake.norm(), 0.5 * push.norm(), 1e-12);
  EXPECT_NEAR(brake.dot(Vec3(0.4, -0.3, 0.0)), -0.5 * brake.norm(), 2e-2);
  EXPECT_NEAR(brake.dot(way), 0.0, 1e-15);
  const Vec3 on_first = shared_force(push + brake, -0.7 * push);
  EXPECT_EQ(on_first, Vec3(-shared_force(-0.7 * push, push + brake)));
  EXPECT_EQ(penalty_force(r, Vec3::Zero(), speed), Vec3(Vec3::Zero()));
}

TEST(surfel_paper, the_force_on_a_patch_does_not_depend_on_its_sampling) {
  std::vector<double> sums;
  for (const double spacing : {0.01, 0.005, 0.0025}) {
    const SurfelCloud cloud = plane_cloud(0.0, 1.0, spacing);
    const HashedGrid grid(cloud.points, 3.0 * spacing);
    double sum = 0.0;
    for (std::size_t i = 0; i < cloud.points.size(); ++i)
      if (cloud.points[i].head<2>().norm() < 0.06)
        sum += surfel_area(cloud.points, grid, 3.0 * spacing, i);
    sums.push_back(sum);
  }
  EXPECT_NEAR(sums[1] / sums[0], 1.0, 0.1);
  EXPECT_NEAR(sums[2] / sums[1], 1.0, 0.05);
}

TEST(surfel_paper, equations_8_and_9_keep_the_sum_of_forces) {
  // the kernel's integral over space is one
  double integral = 0.0;
  const double h = 0.3, dr = 1e-4;
  for (double r = 0.5 * dr; r < h; r += dr)
    integral += 4.0 * std::numbers::pi * r * r * even_kernel(r * r, h) * dr;
  EXPECT_NEAR(integral, 1.0, 1e-6);
  EXPECT_EQ(even_kernel(1.01 * h * h, h), 0.0);
  Random random(4);
  std::vector<Vec3> phyxels;
  for (int i = 0; i < 200; ++i)
    phyxels.emplace_back(random.between(-0.1, 0.1), random.between(-0.1, 0.1),
                         random.between(-0.1, 0.1));
  const Spreading over(phyxels, 0.04);
  std::vector<Vec3> felt(phyxels.size(), Vec3::Zero());
  Vec3 all = Vec3::Zero();
  double sizes = 0.0;
  for (int n = 0; n < 300; ++n) {
    // far outside there are fewer than six within the kernel
    const Vec3 point(random.between(-0.2, 0.2), random.between(-0.2, 0.2),
                     random.between(-0.2, 0.2));
    const Vec3 force = 10.0 * random_direction(random);
    over.spread(point, force, felt);
    all += force;
    sizes += force.norm();
  }
  Vec3 sum = Vec3::Zero();
  for (const Vec3& f : felt) sum += f;
  EXPECT_LT((sum - all).norm(), 1e-13 * sizes);
}

std::string two_balls(double modulus) {
  const auto ball = [&](const char* name, double x, double speed) {
    return fmt::format(
        R"({{"name": "{}", "material": "stuff", "position": [{}, 0.01, 0], "velocity": [{}, 0, 0],
 "shape": {{"kind": "sample", "spacing": 0.012, "shape": {{"kind": "ball", "radius": 0.1}}}}}})",
        name, x, speed);
  };
  return fmt::format(
      R"({{"repose": 1, "method": {{"kind": "surfel"}}, "gravity": [0, 0, 0], "materials": {{"stuff":
 {{"density": 1000, "young_modulus": {}, "poisson_ratio": 0.3, "friction": 0.3}}}}, "bodies": [{}, {}]}})",
      modulus, ball("left", -0.11, 1.0), ball("right", 0.11, -1.0));
}

TEST(surfel_paper, contact_surfels_that_go_on_stand_for_the_surface_that_is_found_anew) {
  Session session = session_of(two_balls(1e5), {{"engine", std::string("paper")}});
  SurfelSettings settings;
  settings.engine = Engine::paper;
  const auto arena = prepare_arena(session.problem(), settings);
  ASSERT_TRUE(arena);
  // m^3: what equations 4 and 7 make of both for one unit of spring
  const auto pushed_out = [](const HeldContacts& held) {
    double out = 0.0;
    for (const HeldContact& contact : held.contacts)
      for (const HeldSurfel& surfel : contact.surfels)
        out += surfel.area * std::max(0.0, (surfel.from_one - surfel.from_two).dot(surfel.normal));
    return out;
  };
  std::optional<HeldContacts> held;
  int compared = 0;
  while (session.state().time < 0.05) {
    ASSERT_TRUE(session.step());
    const Motion motion = read_motion(*arena, session.state());
    if (held && come_nearer(*arena, held->from, motion) < 0.3 * held->left) continue;
    held = look_for_contacts(*arena, settings, motion, held ? &*held : nullptr);
    const HeldContacts anew = look_for_contacts(*arena, settings, motion, nullptr);
    EXPECT_EQ(held->colliding, anew.colliding);
    ASSERT_EQ(held->contacts.size(), anew.contacts.size());
    if (anew.colliding < 20) continue;
    ++compared;
    // as far as so many samples can tell
    EXPECT_NEAR(pushed_out(*held) / pushed_out(anew), 1.0, 1.5 / std::sqrt(anew.colliding));
    // every surfel of the one surface has one of the other near, and shares that sum up to 1
    const HeldContacts& on = *held;
    for (const auto& [of, in] : {std::pair{&on, &anew}, std::pair{&anew, &on}})
      for (const HeldSurfel& surfel : of->contacts[0].surfels) {
        double least = 1.0, shares = 0.0;
        for (const HeldSurfel& other : in->contacts[0].surfels)
          least = std::min(least, (other.point - surfel.point).norm());
        EXPECT_LT(least, 1.5 * 0.012);
        for (std::size_t k = surfel.share[0]; k < surfel.share[1]; ++k)
          shares += of->contacts[0].shares[k].share;
        EXPECT_NEAR(shares, 1.0, 1e-12);
      }
  }
  EXPECT_GT(compared, 3);
}

TEST(surfel_paper, bodies_that_meet_part_again_and_keep_their_momentum) {
  Session session = session_of(two_balls(1e5), {{"engine", std::string("paper")}});
  const auto momentum = [&](std::size_t body) {
    Vec3 out = Vec3::Zero();
    const SoftBody& soft = *session.problem().bodies[body].soft;
    for (std::size_t i = 0; i < soft.size(); ++i)
      out += soft.masses[i] * session.state().bodies[body].soft.velocities[i];
    return out;
  };
  const Vec3 first = momentum(0), second = momentum(1);
  std::size_t contacts = 0;
  while (session.state().time < 0.15) {
    ASSERT_TRUE(session.step());
    contacts = std::max(contacts, session.state().contacts.size());
  }
  EXPECT_GT(contacts, 20U);
  EXPECT_LT((momentum(0) + momentum(1) - first - second).norm(), 1e-9 * first.norm());
  EXPECT_LT(momentum(0).x(), -0.5 * first.x());
  EXPECT_TRUE(session.state().contacts.empty());
}

}  // namespace
}  // namespace repose::surfel
