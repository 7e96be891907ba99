// Sharp bodies in curved hollows: what bears is an edge or a corner, while the proof of a way knows
// faces alone.
#include <cmath>
#include <numbers>

#include "place_scene.h"
#include "src/methods/place/foot.h"
#include "src/methods/place/step.h"

namespace repose::place {
namespace {

Result<shape::ShapePtr> cup() {
  shape::RevolutionInput in;
  in.profile = {{0, 0},          {0.035, 0},       {0.037, 0.002}, {0.038, 0.05},
                {0.038, 0.095},  {0.0365, 0.0965}, {0.035, 0.095}, {0.0348, 0.05},
                {0.0335, 0.009}, {0.030, 0.006},   {0, 0.006}};
  in.corners = {1};
  return shape::make_revolution(in);
}

Result<shape::ShapePtr> pencil(int sides) {
  shape::ConvexInput in;
  const double radius = 0.004;
  for (int k = 0; k < sides; ++k)
    for (const double z : {-0.08, 0.07}) {
      const double angle = 2.0 * std::numbers::pi * k / sides;
      in.points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
    }
  in.points.push_back({0.0, 0.0, 0.09});
  return shape::make_convex(in);
}

TEST(EdgesInHollows, a_pencil_comes_to_rest_in_a_cup) {
  for (const int sides : {3, 6}) {
    PlaceScene scene;
    scene.add_ground();
    scene.add(cup(), {}, true);
    const Quat turn = rotation_from_vector(Vec3(0.105, 0.052, 0.0));
    scene.add(pencil(sides), {Vec3(0.005, 0.003, 0.2), turn}, false);
    const StepReport report = scene.run();
    EXPECT_EQ(report.status, RunStatus::rest) << sides << " sides: " << report.why;
  }
}

/// The hull of points spread evenly over an ellipsoid.
Result<shape::ShapePtr> pebble(int points) {
  const double golden = std::numbers::pi * (3.0 - std::sqrt(5.0));
  shape::ConvexInput in;
  for (int k = 0; k < points; ++k) {
    const double z = 1.0 - 2.0 * (k + 0.5) / points, ring = std::sqrt(1.0 - z * z);
    in.points.push_back(
        {0.03 * ring * std::cos(golden * k), 0.024 * ring * std::sin(golden * k), 0.02 * z});
  }
  return shape::make_convex(in);
}

// a cup's wall is one smooth piece, inside and outside: corners within must not be held for ones
// that are behind its far side
TEST(EdgesInHollows, a_body_of_many_corners_is_held_by_the_near_side_of_a_thin_wall) {
  for (const int points : {80, 120, 200}) {
    PlaceScene scene;
    scene.add_ground();
    scene.add(cup(), {}, true);
    const Quat turn = rotation_from_vector(Vec3(0.5, 0.8, 0.3));
    scene.add(pebble(points), {Vec3(0.003, -0.002, 0.16), turn}, false);
    const StepReport report = scene.run({}, 120);
    EXPECT_EQ(report.status, RunStatus::rest) << points << " points: " << report.why;
  }
}

TEST(EdgesInHollows, a_cone_rolls_down_a_bowl_in_long_steps) {
  shape::RevolutionInput bowl;
  bowl.profile = {{0, 0.006},     {0.03, 0.006},  {0.033, 0},     {0.04, 0},      {0.043, 0.007},
                  {0.078, 0.024}, {0.104, 0.052}, {0.116, 0.085}, {0.112, 0.085}, {0.1, 0.054},
                  {0.075, 0.029}, {0.04, 0.0145}, {0, 0.011}};
  bowl.corners = {1, 2, 3, 4, 7, 8};
  PlaceScene scene;
  scene.add_ground();
  scene.add(shape::make_revolution(bowl), {}, true);
  const Quat turn = rotation_from_vector(Vec3(1.1, 0.8, 0.3));
  scene.add(shape::make_cone({0.02, 0.04}), {Vec3(0.013, -0.02, 0.2), turn}, false);
  const StepReport report = scene.run({}, 150);
  EXPECT_EQ(report.status, RunStatus::rest) << report.why;
}

/// A hollow ball's lower half, radius 0.1 m inside.
Result<shape::ShapePtr> hollow_ball() {
  shape::RevolutionInput in;
  in.profile = {{0, -0.01}, {0.11, -0.01}};
  for (const double angle : {1.5, 1.2, 0.9, 0.6, 0.3, 0.0})
    in.profile.push_back({0.1 * std::sin(angle), 0.1 * (1.0 - std::cos(angle))});
  in.corners = {1, 2};
  return shape::make_revolution(in);
}

// a hollow rises towards the rim of what lies in it: places of the hollow beside the rim stand
// under the side that ends there, and bore along that side's normal (a cone was told at rest in a
// tray, and a hundredth of its weight was missing)
TEST(EdgesInHollows, places_beside_an_edge_that_touches_make_no_rows) {
  PlaceScene scene;
  const int bowl = scene.add(hollow_ball(), {}, true);
  const Quat lying = rotation_from_vector(0.5 * std::numbers::pi * Vec3::UnitY());
  const int can = scene.add(shape::make_cylinder({0.02, 0.06}), {Vec3(0, 0, 0.04), lying}, false);
  ASSERT_EQ(scene.run().status, RunStatus::rest);
  KnownSurfaces known;
  const auto arena = prepare_arena(scene.problem, scene.state, known);
  ASSERT_TRUE(arena);
  const Places places = places_of(*arena, scene.problem, scene.state);
  const PlaceSettings settings;
  const auto rows_with = [&](std::span<const Seed> seeds) {
    return gather_rows(*arena, places, settings, settings.epsilon_start, seeds);
  };
  const auto& faces = places[static_cast<std::size_t>(can)].surface->features();
  const auto side = std::find_if(faces.begin(), faces.end(), [](const Feature& f) {
    return f.kind == FeatureKind::patch && !f.planar;
  });
  int rims = 0;
  for (const Row& rim : rows_with({})) {
    if (rim.at.p != can || rim.at.q != bowl || rim.gap > settings.settle_gap) continue;
    ++rims;
    for (const double nearer : {1e-6, 1e-5, 1e-4}) {
      const Posed& of_bowl = places[static_cast<std::size_t>(bowl)];
      Seed beside{bowl, can, rim.at.feature_q, static_cast<int>(side - faces.begin())};
      beside.uv_p = rim.at.uv_q;
      const Vec3 lowest = of_bowl.to_body(Vec3::Zero());
      const Feature& hollow = of_bowl.surface->feature(rim.at.feature_q);
      beside.uv_p = find_foot(hollow, of_bowl.to_body(rim.foot) * (1.0 - nearer) + nearer * lowest,
                              rim.at.uv_q)
                        .uv;
      for (const Row& row : rows_with(std::vector<Seed>{beside}))
        EXPECT_TRUE((row.point - rim.point).norm() > 1e-4 ||
                    row.normal.cross(rim.normal).norm() < 0.01)
            << nearer << " nearer the middle, gap " << row.gap;
    }
  }
  EXPECT_EQ(rims, 2);
}

}  // namespace
}  // namespace repose::place
