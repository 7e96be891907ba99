#include <cmath>
#include <numbers>

#include "methods/place/place_scene.h"
#include "shape/trefoil.h"

namespace repose::place {
namespace {

/// Lowest height of a body's surface over the ground, from a dense sweep of all its patches.
double lowest(const PlaceScene& s, int body, int samples) {
  const Pose pose = s.where(body);
  const auto& shape = *s.problem.bodies[static_cast<std::size_t>(body)].shape;
  double least = std::numeric_limits<double>::infinity();
  for (const shape::Part& part : std::get<shape::Solid>(shape.geometry).parts)
    for (const shape::Face& face : part.faces) {
      const shape::UvBox d = face.patch->domain();
      for (int i = 0; i <= samples; ++i)
        for (int j = 0; j <= samples; ++j) {
          const Vec3 p = face.patch->point(d.u0 + (d.u1 - d.u0) * i / samples,
                                           d.v0 + (d.v1 - d.v0) * j / samples);
          least = std::min(least, (pose * p).z());
        }
    }
  return least;
}

TEST(Brute, knots_from_random_poses_stand_on_the_ground_and_not_in_it) {
  const auto knot = shape::make_tube(shape::trefoil());
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    PlaceScene s;
    Random random(500 + seed);
    s.add_ground();
    const int body = s.add(knot, {Vec3(0, 0, 4.5), random_rotation(random)}, false);
    const StepReport report = s.run();
    EXPECT_TRUE(report.status == RunStatus::rest || report.status == RunStatus::metastable)
        << seed << ": " << report.why;
    const double least = lowest(s, body, 300);
    EXPECT_GE(least, 0.0) << seed;
    EXPECT_LE(least, 3e-3) << seed;
  }
}

/// A coarse mesh may cost more, never correctness: the same rest from cells of any size.
TEST(Brute, a_knot_comes_to_the_same_rest_from_coarse_and_fine_cells) {
  const auto knot = shape::make_tube(shape::trefoil());
  double height = 0.0;
  for (const double chord : {0.02, 0.06, 0.2, 1.0}) {
    PlaceScene s;
    s.add_ground();
    Random random(77);
    const int body = s.add(knot, {Vec3(0, 0, 4.5), random_rotation(random)}, false);
    const StepReport report = s.run({{"search_chord", chord}, {"search_longest", 5.0 * chord}});
    EXPECT_EQ(report.status, RunStatus::rest) << chord << ": " << report.why;
    if (height == 0.0) height = s.where(body).position.z();
    EXPECT_NEAR(s.where(body).position.z(), height, 1e-7) << chord;
    EXPECT_GE(lowest(s, body, 200), 0.0) << chord;
  }
}

}  // namespace
}  // namespace repose::place
