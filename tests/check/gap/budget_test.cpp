// What a search that ran out of budget may still say.
#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "check/shapes.h"
#include "check/sweep_bodies.h"

namespace repose::check {
namespace {

/// A vase with a flat foot of radius 0.6 at z = 0.
shape::ShapePtr vase() {
  shape::RevolutionInput in;
  in.profile = {Vec2(0.6, 0), Vec2(0.9, 0.5), Vec2(0.4, 1.1), Vec2(0.5, 1.5), Vec2(0, 1.6)};
  in.corners = {0, 3};
  return shape::make_revolution(in).value();
}

/// Bodies with a flat face at z = 0 that lie above it.
std::vector<std::pair<std::string, shape::ShapePtr>> standing() {
  const auto box = box_mesh(Vec3(1, 1, 1));
  auto mesh_points = std::get<shape::TriangleMesh>(box->geometry);
  for (Vec3& p : mesh_points.points) p.z() += 0.5;
  return {{"cone", shape::make_cone({0.7, 0.8, 0.0}).value()},
          {"vase", vase()},
          {"mesh", mesh(mesh_points.points, mesh_points.triangles)}};
}

TEST(Budget, a_bracket_holds_however_early_the_search_ends) {
  Random random(31);
  const auto bodies = standing();
  int judged = 0;
  for (const double depth : {0.0, 3e-7})
    for (const auto& [name, shape] : bodies) {
      // the vase's foot on the other's base, upside down and a little sunk in
      const Quat over = rotation_from_vector(Vec3(std::numbers::pi, 0, 0));
      const Quat turn = random_rotation(random);
      const Vec3 aside(0.2, 0.1, depth);
      const PlacedBody a = at(vase(), Vec3::Zero(), turn);
      const PlacedBody b = at(shape, turn * aside, turn * over);
      for (const double width : {1e-6, 1e-9})
        for (const int budget : {100, 1000, 10'000, 100'000}) {
          const GapBracket g = gap(a, b, {.width = width, .budget = budget});
          EXPECT_LE(g.lower, -depth + 1e-13)
              << name << " " << depth << " " << width << " " << budget;
          EXPECT_LE(-depth - 1e-13, g.upper)
              << name << " " << depth << " " << width << " " << budget;
          ++judged;
        }
    }
  EXPECT_EQ(judged, 48);
}

TEST(Budget, an_interrupted_pair_ends_at_once_and_its_bracket_holds) {
  // a ring about the waist of an egg, touching all round
  const PlacedBody a = at(ellipsoid(Vec3(1, 1, 2)), Vec3::Zero());
  const PlacedBody b = at(torus(1.25, 0.25), Vec3::Zero());
  const std::atomic<bool> stop = true;
  const GapBracket g = gap(a, b, {.width = 1e-9, .interrupt = &stop});
  EXPECT_EQ(g.status, GapStatus::undecided);
  EXPECT_LE(g.lower, 0.0);
  EXPECT_GE(g.upper, 0.0);
  EXPECT_LT(g.tests, 4000);
}

}  // namespace
}  // namespace repose::check
