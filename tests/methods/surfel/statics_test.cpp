// Closed forms of bodies at rest.
#include <cmath>

#include <gtest/gtest.h>

#include "soft_world.h"

namespace repose::surfel {
namespace {

/// A bar of `size`, its phyxels within half a pitch of x = 0 or z = 0 held, until it is at rest;
/// answers how far the outermost layer has sunk on average, m.
double sunk(const Vec3& size, double spacing, int along, const std::string& material) {
  const std::string text = fmt::format(
      R"({{"repose": 1, "method": {{"kind": "surfel"}}, "materials": {{"stuff": {}}},
 "bodies": [{{"name": "bar", "material": "stuff", "position": [0, 0, 1],
 "shape": {{"kind": "sample", "spacing": {}, "shape": {{"kind": "box", "size": [{}, {}, {}]}}}}}}]}})",
      material, spacing, size.x(), size.y(), size.z());
  World world = world_of(text);
  const auto& points = std::get<shape::PointSet>(world.problem.bodies[0].shape->geometry);
  auto soft = std::make_shared<SoftBody>(*world.problem.bodies[0].soft);
  soft->fixed.assign(soft->size(), 0);
  double low = 1e9, high = -1e9;
  for (const Vec3& p : points.phyxels) {
    low = std::min(low, p[along]);
    high = std::max(high, p[along]);
  }
  for (std::size_t i = 0; i < points.phyxels.size(); ++i)
    if (points.phyxels[i][along] < low + 0.1 * spacing) soft->fixed[i] = 1;
  world.problem.bodies[0].soft = soft;
  const std::vector<Vec3> start(world.state.bodies[0].soft.positions.begin(),
                                world.state.bodies[0].soft.positions.end());
  const std::vector<Vec3> phyxels = points.phyxels;
  auto session = Session::start(world.problem, world.state, method(), {});
  EXPECT_TRUE(session);
  for (int k = 0; k < 40000; ++k) {
    auto done = session->step();
    EXPECT_TRUE(done);
    if (done->status == RunStatus::rest) break;
  }
  double sum = 0.0;
  int count = 0;
  for (std::size_t i = 0; i < phyxels.size(); ++i) {
    if (phyxels[i][along] < high - 0.1 * spacing) continue;
    sum += (start[i] - session->state().bodies[0].soft.positions[i]).z();
    ++count;
  }
  return sum / count;
}

TEST(surfel_statics, a_column_sinks_by_half_its_weight_over_its_modulus) {
  const double e = 1e5, length = 0.4, expected = 1000.0 * 9.81 * length * length / (2.0 * e);
  const std::string gel =
      R"({"density": 1000, "young_modulus": 100000, "poisson_ratio": 0.0, "damping": 0.05})";
  const double coarse = sunk(Vec3(0.1, 0.1, length), 0.0125, 2, gel);
  const double fine = sunk(Vec3(0.1, 0.1, length), 0.00833, 2, gel);
  EXPECT_NEAR(coarse, expected, 0.04 * expected);
  EXPECT_NEAR(fine, expected, 0.015 * expected);
  EXPECT_LT(std::fabs(fine - expected), std::fabs(coarse - expected));
}

TEST(surfel_statics, a_beam_bends_under_its_weight_as_the_closed_form_says) {
  // w L^4 / (8 E I) of the bending, w L^2 / (2 k G A) of the shear
  const double e = 1e6, nu = 0.25, side = 0.1, length = 0.3;
  const double line = 1000.0 * 9.81 * side * side, inertia = std::pow(side, 4) / 12.0;
  const double shear = e / (2.0 * (1.0 + nu)) * side * side * 5.0 / 6.0;
  const double expected =
      line * std::pow(length, 4) / (8.0 * e * inertia) + line * length * length / (2.0 * shear);
  const std::string rubber =
      R"({"density": 1000, "young_modulus": 1000000, "poisson_ratio": 0.25, "damping": 0.05})";
  const double coarse = sunk(Vec3(length, side, side), 0.02, 0, rubber);
  const double fine = sunk(Vec3(length, side, side), 0.0125, 0, rubber);
  EXPECT_LT(std::fabs(fine - expected), std::fabs(coarse - expected));
  EXPECT_NEAR(fine, expected, 0.15 * expected);
}

}  // namespace
}  // namespace repose::surfel
