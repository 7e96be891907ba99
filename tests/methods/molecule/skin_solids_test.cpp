#include "methods/molecule/skin_solids.h"

#include <gtest/gtest.h>

#include "repose/shape/make.h"

#include "methods/molecule/skin_start.h"
#include "soft_arena.h"

namespace repose::molecule {
namespace {

/// A net whose holes are far wider than what falls on it.
Block3 net() {
  Block3 out;
  out.count = {7, 7, 1};
  out.pitch = 0.03;
  out.radius = 0.008;
  out.modulus = 4e5;
  out.density = 600.0;
  out.damping = 0.02;
  out.corner = Vec3(-0.09, -0.09, 0.0);
  out.fixed = [](const auto& place) {
    return place[0] == 0 || place[0] == 6 || place[1] == 0 || place[1] == 6;
  };
  return out;
}

Rigid solid(const shape::ShapePtr& shape, double mass) {
  Rigid out;
  out.obstacle = collide::obstacle_of(shape);
  out.inverse_mass = 1.0 / mass;
  out.inertia_body = 1e-6 * Mat3::Identity();
  out.friction = 0.3;
  out.reach = shape->bounding_center.norm() + shape->bounding_radius;
  return out;
}

RigidMotion standing(const Vec3& place, const Vec3& velocity) {
  RigidMotion out;
  out.world_from_body.position = out.center = place;
  out.velocity = velocity;
  out.inverse_inertia = 1e6 * Mat3::Identity();
  return out;
}

SoftArena net_under(const shape::ShapePtr& shape, const Vec3& place, const Vec3& velocity) {
  SoftArena soft;
  soft.settings.detection = Detection::skin;
  soft.arena.gravity = Vec3(0.0, 0.0, -9.81);
  soft.add(net());
  soft.add_rigid(solid(shape, 0.02), standing(place, velocity));
  return soft;
}

/// m; the least distance of the solid's points from the net's triangles.
double nearest(const SoftArena& soft, const std::vector<Vec3>& points_body) {
  double out = 1e9;
  for (const auto& t : soft.arena.surface[0])
    for (const Vec3& p : points_body) {
      const Vec3 here = soft.motion.rigids[0].world_from_body * p;
      const auto x = [&](std::size_t k) { return soft.motion.x[static_cast<std::size_t>(t[k])]; };
      out = std::min(out, (here - collide::nearest_in_triangle(here, x(0), x(1), x(2))).norm());
    }
  return out;
}

TEST(molecule_skin_solids,
     a_needle_that_falls_between_the_molecules_of_a_net_is_caught_by_its_skin) {
  const shape::ShapePtr needle = shape::make_cylinder({.radius = 0.002, .height = 0.1}).value();
  for (const auto detection : {Detection::skin, Detection::spheres}) {
    SoftArena soft = net_under(needle, Vec3(0.013, 0.017, 0.08), Vec3(0.0, 0.0, -2.0));
    soft.settings.detection = detection;
    double lowest = 1.0;
    for (int k = 0; k < 120; ++k) {
      soft.step();
      if (detection == Detection::skin) {
        ASSERT_GT(nearest(soft, {Vec3(0.0, 0.0, -0.05), Vec3(0.0, 0.0, 0.05)}), 1e-3) << k;
      }
      lowest = std::min(lowest, soft.motion.rigids[0].center.z());
    }
    if (detection == Detection::skin)
      EXPECT_GT(lowest, -0.05);
    else
      EXPECT_LT(lowest, -0.1);  // through a hole
  }
}

TEST(molecule_skin_solids, a_bullet_that_would_pass_a_hole_of_a_net_takes_the_net_along) {
  const shape::ShapePtr ball = shape::make_ball({.radius = 0.004}).value();
  SoftArena soft = net_under(ball, Vec3(0.015, 0.015, 0.06), Vec3(0.0, 0.0, -50.0));
  soft.arena.rigids[0].ball_radius = 0.004;
  for (int k = 0; k < 10; ++k) {
    soft.step();
    ASSERT_GT(nearest(soft, {Vec3::Zero()}), 0.004) << k;
  }
  const Vec3 ball_now = soft.motion.rigids[0].center;
  EXPECT_LT(ball_now.z(), -0.01);
  // the net hangs below it
  double under = 1.0;
  for (const Vec3& x : soft.motion.x) under = std::min(under, x.z());
  EXPECT_LT(under, ball_now.z() + 0.02);
}

TEST(molecule_skin_solids, solids_and_skins_keep_their_momentum_with_friction) {
  SoftArena soft;
  soft.settings.detection = Detection::skin;
  Block3 sheet = net();
  sheet.fixed = [](const auto&) { return false; };
  soft.add(sheet);
  const shape::ShapePtr box = shape::make_box({.size = Vec3(0.02, 0.01, 0.012)}).value();
  soft.add_rigid(solid(box, 0.01), standing(Vec3(0.013, 0.011, 0.03), Vec3(1.0, 0.4, -3.0)));
  soft.motion.rigids[0].world_from_body.rotation = rotation_from_vector(Vec3(0.7, 0.4, 0.2));
  soft.motion.rigids[0].inverse_inertia = 1e6 * Mat3::Identity();
  const auto momenta = [&] {
    const RigidMotion& rigid = soft.motion.rigids[0];
    std::array<Vec3, 2> out{0.01 * rigid.velocity,
                            rigid.center.cross(0.01 * rigid.velocity) + 1e-6 * rigid.angular};
    for (std::size_t i = 0; i < soft.motion.v.size(); ++i) {
      out[0] += soft.arena.mass[i] * soft.motion.v[i];
      out[1] += soft.motion.x[i].cross(soft.arena.mass[i] * soft.motion.v[i]);
    }
    return out;
  };
  const auto before = momenta();
  bool touched = false;
  for (int k = 0; k < 60; ++k) {
    soft.step();
    for (const Row& row : soft.cache.rows)
      touched |= row.key.kind == RowKey::skin && row.impulse > 0.0;
  }
  const auto after = momenta();
  EXPECT_TRUE(touched);
  EXPECT_LE((after[0] - before[0]).norm(), 1e-12 * before[0].norm());
  EXPECT_LE((after[1] - before[1]).norm(), 1e-9 * before[0].norm() * 0.1);
}

TEST(molecule_skin_solids, what_crosses_a_skin_or_lies_in_one_is_found_before_a_run) {
  const auto fault = [](const SoftArena& soft) {
    NearSearch search;
    return find_skin_fault(soft.arena, soft.motion,
                           search.update(soft.arena, soft.motion, {.skins = true}));
  };
  const shape::ShapePtr needle = shape::make_cylinder({.radius = 0.002, .height = 0.1}).value();
  EXPECT_FALSE(fault(net_under(needle, Vec3(0.013, 0.017, 0.06), Vec3::Zero())));
  const auto crossed = fault(net_under(needle, Vec3(0.013, 0.017, 0.03), Vec3::Zero()));
  ASSERT_TRUE(crossed);
  EXPECT_FALSE(crossed->holds);
  EXPECT_EQ(crossed->other, 1);
  // a small ball in a cell of a block, between its molecules
  SoftArena soft;
  Block3 block;
  block.count = {4, 4, 4};
  block.radius = 0.006;
  soft.add(block);
  const shape::ShapePtr ball = shape::make_ball({.radius = 0.004}).value();
  soft.add_rigid(solid(ball, 0.01), standing(Vec3(0.03, 0.03, 0.03), Vec3::Zero()));
  const auto held = fault(soft);
  ASSERT_TRUE(held);
  EXPECT_TRUE(held->holds);
}

}  // namespace
}  // namespace repose::molecule
