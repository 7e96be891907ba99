#include <cmath>
#include <numbers>

#include "methods/place/place_scene.h"

namespace repose::place {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

Pose tilted(const Vec3& position, double x_deg, double y_deg) {
  return {position, rotation_from_vector(Vec3(x_deg * kDegree, 0.0, 0.0)) *
                        rotation_from_vector(Vec3(0.0, y_deg * kDegree, 0.0))};
}

/// Each closed form also blown up, shrunk, and turned with its gravity.
class AtEveryScale : public testing::TestWithParam<double> {
 protected:
  PlaceScene scene() const {
    PlaceScene out;
    out.scale = GetParam();
    if (GetParam() != 1.0) {
      Random random(7);
      out.frame = {GetParam() * Vec3(0.3, -0.2, 0.5), random_rotation(random)};
    }
    return out;
  }
};

TEST_P(AtEveryScale, a_torus_comes_to_lie_flat) {
  PlaceScene s = scene();
  s.add_ground();
  const int torus = s.add(shape::make_torus({1.0 * s.scale, 0.25 * s.scale}),
                          tilted(Vec3(0, 0, 1.6), 50.0, 10.0), false);
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.where(torus).position.z(), 0.25, 2.5e-9);
}

TEST_P(AtEveryScale, an_ellipsoid_settles_on_its_flattest_side) {
  PlaceScene s = scene();
  s.add_ground();
  const int body = s.add(shape::make_ellipsoid({Vec3(3, 2, 1) * s.scale}),
                         tilted(Vec3(0, 0, 4.0), 70.0, 25.0), false);
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.where(body).position.z(), 1.0, 6e-9);
}

TEST(Place, a_ball_on_the_top_of_a_ball_is_metastable) {
  PlaceScene s;
  s.add(shape::make_ball({2.0 * s.scale}), {Vec3(0, 0, -2.0), Quat::Identity()}, true);
  const int ball =
      s.add(shape::make_ball({1.0 * s.scale}), {Vec3(0, 0, 1.5), Quat::Identity()}, false);
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::metastable) << report.why;
  EXPECT_NEAR(s.where(ball).position.z(), 1.0, 2e-9);
}

TEST_P(AtEveryScale, a_torus_over_a_cone_rests_on_a_whole_ring) {
  PlaceScene s = scene();
  // half-angle 30 degrees, apex at the origin
  const double height = 4.0;
  s.add(shape::make_cone({height * std::tan(30.0 * kDegree) * s.scale, height * s.scale}),
        {Vec3(0, 0, -height), Quat::Identity()}, true);
  const int torus = s.add(shape::make_torus({1.0 * s.scale, 0.25 * s.scale}),
                          tilted(Vec3(0.05, 0.02, -0.8), 6.0, 4.0), false);
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  // the ring is proven to 1e-6 of size, its rows hold the rest to the settling gap
  EXPECT_NEAR(s.where(torus).position.z(), -1.2320508076, 2.5e-6);
}

TEST(Place, a_ball_between_three_fixed_balls_rests_at_its_height) {
  PlaceScene s;
  for (int k = 0; k < 3; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / 3.0;
    const double ring = 2.0 / std::sqrt(3.0);
    s.add(shape::make_ball({1.0}),
          {Vec3(ring * std::cos(angle), ring * std::sin(angle), 1.0), Quat::Identity()}, true);
  }
  const int ball = s.add(shape::make_ball({1.0}), {Vec3(0.1, 0.05, 3.4), Quat::Identity()}, false);
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.where(ball).position.z(), 2.6329931619, 2e-9);
}

TEST(Place, a_nudge_leaves_a_metastable_rest) {
  PlaceScene s;
  s.add_ground();
  s.add(shape::make_ball({2.0}), {Vec3(0, 0, 2.0), Quat::Identity()}, true);
  const int ball = s.add(shape::make_ball({1.0}), {Vec3(0, 0, 5.5), Quat::Identity()}, false);
  const StepReport report = s.run({{"nudge", 0.01}});
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.where(ball).position.z(), 1.0, 2e-9);
}

TEST(Place, an_overlapping_start_is_refused_with_pair_and_depth) {
  PlaceScene s;
  s.add_ground();
  s.add(shape::make_torus({1.0, 0.25}), {Vec3(0, 0, 0.2), Quat::Identity()}, false);
  auto method = method_info().make({});
  const auto prepared = (*method)->prepare(s.problem, s.state);
  ASSERT_FALSE(static_cast<bool>(prepared));
  EXPECT_NE(prepared.error().text().find("overlaps body 0"), std::string::npos)
      << prepared.error().text();
  EXPECT_NE(prepared.error().text().find("0.05"), std::string::npos) << prepared.error().text();
}

TEST(Place, an_overlapping_start_is_moved_apart_when_asked) {
  PlaceScene s;
  s.add_ground();
  const int torus =
      s.add(shape::make_torus({1.0, 0.25}), {Vec3(0, 0, 0.2), Quat::Identity()}, false);
  const StepReport report = s.run({{"repair_start", true}});
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.where(torus).position.z(), 0.25, 2.5e-9);
}

TEST(Place, a_box_comes_to_stand_on_a_face) {
  PlaceScene s;
  s.add_ground();
  const int box =
      s.add(shape::make_box({Vec3(1.0, 1.2, 0.8)}), tilted(Vec3(0, 0, 1.5), 20.0, 12.0), false);
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.where(box).position.z(), 0.4, 2e-9);
}

TEST(Place, two_bodies_settle_at_once) {
  PlaceScene s;
  s.add_ground();
  const int low =
      s.add(shape::make_box({Vec3(2.0, 2.0, 0.5)}), {Vec3(0, 0, 0.4), Quat::Identity()}, false);
  const int high =
      s.add(shape::make_torus({0.6, 0.2}), tilted(Vec3(0.05, 0.0, 1.4), 15.0, 5.0), false);
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  EXPECT_NEAR(s.where(low).position.z(), 0.25, 5e-9);
  EXPECT_NEAR(s.where(high).position.z(), 0.7, 1e-8);
}

shape::RevolutionInput glass() {
  shape::RevolutionInput in;
  in.profile = {{0, 0},          {0.029, 0},       {0.0305, 0.0015}, {0.033, 0.04},
                {0.035, 0.075},  {0.0368, 0.11},   {0.0346, 0.11},   {0.0328, 0.075},
                {0.0308, 0.042}, {0.0285, 0.0105}, {0, 0.0105}};
  in.corners = {1, 2, 5, 6, 9};
  return in;
}

TEST(Place, a_thin_rod_comes_to_lean_in_a_glass) {
  PlaceScene s;
  s.add(shape::make_revolution(glass()), {}, true);
  const int rod =
      s.add(shape::make_cylinder({0.003, 0.18}), tilted(Vec3(0.004, 0.002, 0.15), 6.0, 4.0), false);
  const StepReport report = s.run();
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
  // it leans on the rim and has not left the glass
  EXPECT_GT(s.where(rod).turn(Vec3::UnitZ()).z(), 0.8);
  EXPECT_LT(s.where(rod).turn(Vec3::UnitZ()).z(), 0.99);
}

TEST(Place, eight_balls_settle_together) {
  PlaceScene s;
  s.add_ground();
  s.add(shape::make_revolution(glass()), {}, true);
  for (int k = 0; k < 8; ++k) {
    const double angle = 2.4 * k;
    s.add(shape::make_ball({0.0105}),
          {Vec3(0.014 * std::cos(angle), 0.014 * std::sin(angle), 0.03 + 0.022 * k),
           Quat::Identity()},
          false);
  }
  const StepReport report = s.run();
  EXPECT_TRUE(report.status == RunStatus::rest || report.status == RunStatus::metastable)
      << report.why;
}

/// A mesh beside curved bodies, both ways round.
TEST(Place, a_mesh_lies_on_a_torus_and_a_torus_on_a_mesh) {
  shape::MeshInput slab;
  slab.mesh.points = {{-1, -1, 0},   {1, -1, 0},   {1, 1, 0},   {-1, 1, 0},
                      {-1, -1, 0.2}, {1, -1, 0.2}, {1, 1, 0.2}, {-1, 1, 0.2}};
  slab.mesh.triangles = {{0, 2, 1}, {0, 3, 2}, {4, 5, 6}, {4, 6, 7}, {0, 1, 5}, {0, 5, 4},
                         {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}};
  PlaceScene up;
  up.add(shape::make_torus({0.6, 0.2}), {}, true);
  const int plate = up.add(shape::make_mesh(slab), tilted(Vec3(0.02, 0.01, 0.5), 5.0, 3.0), false);
  const StepReport first = up.run();
  EXPECT_EQ(first.status, RunStatus::rest) << first.why;
  EXPECT_NEAR(up.where(plate).position.z(), 0.2, 5e-9);
  PlaceScene down;
  down.add(shape::make_mesh(slab), {}, true);
  const int torus =
      down.add(shape::make_torus({0.6, 0.2}), tilted(Vec3(0.02, 0.01, 0.8), 5.0, 3.0), false);
  const StepReport second = down.run();
  EXPECT_EQ(second.status, RunStatus::rest) << second.why;
  EXPECT_NEAR(down.where(torus).position.z(), 0.4, 5e-9);
}

TEST(Place, tori_from_random_poses_all_come_to_rest) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    PlaceScene s;
    Random random(1000 + seed);
    s.add_ground();
    const int torus =
        s.add(shape::make_torus({1.0, 0.25}), {Vec3(0, 0, 1.6), random_rotation(random)}, false);
    const StepReport report = s.run();
    EXPECT_TRUE(report.status == RunStatus::rest || report.status == RunStatus::metastable)
        << seed << ": " << report.why;
    if (report.status == RunStatus::rest) {
      EXPECT_NEAR(s.where(torus).position.z(), 0.25, 2.5e-9);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Place, AtEveryScale, testing::Values(1.0, 1e-3, 1e3));

}  // namespace
}  // namespace repose::place
