// Sharp bodies in curved hollows: what bears is an edge or a corner, while the proof of a way knows
// faces alone.
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

}  // namespace
}  // namespace repose::place
