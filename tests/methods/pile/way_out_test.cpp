#include "src/methods/pile/way_out.h"

#include <random>

#include <gtest/gtest.h>

#include "repose/shape/make.h"

#include "src/methods/pile/nearest.h"

namespace repose::pile {
namespace {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 vector(double low, double high) {
    return {number(low, high), number(low, high), number(low, high)};
  }
  Pose pose(double reach) {
    Quat turn(number(-1, 1), number(-1, 1), number(-1, 1), number(-1, 1));
    return {vector(-reach, reach), turn.normalized()};
  }

 private:
  std::mt19937 random_;
};

Convex box(const Vec3& size) {
  const auto shape = shape::make_box({size});
  EXPECT_TRUE(shape);
  return convex_pieces(**shape).front();
}

/// Least depth over the normals of both boxes and the products of their edges: exact.
double least_depth(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b) {
  double out = 1e9;
  const auto attempt = [&](const Vec3& way) {
    if (way.norm() < 1e-9) return;
    for (const double side : {1.0, -1.0})
      out = std::min(out, -slab_between(a, pose_a, b, pose_b, side * way.normalized()));
  };
  for (int i = 0; i < 3; ++i) {
    attempt(pose_a.turn(Vec3::Unit(i)));
    attempt(pose_b.turn(Vec3::Unit(i)));
    for (int j = 0; j < 3; ++j)
      attempt(pose_a.turn(Vec3::Unit(i)).cross(pose_b.turn(Vec3::Unit(j))));
  }
  return out;
}

TEST(WayOut, boxes_leave_each_other_by_the_shortest_way) {
  Draw draw(5);
  int overlapping = 0;
  for (int k = 0; k < 400; ++k) {
    const Convex a = box(draw.vector(0.2, 2.0)), b = box(draw.vector(0.2, 2.0));
    const Pose pose_a = draw.pose(0.5), pose_b = draw.pose(0.5);
    const double least = least_depth(a, pose_a, b, pose_b);
    if (!(least > 0.0)) continue;
    ++overlapping;
    const WayOut found = shortest_way_out(a, pose_a, b, pose_b);
    EXPECT_LE(found.depth, 1.002 * least) << k;
    EXPECT_GE(found.depth, least * (1.0 - 1e-9)) << k;
    EXPECT_NEAR(slab_between(a, pose_a, b, pose_b, found.normal), -found.depth, 1e-12);
  }
  EXPECT_GT(overlapping, 100);
}

TEST(WayOut, a_flat_piece_is_left_across_it) {
  const Convex flat = polygon_piece({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}});
  const Convex cube = box({0.2, 0.2, 0.2});
  const WayOut found = shortest_way_out(flat, {}, cube, {{0.3, 0.2, 0.07}, Quat::Identity()});
  EXPECT_NEAR(found.depth, 0.03, 1e-4);
  EXPECT_NEAR(found.normal.z(), 1.0, 1e-3);
}

}  // namespace
}  // namespace repose::pile
