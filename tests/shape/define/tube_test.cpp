#include <numbers>

#include "repose/shape/form.h"
#include "repose/shape/make.h"
#include "repose/shape/patches.h"

#include "shape/patch_checks.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;

Tube handle(double a) {
  return {{a * Vec3(0, 0, 0), a * Vec3(1, 0.2, 0), a * Vec3(1.5, 1, 0.5), a * Vec3(0.8, 1.8, 1.2),
           a * Vec3(-0.3, 1.5, 2)},
          {0.2 * a, 0.15 * a, 0.18 * a, 0.1 * a, 0.2 * a}};
}

/// A trefoil, whose frames turn on their way round.
Tube trefoil(double a, int count) {
  Tube tube;
  tube.closed = true;
  tube.radii = {0.3 * a};
  for (int i = 0; i < count; ++i) {
    const double t = 2.0 * kPi * i / count;
    tube.spine.push_back(a * Vec3(std::sin(t) + 2 * std::sin(2 * t),
                                  std::cos(t) - 2 * std::cos(2 * t), -std::sin(3 * t)));
  }
  return tube;
}

/// Knots of the dense frames lie close together: smaller steps than elsewhere.
DerivativeCheck tube_check(double size, const char* name) {
  return {.size = size, .tolerance = 2e-6, .step = 2e-4, .name = name};
}

TEST(Tube, open_tube_has_exact_derivatives_and_enclosures) {
  for (const double a : {1e-3, 1.0, 1e3}) {
    const auto tube = *tube_patches(handle(a));
    expect_exact_derivatives(*tube.side, tube_check(a, "handle"));
    expect_enclosures_hold(*tube.side, "handle", 1e-13);
    expect_first_order_shrinking(*tube.side, "handle");
    expect_exact_normals(*tube.side, "handle");
    expect_seams_meet(*tube.side, a, "handle");
  }
}

TEST(Tube, closed_knot_meets_itself_with_its_derivatives) {
  for (const double a : {1e-3, 1.0, 1e3}) {
    const auto tube = *tube_patches(trefoil(a, 24));
    EXPECT_TRUE(tube.side->closed_v());
    EXPECT_TRUE(tube.begin_cap.empty());
    expect_seams_meet(*tube.side, a, "trefoil");
    expect_exact_derivatives(*tube.side, tube_check(3 * a, "trefoil"));
    expect_enclosures_hold(*tube.side, "trefoil", 1e-13);
  }
}

TEST(Tube, sections_are_circles_nearly_square_to_the_spine) {
  const auto tube = *tube_patches(trefoil(1.0, 24));
  for (double v = 0.0; v <= 1.0; v += 1.0 / 64) {
    const Vec3 center = 0.5 * (tube.side->point(0.0, v) + tube.side->point(kPi, v));
    for (double u = -3.0; u < 3.0; u += 0.5) {
      const Vec3 arm = tube.side->point(u, v) - center;
      EXPECT_NEAR(arm.norm(), 0.3, 1e-13);
      EXPECT_NEAR(tube.side->normal(u, v).dot(arm.normalized()), 1.0, 1e-4);
    }
  }
}

TEST(Tube, round_caps_continue_the_side_without_an_edge) {
  const auto tube = *tube_patches(handle(1.0));
  ASSERT_EQ(tube.begin_cap.size(), 5u);
  for (const double v : {0.0, 1.0}) {
    const Pose& pose = v > 0.0 ? tube.end_pose : tube.begin_pose;
    const double radius = v > 0.0 ? tube.end_radius : tube.begin_radius;
    for (double u = -3.0; u < 3.0; u += 0.5) {
      const Vec3 local = pose.inverse() * tube.side->point(u, v);
      EXPECT_NEAR(local.head<2>().norm(), radius, 1e-14);
      EXPECT_NEAR(local[2], 0.0, 1e-14);
      const Vec3 normal = pose.rotation.conjugate() * tube.side->normal(u, v);
      EXPECT_NEAR((normal - local.normalized()).norm(), 0.0, 1e-10);
    }
    // the cap lies beyond the end
    const Vec3 inside = pose.inverse() * tube.side->point(0.0, v > 0.0 ? 0.95 : 0.05);
    EXPECT_LT(inside[2], 0.0);
    const Vec3 top = (v > 0.0 ? tube.end_cap : tube.begin_cap)[0]->point(0.0, 0.0);
    EXPECT_NEAR((pose.inverse() * top - Vec3(0, 0, radius)).norm(), 0.0, 1e-14);
  }
}

TEST(Tube, flat_caps_are_discs_facing_outward) {
  Tube in = handle(1.0);
  in.round_ends = false;
  const auto tube = *tube_patches(in);
  ASSERT_EQ(tube.end_cap.size(), 1u);
  EXPECT_TRUE(tube.end_cap[0]->planar());
  EXPECT_NEAR((tube.end_cap[0]->normal(0, 0) - tube.end_pose.turn(Vec3::UnitZ())).norm(), 0.0,
              1e-14);
}

TEST(Tube, straight_tube_is_a_cylinder) {
  const auto tube = *tube_patches({{Vec3(0, 0, 0), Vec3(0, 0, 1), Vec3(0, 0, 3)}, {0.5}});
  for (double v = 0.0; v <= 1.0; v += 0.125) {
    const Vec3 p = tube.side->point(1.0, v);
    EXPECT_NEAR(p.head<2>().norm(), 0.5, 1e-14);
    EXPECT_NEAR(tube.side->normal(1.0, v)[2], 0.0, 1e-14);
  }
}

TEST(Tube, bad_tubes_are_refused_by_name) {
  EXPECT_EQ(tube_patches({{Vec3::Zero()}, {0.1}}).error().pointer, "/spine");
  EXPECT_EQ(tube_patches({{Vec3::Zero(), Vec3::Zero()}, {0.1}}).error().pointer, "/spine/0");
  EXPECT_EQ(tube_patches({{Vec3::Zero(), Vec3::Ones()}, {0.1, -1.0}}).error().pointer, "/radii/1");
  EXPECT_EQ(tube_patches({{Vec3::Zero(), Vec3::Ones()}, {}}).error().pointer, "/radii");
  // radius 1 about a bend of radius 0.5
  const auto folded = tube_patches({{Vec3(0, 0, 0), Vec3(0.5, 0.5, 0), Vec3(1, 0, 0)}, {1.0}});
  ASSERT_FALSE(folded);
  EXPECT_NE(folded.error().wrong.find("folds"), std::string::npos);
}

TEST(Tube, is_known_by_its_spine_and_radius_only_where_it_has_one) {
  for (const double a : {1e-3, 1.0, 1e3}) {
    TubeInput in;
    in.spine = {a * Vec3(0, 0, 0), a * Vec3(1, 0.2, 0), a * Vec3(1.5, 1, 0.5), a * Vec3(1, 2, 1)};
    for (const bool closed : {false, true}) {
      in.closed = closed;
      in.radii = {0.1 * a};
      const Form form = form_of(**make_tube(in));
      const auto* tube = std::get_if<TubeForm>(&form.is);
      ASSERT_NE(tube, nullptr);
      EXPECT_NEAR(tube->radius, 0.1 * a, 1e-12 * a);
      EXPECT_GE(tube->radius, 0.1 * a);
      in.radii = {0.1 * a, 0.1 * a, 0.08 * a, 0.1 * a};
      EXPECT_FALSE(std::holds_alternative<TubeForm>(form_of(**make_tube(in)).is));
    }
  }
}

}  // namespace
}  // namespace repose::shape
