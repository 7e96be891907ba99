#include "repose/shape/patches.h"

#include "shape/patch_checks.h"

namespace repose::shape {
namespace {

constexpr double kScales[] = {1e-3, 1.0, 1e3};

TEST(Patches, plane_disc_and_ring_have_exact_derivatives_and_enclosures) {
  for (const double a : kScales) {
    expect_sound_patch(**plane_patch(a * Vec3(1, 2, 3), a * Vec3(1, 0.5, 0), a * Vec3(0, 1, 1)), a,
                       "plane");
    expect_sound_patch(**annulus_patch(0.4 * a, a), a, "annulus");
    const auto disc = *disc_patch(a);
    expect_exact_derivatives(*disc, {.size = a, .name = "disc"});
    expect_enclosures_hold(*disc, "disc");
    expect_first_order_shrinking(*disc, "disc");
  }
}

TEST(Patches, disc_fills_its_circle_and_its_border_is_the_rim) {
  const auto disc = *disc_patch(2.0);
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const double t = random.between(-1, 1), s = random.between(-0.99, 0.99);
    EXPECT_NEAR(disc->point(1.0, t).norm(), 2.0, 1e-14);
    EXPECT_NEAR(disc->point(t, -1.0).norm(), 2.0, 1e-14);
    EXPECT_LT(disc->point(s, t * 0.99).norm(), 2.0);
    EXPECT_EQ(disc->normal(s, t), Vec3::UnitZ());
    const PatchJet j = disc->jet(s, t * 0.99);
    EXPECT_GT(j.su.cross(j.sv)[2], 0.0);
  }
  EXPECT_EQ(disc->point(0.0, 0.0), Vec3::Zero());
}

TEST(Patches, ellipsoid_charts_have_exact_derivatives_and_cover_the_surface) {
  for (const double a : kScales) {
    const Vec3 axes = a * Vec3(1.0, 0.7, 0.4);
    const auto patches = *ellipsoid_patches(axes);
    ASSERT_EQ(patches.size(), 6u);
    for (const auto& patch : patches) {
      expect_sound_patch(*patch, a, "ellipsoid");
      const Vec3 p = patch->point(0.3, -0.8);
      EXPECT_NEAR(p.cwiseQuotient(axes).norm(), 1.0, 1e-14);
      EXPECT_GT(patch->normal(0.3, -0.8).dot(p), 0.0);
    }
    // neighbouring charts meet along their common border
    EXPECT_NEAR((patches[0]->point(0.2, 1.0) - patches[4]->point(1.0, 0.2)).norm(), 0.0, 1e-15 * a);
  }
}

TEST(Patches, hemisphere_stays_above_its_rim) {
  const auto patches = *hemisphere_patches(1.5);
  ASSERT_EQ(patches.size(), 5u);
  for (const auto& patch : patches) {
    const UvBox box = patch->domain();
    for (double t = 0.0; t <= 1.0; t += 0.125) {
      const Vec3 p = patch->point(box.u0 + t * (box.u1 - box.u0), box.v0);
      EXPECT_GE(p[2], 0.0);
      EXPECT_NEAR(p.norm(), 1.5, 1e-14);
    }
  }
}

TEST(Patches, cylinder_cone_and_torus_have_exact_derivatives_and_enclosures) {
  for (const double a : kScales) {
    expect_sound_patch(**cylinder_side(a, -a, 2 * a), a, "cylinder");
    expect_sound_patch(**cone_side(a, 0.5 * a, 0.0, a), a, "frustum");
    expect_sound_patch(**cone_side(a, 0.0, 0.0, 2 * a), a, "cone to its apex");
    expect_sound_patch(**cone_side(0.0, a, -a, 2 * a), a, "cone from its apex");
    expect_sound_patch(**torus_patch(a, 0.3 * a), a, "torus");
  }
}

TEST(Patches, revolved_splines_have_exact_derivatives_poles_and_corners_included) {
  for (const double a : kScales) {
    const auto pear = *revolved_patches({{0.0, 0.0},
                                         {0.5 * a, 0.1 * a},
                                         {0.6 * a, 0.5 * a},
                                         {0.3 * a, 0.9 * a},
                                         {0.25 * a, 1.2 * a},
                                         {0.0, 1.4 * a}});
    ASSERT_EQ(pear.size(), 1u);
    expect_exact_derivatives(*pear[0], {.size = a, .tolerance = 1e-6, .name = "pear"});
    expect_enclosures_hold(*pear[0], "pear", 1e-13);
    expect_first_order_shrinking(*pear[0], "pear");
    expect_exact_normals(*pear[0], "pear");
    EXPECT_NEAR((pear[0]->normal(0.3, 0.0) + Vec3::UnitZ()).norm(), 0.0, 1e-12);
    EXPECT_NEAR((pear[0]->normal(0.3, 1.0) - Vec3::UnitZ()).norm(), 0.0, 1e-12);

    const auto pot = *revolved_patches({{0.0, 0.0},
                                        {0.4 * a, 0.0, true},
                                        {0.6 * a, 0.4 * a},
                                        {0.5 * a, 0.8 * a, true},
                                        {0.45 * a, 0.8 * a, true},
                                        {0.0, 1.0 * a, true}});
    ASSERT_EQ(pot.size(), 4u);
    EXPECT_TRUE(pot[0]->planar());
    EXPECT_NEAR((pot[0]->normal(0.1, 0.2) + Vec3::UnitZ()).norm(), 0.0, 1e-15);
    EXPECT_NEAR((pot[2]->normal(0.1, 0.2) - Vec3::UnitZ()).norm(), 0.0, 1e-15);
    expect_exact_derivatives(*pot[1], {.size = a, .tolerance = 1e-6, .name = "pot"});
    expect_sound_patch(*pot[3], a, "straight tip");

    const auto ring = *revolved_patches(
        {{2 * a, 0.0}, {2.5 * a, 0.4 * a}, {2 * a, 0.9 * a}, {1.4 * a, 0.5 * a}}, true);
    ASSERT_EQ(ring.size(), 1u);
    EXPECT_TRUE(ring[0]->closed_v());
    expect_seams_meet(*ring[0], a, "ring");
    expect_exact_derivatives(*ring[0], {.size = a, .tolerance = 1e-6, .name = "ring"});
  }
}

TEST(Patches, moved_patches_carry_derivatives_enclosures_and_normals) {
  Random random(9);
  const Pose pose{Vec3(1, -2, 3), random_rotation(random)};
  const auto torus = *torus_patch(1.0, 0.4);
  expect_sound_patch(*placed(torus, pose), 4.0, "placed torus");
  Mat3 mirror = Mat3::Identity();
  mirror(0, 0) = -1.0;
  mirror(1, 0) = 0.3;
  expect_sound_patch(*mapped(torus, mirror, Vec3(0, 0, 1)), 2.0, "mirrored torus");
  expect_sound_patch(*restricted(torus, {0.1, 1.0, -2.0, 0.5}), 1.0, "part of a torus");
  EXPECT_FALSE(restricted(torus, {0.1, 1.0, -2.0, 0.5})->closed_u());
}

TEST(Patches, bad_sizes_are_refused_by_name) {
  EXPECT_EQ(disc_patch(0.0).error().pointer, "/radius");
  EXPECT_EQ(disc_patch(-1.0).error().pointer, "/radius");
  EXPECT_EQ(disc_patch(std::nan("")).error().pointer, "/radius");
  EXPECT_EQ(sphere_patches(1e308).error().pointer, "/radius");
  EXPECT_EQ(torus_patch(1.0, 1.0).error().pointer, "/minor");
  EXPECT_EQ(cone_side(0.0, 0.0, 0.0, 1.0).error().pointer, "/r1");
  EXPECT_EQ(cone_side(1.0, 0.0, 1.0, 1.0).error().pointer, "/z1");
  EXPECT_EQ(annulus_patch(1.0, 0.5).error().pointer, "/outer");
  EXPECT_EQ(plane_patch(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitX()).error().pointer, "/edge_v");
  EXPECT_EQ(revolved_patches({{1, 0}, {0, 1}, {1, 2}}).error().pointer, "/profile/1");
  EXPECT_EQ(revolved_patches({{1, 0}, {1, 0}}).error().pointer, "/profile/1");
  EXPECT_EQ(revolved_patches({{1, 0}}).error().pointer, "/profile");
}

TEST(Patches, a_profile_that_swings_across_the_axis_is_refused) {
  const auto patches = revolved_patches({{2, 0}, {0.02, 0.1}, {0.3, 0.4}, {2, 1}});
  ASSERT_FALSE(patches);
  EXPECT_NE(patches.error().wrong.find("axis"), std::string::npos);
}

}  // namespace
}  // namespace repose::shape
