#include "src/methods/pile/curvature.h"

#include <gtest/gtest.h>

#include "repose/shape/make.h"

#include "pile_scene.h"
#include "src/methods/pile/step.h"

namespace repose::pile {
namespace {

using Vec12 = Eigen::Matrix<double, 12, 1>;

TEST(Curvature, second_derivatives_of_the_gap_agree_with_differences) {
  const auto made = shape::make_ellipsoid({.radii = Vec3(0.6, 0.5, 0.35)});
  ASSERT_TRUE(made);
  PileScene s;
  Random random(8);
  s.add(*made, Vec3::Zero(), false, random_rotation(random));
  s.add(*made, Vec3(0.3, 0.4, 1.1), false, random_rotation(random));
  auto arena = prepare_arena(s.problem, s.state);
  ASSERT_TRUE(arena);
  const Placement at = placement_of(*arena, s.state);
  const std::vector<double> reach(2, 1.0);
  const auto separations = find_separations(*arena, at, reach);
  ASSERT_FALSE(separations.empty());
  const auto curvature = gap_curvature(*arena, at, separations[0]);
  const auto gap = [&](const Vec12& q) {
    Motion motion;
    motion.displacement = {q.segment<3>(0), q.segment<3>(6)};
    motion.turn = {q.segment<3>(3), q.segment<3>(9)};
    const Placement to = moved(*arena, at, motion, 1.0);
    return nearest_of(arena->movers[0].pieces[0], to.poses[0], arena->movers[1].pieces[0],
                      to.poses[1])
        .gap;
  };
  constexpr double kStep = 1e-3;
  for (int round = 0; round < 40; ++round) {
    Vec12 q;
    for (int k = 0; k < 12; ++k) q[k] = random.between(-1.0, 1.0);
    const double there = gap(kStep * q), back = gap(-kStep * q), here = gap(Vec12::Zero());
    const double measured = (there + back - 2.0 * here) / (kStep * kStep);
    EXPECT_NEAR(q.dot(curvature * q), measured, 1e-3 * (1.0 + std::fabs(measured)));
  }
}

}  // namespace
}  // namespace repose::pile
