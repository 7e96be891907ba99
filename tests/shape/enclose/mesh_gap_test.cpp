// Bounds of a point's distance to a surface by its triangles: a closed one has an inside.
#include "repose/shape/mesh_gap.h"

#include <gtest/gtest.h>

#include "repose/math/pose.h"
#include "repose/shape/make.h"

namespace repose::shape {
namespace {

TEST(MeshGap, is_negative_inside_closed_bodies_and_nowhere_else) {
  Random random(271);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    const Vec3 half = scale * Vec3(0.5, 0.7, 0.9);
    const auto box = make_box({2.0 * half}).value();
    const auto egg = make_ellipsoid({half}).value();
    // a floor of two triangles
    MeshInput open;
    open.open = true;
    open.mesh.points = {scale * Vec3(-1, -1, 0), scale * Vec3(1, -1, 0), scale * Vec3(1, 1, 0),
                        scale * Vec3(-1, 1, 0)};
    open.mesh.triangles = {{0, 1, 2}, {0, 2, 3}};
    const MeshGap of_box(*box, 0.05), of_egg(*egg, 0.05), of_floor(*make_mesh(open).value(), 0.05);
    for (int k = 0; k < 200; ++k) {
      const Vec3 p = scale * random.between(0.0, 1.5) * random_direction(random);
      const Vec3 out = p.cwiseAbs() - half;
      const double to_box = out.cwiseMax(0.0).norm() + std::min(out.maxCoeff(), 0.0),
                   rounding = 1e-12 * scale;
      EXPECT_LE(of_box.at_least(p), to_box + rounding);
      EXPECT_GE(of_box.at_most(p), to_box - rounding);
      EXPECT_NEAR(of_box.at_most(p), to_box, rounding);
      const double within = p.cwiseQuotient(half).norm();
      if (within < 0.9) {
        EXPECT_LT(of_egg.at_most(p), 0.0);
      }
      if (within > 1.0) {
        EXPECT_GT(of_egg.at_most(p), 0.0);
      }
      const Vec3 beside = (p.cwiseAbs() - Vec3(scale, scale, 0)).cwiseMax(0.0);
      EXPECT_NEAR(of_floor.at_least(p), beside.norm(), rounding);
    }
  }
}

}  // namespace
}  // namespace repose::shape
