// Bodies sewn from patches whose edges stand apart by the sewing gap: what goes in through such a
// slit meets no face, and is not free for that.
#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kSlit = 0.008;  // of the cube's side

/// A cube over [0, 1]^3 whose side at x = 0 stands off by the slit.
shape::ShapePtr open_cube(double scale) {
  shape::BezierInput in;
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      in.patches.emplace_back();
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          Vec3& p = in.patches.back()[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
          p[axis] = scale * side;
          p[(axis + 1) % 3] = scale * i / 3.0;
          p[(axis + 2) % 3] = scale * j / 3.0;
          if (axis == 0 && side == 0) p[0] -= scale * kSlit;
        }
    }
  in.sew.gap_fraction = kSlit;
  return shape::make_bezier(in).value();
}

/// In the cube's numbers.
struct Placed {
  const char* what;
  shape::ShapePtr shape;
  Vec3 at;
  Quat turn = Quat::Identity();
};

GapBracket gap_beside(const shape::ShapePtr& cube, const Placed& p, double scale, const Pose& by) {
  PlacedBody body = at(p.shape, scale * p.at, p.turn), open = at(cube, Vec3::Zero());
  body.world_from_body = by * body.world_from_body;
  open.world_from_body = by * open.world_from_body;
  const GapBracket g = gap(open, body), h = gap(body, open);
  EXPECT_EQ(g.lower >= 0.0, h.lower >= 0.0) << p.what;
  return g;
}

TEST(Slits, what_is_thin_enough_to_go_in_is_not_proven_free) {
  Random random(281);
  for (const double s : {1e-3, 1.0, 1e3}) {
    const auto cube = open_cube(s);
    // along y through the slit, leaning so that its tip lies within the cube
    const Quat lean = rotation_from_vector(Vec3(0, 0, -0.0175));
    const Quat upright = lean * rotation_from_vector(Vec3(-0.5 * std::numbers::pi, 0, 0));
    const Vec3 through(-0.004, 0.1, 0.5);
    const double thin = 0.002 * s, longer = 0.9 * s;
    const std::vector<Placed> all = {
        {"box", shape::make_box({Vec3(2 * thin, longer, 2 * thin)}).value(), through, lean},
        {"plate", shape::make_box({Vec3(2 * thin, longer, 0.3 * s)}).value(), through, lean},
        {"mesh", box_mesh(Vec3(2 * thin, longer, 2 * thin)), through, lean},
        {"cylinder", shape::make_cylinder({thin, longer}).value(), through, upright},
        {"capsule", shape::make_capsule({thin, longer}).value(), through, upright},
        {"egg", shape::make_ellipsoid({Vec3(thin, 0.5 * longer, thin)}).value(), through, lean},
        {"ball", ball(0.5 * thin), Vec3(-0.004, 0.0, 0.5)}};
    for (const Placed& p : all)
      for (int k = 0; k < 3; ++k) {
        const Pose by =
            k == 0 ? Pose{} : Pose{s * random_direction(random), random_rotation(random)};
        EXPECT_LT(gap_beside(cube, p, s, by).lower, 0.0) << p.what << " at scale " << s;
      }
  }
}

TEST(Slits, what_is_thick_or_keeps_away_is_free_all_the_same) {
  Random random(282);
  for (const double s : {1e-3, 1.0, 1e3}) {
    const auto cube = open_cube(s);
    const double thin = 0.002 * s;
    const std::vector<Placed> all = {
        {"ball before the slit", ball(0.9 * s), Vec3(-0.004, -0.901, 0.5)},
        {"box before the slit", shape::make_box({s * Vec3(2, 1, 2)}).value(), Vec3(0, -0.501, 0)},
        {"needle far from every seam", shape::make_box({Vec3(2 * thin, 0.5 * s, 2 * thin)}).value(),
         Vec3(0.5, -0.251, 0.5)},
        {"needle before the slit", shape::make_capsule({thin, 0.5 * s}).value(),
         Vec3(-0.3, 0.5, 0.5)}};
    for (const Placed& p : all)
      for (int k = 0; k < 3; ++k) {
        const Pose by =
            k == 0 ? Pose{} : Pose{s * random_direction(random), random_rotation(random)};
        EXPECT_GT(gap_beside(cube, p, s, by).lower, 0.0) << p.what << " at scale " << s;
      }
  }
}

}  // namespace
}  // namespace repose::check
