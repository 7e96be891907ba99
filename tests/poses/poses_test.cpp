#include "repose/poses/poses.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/math/pose.h"
#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::poses {
namespace {

using namespace check;

constexpr double kPi = std::numbers::pi;

Poses poses_of(const Result<shape::ShapePtr>& shape) {
  const auto found = resting_poses(*shape, (*shape)->volume.center);
  EXPECT_TRUE(found) << found.error().text();
  return *found;
}

double total_share(const Poses& poses) {
  double sum = 0.0;
  for (const RestingPose& p : poses.poses) sum += p.share;
  return sum;
}

/// What every pose promises: it lies on z = 0 with its centre above the support, in the height it
/// says.
void expect_consistent(const Poses& poses, const shape::ShapePtr& shape) {
  EXPECT_NEAR(total_share(poses), 1.0, 1e-9);
  for (const RestingPose& p : poses.poses) {
    EXPECT_LT((p.orientation * p.down_body + Vec3::UnitZ()).norm(), 1e-9);
    for (const Vec3& x : p.support_body)
      EXPECT_NEAR((p.orientation * (x - shape->volume.center)).z(), -p.height,
                  1e-8 * shape->bounding_radius);
    EXPECT_GT(p.barrier, 0.0);
  }
}

TEST(Poses, a_cube_has_six_of_equal_share) {
  const auto cube = shape::make_box({Vec3(2, 2, 2)});
  const Poses found = poses_of(cube);
  ASSERT_EQ(found.poses.size(), 6u);
  EXPECT_TRUE(found.exact);
  expect_consistent(found, *cube);
  for (const RestingPose& p : found.poses) {
    EXPECT_NEAR(p.height, 1.0, 1e-14);
    EXPECT_NEAR(p.share, 1.0 / 6.0, 1e-12);
    EXPECT_NEAR(p.barrier, std::sqrt(2.0) - 1.0, 1e-12);
    EXPECT_NEAR(p.tilt, kPi / 4, 1e-12);
    EXPECT_EQ(p.contact, SupportKind::area);
    EXPECT_NEAR(p.support_area, 4.0, 1e-12);
    EXPECT_EQ(p.rolling, Rolling::none);
  }
}

TEST(Poses, a_regular_tetrahedron_has_four) {
  const auto shape =
      shape::make_convex({{Vec3(1, 1, 1), Vec3(1, -1, -1), Vec3(-1, 1, -1), Vec3(-1, -1, 1)}, {}});
  const Poses found = poses_of(shape);
  ASSERT_EQ(found.poses.size(), 4u);
  expect_consistent(found, *shape);
  for (const RestingPose& p : found.poses) {
    EXPECT_NEAR(p.height, 1.0 / std::sqrt(3.0), 1e-13);  // a third of the circumradius sqrt 3
    EXPECT_NEAR(p.share, 0.25, 1e-12);
    EXPECT_NEAR(p.barrier, 1.0 - 1.0 / std::sqrt(3.0), 1e-12);  // an edge's middle is 1 away
    EXPECT_EQ(p.support_body.size(), 3u);
  }
}

TEST(Poses, a_bricks_shares_are_the_solid_angles_of_its_faces) {
  // from the centre every basin is bounded by the planes through centre and edges
  const Vec3 size(1, 2, 3.5);
  const auto brick = shape::make_box({size});
  const Poses found = poses_of(brick);
  ASSERT_EQ(found.poses.size(), 6u);
  expect_consistent(found, *brick);
  for (const RestingPose& p : found.poses) {
    int axis = 0;
    p.down_body.cwiseAbs().maxCoeff(&axis);
    const double a = size[axis], b = size[(axis + 1) % 3], c = size[(axis + 2) % 3];
    const double angle = 4.0 * std::atan(b * c / (a * size.norm()));
    EXPECT_NEAR(p.share, angle / (4.0 * kPi), 1e-12);
    EXPECT_NEAR(p.height, 0.5 * a, 1e-14);
    EXPECT_NEAR(p.barrier, 0.5 * (std::hypot(a, std::min(b, c)) - a), 1e-12);
  }
}

TEST(Poses, the_answer_turns_and_scales_with_the_body) {
  Random random(5);
  std::vector<Vec3> points;
  for (int k = 0; k < 40; ++k) {
    const Vec3 d = random_direction(random);
    points.push_back(d.cwiseProduct(Vec3(1.0, 0.7, 0.5)));
  }
  const Poses plain = poses_of(shape::make_convex({points, {}}));
  for (const double scale : {1e-3, 1e3}) {
    const Quat q = random_rotation(random);
    std::vector<Vec3> moved;
    for (const Vec3& p : points) moved.push_back(scale * (q * p + Vec3(0.1, -0.2, 0.3)));
    const Poses turned = poses_of(shape::make_convex({moved, {}}));
    ASSERT_EQ(turned.poses.size(), plain.poses.size());
    for (std::size_t k = 0; k < plain.poses.size(); ++k) {
      EXPECT_NEAR(turned.poses[k].height, scale * plain.poses[k].height, 1e-10 * scale);
      EXPECT_NEAR(turned.poses[k].share, plain.poses[k].share, 1e-9);
      EXPECT_NEAR(turned.poses[k].barrier, scale * plain.poses[k].barrier, 1e-9 * scale);
      EXPECT_LT((turned.poses[k].down_body - q * plain.poses[k].down_body).norm(), 1e-9);
    }
  }
}

/// An L of three cubes: the prism over (0,0) (2,0) (2,1) (1,1) (1,2) (0,2).
shape::TriangleMesh ell(double thickness) {
  const std::vector<Vec2> outline{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  shape::TriangleMesh mesh;
  for (const double z : {0.0, thickness})
    for (const Vec2& p : outline) mesh.points.push_back({p.x(), p.y(), z});
  for (int k = 0; k < 6; ++k) {
    const int next = (k + 1) % 6;
    mesh.triangles.push_back({k, next, next + 6});
    mesh.triangles.push_back({k, next + 6, k + 6});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}}) {
    mesh.triangles.push_back({a, c, b});
    mesh.triangles.push_back({a + 6, b + 6, c + 6});
  }
  return mesh;
}

TEST(Poses, a_mesh_that_is_not_convex_rests_on_its_hull) {
  const double t = 1.1;
  const auto shape = shape::make_mesh({ell(t)});
  const Poses found = poses_of(shape);
  expect_consistent(found, *shape);
  ASSERT_EQ(found.poses.size(), 7u);
  // two flat, two on the long sides, two on the ends, one across the notch
  std::vector<double> heights{
      0.5 * t, 0.5 * t, 5.0 / 6, 5.0 / 6, 7.0 / 6, 7.0 / 6.0, (3.0 - 5.0 / 3) / std::sqrt(2.0)};
  std::vector<double> got;
  for (const RestingPose& p : found.poses) got.push_back(p.height);
  std::sort(heights.begin(), heights.end());
  std::sort(got.begin(), got.end());
  for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], heights[k], 1e-12);
}

/// Plain descent of the height by small steps from u: which of the poses it ends in.
std::size_t plain_descent(const std::vector<Vec3>& points, const Vec3& center, Vec3 u,
                          const Poses& poses) {
  for (double step = 0.02; step > 1e-4; step *= 0.995) {
    Vec3 top = points[0] - center;
    for (const Vec3& p : points)
      if (u.dot(p - center) > u.dot(top)) top = p - center;
    const Vec3 down = top.dot(u) * u - top;
    u = (u + step * down).normalized();
  }
  std::size_t best = 0;
  for (std::size_t k = 0; k < poses.poses.size(); ++k)
    if (u.dot(poses.poses[k].down_body) > u.dot(poses.poses[best].down_body)) best = k;
  return best;
}

TEST(Poses, shares_agree_with_many_plain_descents) {
  const auto shape = shape::make_mesh({ell(0.8)});
  const Poses found = poses_of(shape);
  Random random(11);
  constexpr int kTries = 3000;
  std::vector<int> hits(found.poses.size(), 0);
  const auto& points = std::get<shape::TriangleMesh>((*shape)->geometry).points;
  for (int k = 0; k < kTries; ++k)
    ++hits[plain_descent(points, (*shape)->volume.center, random_direction(random), found)];
  for (std::size_t k = 0; k < hits.size(); ++k) {
    const double p = found.poses[k].share;
    EXPECT_NEAR(hits[k] / double(kTries), p, 4.0 * std::sqrt(p * (1 - p) / kTries) + 2e-3)
        << "pose " << k;
  }
}

TEST(Poses, a_body_with_one_stable_face_tips_home_from_everywhere) {
  // a long slanted prism whose centre hangs over one side only: the others tip onto the next
  const auto lean =
      shape::make_convex({{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0),
                           Vec3(2, 0, 1), Vec3(3, 0, 1), Vec3(3, 1, 1), Vec3(2, 1, 1)},
                          {}});
  const Poses found = poses_of(lean);
  expect_consistent(found, *lean);
  for (const RestingPose& p : found.poses)  // neither of the small ends holds it
    EXPECT_LT(std::fabs(p.down_body.z()), 0.99);
}

TEST(Poses, an_ellipsoid_rests_on_its_shortest_axis) {
  const auto shape = shape::make_ellipsoid({Vec3(3, 2, 1)});
  const Poses found = poses_of(shape);
  ASSERT_EQ(found.poses.size(), 2u);
  expect_consistent(found, *shape);
  for (const RestingPose& p : found.poses) {
    EXPECT_NEAR(p.height, 1.0, 1e-9);
    EXPECT_LT(p.height_error, 1e-8);
    EXPECT_NEAR(std::fabs(p.down_body.z()), 1.0, 1e-9);
    EXPECT_NEAR(p.share, 0.5, 5e-3);
    EXPECT_NEAR(p.barrier, 1.0, 1e-2);
    EXPECT_EQ(p.contact, SupportKind::point);
    EXPECT_LT((p.support_body[0] - p.down_body).norm(), 1e-4);
  }
}

TEST(Poses, a_hemisphere_rests_on_its_dome_and_on_its_face) {
  // a spline through points of the circle: within 1e-5 of it
  shape::RevolutionInput in;
  constexpr int kPoints = 48;
  in.profile.push_back({0, 0});
  for (int k = 0; k <= kPoints; ++k) {
    const double t = 0.5 * kPi * k / kPoints;
    in.profile.push_back({k == kPoints ? 0.0 : std::cos(t), std::sin(t)});
  }
  in.corners = {1};
  const auto shape = shape::make_revolution(in);
  ASSERT_TRUE(shape) << shape.error().text();
  const Poses found = poses_of(shape);
  ASSERT_EQ(found.poses.size(), 2u);
  const double face_share = 0.5 * (1.0 - 3.0 / std::sqrt(73.0));  // a cap of angle atan(8/3)
  const RestingPose &dome = found.poses[0], &face = found.poses[1];
  EXPECT_NEAR(dome.height, 5.0 / 8, 2e-5);
  EXPECT_NEAR(face.height, 3.0 / 8, 2e-5);
  EXPECT_NEAR(face.share, face_share, 2e-3);
  EXPECT_NEAR(dome.share, 1.0 - face_share, 2e-3);
  EXPECT_LT(dome.support_area, 1e-3 * kPi);
  EXPECT_EQ(face.contact, SupportKind::area);
  EXPECT_NEAR(face.barrier, std::sqrt(73.0) / 8 - 3.0 / 8, 2e-3);
  EXPECT_NEAR(face.tilt, std::atan(8.0 / 3), 2e-2);
}

TEST(Poses, a_cylinder_stands_on_its_ends_and_rolls_on_its_side) {
  const double r = 0.5, height = 1.4;
  const auto shape = shape::make_cylinder({r, height});
  const Poses found = poses_of(shape);
  ASSERT_EQ(found.poses.size(), 3u);
  const double side_share = height / std::hypot(height, 2.0 * r);
  int rolls = 0;
  for (const RestingPose& p : found.poses) {
    if (p.rolling == Rolling::none) {
      EXPECT_NEAR(p.share, 0.5 * (1.0 - side_share), 2e-3);
      EXPECT_NEAR(p.height, 0.5 * height, 1e-9);
      EXPECT_EQ(p.contact, SupportKind::area);
      continue;
    }
    ++rolls;
    EXPECT_EQ(p.rolling, Rolling::about_axis);
    EXPECT_GT(std::fabs(p.rolling_axis_body.z()), 0.999);
    EXPECT_NEAR(p.share, side_share, 2e-3);
    EXPECT_NEAR(p.height, r, 1e-9);
    EXPECT_EQ(p.contact, SupportKind::edge);
  }
  EXPECT_EQ(rolls, 1);
}

TEST(Poses, a_torus_lies_flat_and_a_ball_lies_anyhow) {
  const auto ring = poses_of(shape::make_torus({1.0, 0.25}));
  ASSERT_EQ(ring.poses.size(), 2u);
  for (const RestingPose& p : ring.poses) {
    EXPECT_NEAR(p.height, 0.25, 1e-9);
    EXPECT_NEAR(p.share, 0.5, 5e-3);
    EXPECT_EQ(p.contact, SupportKind::area);
    EXPECT_NEAR(p.support_area, kPi, 0.1);
  }
  const auto ball = poses_of(shape::make_ball({0.3}));
  ASSERT_EQ(ball.poses.size(), 1u);
  EXPECT_EQ(ball.poses[0].height, 0.3);
  EXPECT_EQ(ball.poses[0].rolling, Rolling::anywhere);
  EXPECT_EQ(ball.poses[0].share, 1.0);
  EXPECT_EQ(ball.poses[0].barrier, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(ball.exact);
}

TEST(Poses, bodies_without_poses_say_so) {
  EXPECT_FALSE(resting_poses(*shape::make_half_space(), Vec3::Zero()));
  const auto outside = resting_poses(*shape::make_box({Vec3(1, 1, 1)}), Vec3(0, 0, 2));
  ASSERT_FALSE(outside);
  EXPECT_NE(outside.error().wrong.find("outside"), std::string::npos);
}

TEST(Poses, of_nearly_round_eggs_are_their_short_axis_both_ways) {
  for (const double more : {0.01, 0.1}) {
    const auto egg = shape::make_ellipsoid({Vec3(1.0 + more, 1.0, 1.0 + 2.0 * more)});
    const Poses found = poses_of(egg);
    ASSERT_EQ(found.poses.size(), 2u) << more;
    for (const RestingPose& p : found.poses) {
      EXPECT_NEAR(std::fabs(p.down_body.y()), 1.0, 1e-9) << more;
      EXPECT_LE(std::fabs(p.height - 1.0), p.height_error) << more;
      // no less than a height in doubles is off by
      EXPECT_GE(p.height_error, 2.0 * std::numeric_limits<double>::epsilon()) << more;
      EXPECT_LT(p.height_error, 1e-8) << more;
      EXPECT_NEAR(p.share, 0.5, 1e-2) << more;
    }
  }
}

}  // namespace
}  // namespace repose::poses
