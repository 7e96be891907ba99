// Sharp bodies in curved hollows: what bears is an edge or a corner, while the proof of a way knows
// faces alone.
#include <cmath>
#include <numbers>

#include "place_scene.h"

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

}  // namespace
}  // namespace repose::place
