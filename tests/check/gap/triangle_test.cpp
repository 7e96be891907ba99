// Nearest points of triangles and segments against plain searches.
#include "src/check/gap/triangle.h"

#include <algorithm>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "repose/math/pose.h"

namespace repose::check {
namespace {

Vec3 draw(Random& random) {
  return {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
}

/// By halving and comparing: the point of a segment nearest to p.
Vec3 plain_on_segment(const Vec3& a, const Vec3& b, const Vec3& p) {
  const double length = (b - a).squaredNorm();
  if (length == 0.0) return a;
  return a + std::clamp((p - a).dot(b - a) / length, 0.0, 1.0) * (b - a);
}

/// Foot on the plane where it lies in the triangle, else the best of the sides.
Vec3 plain_on_triangle(const Vec3& p, const Vec3 t[3]) {
  Eigen::Matrix<double, 3, 2> m;
  m << t[1] - t[0], t[2] - t[0];
  const Vec2 x = (m.transpose() * m).fullPivLu().solve(m.transpose() * (p - t[0]));
  if (x.minCoeff() >= 0.0 && x.sum() <= 1.0) return t[0] + m * x;
  Vec3 best = t[0];
  for (int k = 0; k < 3; ++k) {
    const Vec3 q = plain_on_segment(t[k], t[(k + 1) % 3], p);
    if ((q - p).norm() < (best - p).norm()) best = q;
  }
  return best;
}

/// Alternating projections between two convex sets, each given by its nearest point.
template <class A, class B>
double plain_distance(const A& on_a, const B& on_b, Vec3 x) {
  Vec3 y = x;
  for (int k = 0; k < 600; ++k) {
    y = on_b(x);
    x = on_a(y);
  }
  return (x - y).norm();
}

bool on_segment(const Vec3& p, const Vec3& a, const Vec3& b) {
  return (plain_on_segment(a, b, p) - p).norm() < 1e-12;
}

TEST(Triangle, its_nearest_point_is_that_of_a_plain_search) {
  Random random(31);
  for (int k = 0; k < 3000; ++k) {
    Vec3 t[3] = {draw(random), draw(random), draw(random)};
    if (k % 5 == 0) t[2] = t[0] + 0.02 * draw(random) + 0.5 * (t[1] - t[0]);
    const Vec3 p = 2.0 * draw(random);
    const Vec3 got = closest_on_triangle(p, t), plain = plain_on_triangle(p, t);
    EXPECT_LT((got - plain).norm(), 1e-9);
  }
}

TEST(Triangle, flat_ones_are_segments_and_points) {
  Random random(32);
  for (int k = 0; k < 300; ++k) {
    const Vec3 a = draw(random), b = draw(random), p = 2.0 * draw(random);
    const Vec3 point[3] = {a, a, a};
    EXPECT_LT((closest_on_triangle(p, point) - a).norm(), 1e-15);
    const Vec3 line[3] = {a, b, b};
    EXPECT_LT((closest_on_triangle(p, line) - plain_on_segment(a, b, p)).norm(), 1e-12);
  }
}

TEST(Triangle, of_slivers_no_side_is_nearer_than_the_point_told) {
  Random random(35);
  for (const double thin : {0.0, 1e-17, 1e-16, 1e-15, 1e-12, 1e-9})
    for (int k = 0; k < 3000; ++k) {
      const Vec3 a = draw(random), b = draw(random), p = (k % 2 ? 1.0 : 20.0) * draw(random);
      const Vec3 c = a + random.between(-2, 2) * (b - a) + thin * draw(random);
      const Vec3 t[3] = {k % 3 == 1 ? b : a,
                         k % 3 == 1   ? a
                         : k % 3 == 2 ? c
                                      : b,
                         k % 3 == 2 ? b : c};
      const Vec3 got = closest_on_triangle(p, t);
      double sides = 1e300, off = 1e300;
      for (int i = 0; i < 3; ++i) {
        sides = std::min(sides, (plain_on_segment(t[i], t[(i + 1) % 3], p) - p).norm());
        off = std::min(off, (plain_on_segment(t[i], t[(i + 1) % 3], got) - got).norm());
      }
      EXPECT_LE((got - p).norm(), sides + 1e-12) << thin;
      EXPECT_LE(off, 2.0 * thin + 1e-14) << "not on the triangle";
    }
}

TEST(Segments, nearest_points_lie_on_them_and_are_nearest) {
  Random random(33);
  for (int k = 0; k < 2000; ++k) {
    Vec3 p1 = draw(random), q1 = draw(random), p2 = draw(random), q2 = draw(random);
    if (k % 7 == 0) q1 = p1;
    if (k % 11 == 0) q2 = p2;
    if (k % 13 == 0) q2 = p2 + (q1 - p1) * random.between(-2, 2);  // parallel
    const ClosePoints c = closest_of_segments(p1, q1, p2, q2);
    ASSERT_TRUE(on_segment(c.a, p1, q1));
    ASSERT_TRUE(on_segment(c.b, p2, q2));
    // no step along either brings them nearer
    const double d = (c.a - c.b).norm();
    EXPECT_NEAR((plain_on_segment(p1, q1, c.b) - c.b).norm(), d, 1e-9);
    EXPECT_NEAR((plain_on_segment(p2, q2, c.a) - c.a).norm(), d, 1e-9);
    for (int i = 0; i <= 20; ++i)
      EXPECT_LE(
          d, (plain_on_segment(p2, q2, p1 + (q1 - p1) * (i / 20.0)) - (p1 + (q1 - p1) * (i / 20.0)))
                     .norm() +
                 1e-12);
  }
}

TEST(Triangle, two_that_are_apart_have_the_distance_of_a_plain_search) {
  Random random(34);
  int apart = 0;
  for (int k = 0; k < 250; ++k) {
    const Vec3 a[3] = {draw(random), draw(random), draw(random)};
    const Vec3 shift = 1.2 * draw(random);
    const Vec3 b[3] = {draw(random) + shift, draw(random) + shift, draw(random) + shift};
    const ClosePoints c = closest_of_triangles(a, b);
    const double d = (c.a - c.b).norm();
    EXPECT_LT((plain_on_triangle(c.a, a) - c.a).norm(), 1e-9);
    EXPECT_LT((plain_on_triangle(c.b, b) - c.b).norm(), 1e-9);
    const double plain =
        plain_distance([&](const Vec3& p) { return plain_on_triangle(p, a); },
                       [&](const Vec3& p) { return plain_on_triangle(p, b); }, c.a);
    EXPECT_LE(d, plain + 1e-9);
    if (d > 0.0) {
      // a plane square to their difference keeps them apart
      ++apart;
      const Vec3 n = (c.b - c.a) / d;
      for (int i = 0; i < 3; ++i) {
        EXPECT_LE(n.dot(a[i] - c.a), 1e-9);
        EXPECT_GE(n.dot(b[i] - c.b), -1e-9);
      }
    }
  }
  EXPECT_GT(apart, 60);
  EXPECT_LT(apart, 240);
}

TEST(Triangle, two_that_cross_share_the_point_told) {
  const Vec3 a[3] = {Vec3(-1, -1, 0), Vec3(2, -1, 0), Vec3(-1, 2, 0)};
  Random random(35);
  for (int k = 0; k < 300; ++k) {
    // one corner of b below a's plane, two above, the edges through a's inside
    const Vec3 at(random.between(-0.6, 0.1), random.between(-0.6, 0.1), 0.0);
    Vec3 b[3] = {at + Vec3(0.1, 0.05, -0.2), at + Vec3(0.1, 0.3, 0.7), at + Vec3(0.3, -0.1, 0.4)};
    std::rotate(b, b + k % 3, b + 3);
    const ClosePoints c = k % 2 ? closest_of_triangles(a, b) : closest_of_triangles(b, a);
    ASSERT_EQ((c.a - c.b).norm(), 0.0);
    EXPECT_LT((plain_on_triangle(c.a, a) - c.a).norm(), 1e-12);
    EXPECT_LT((plain_on_triangle(c.a, b) - c.a).norm(), 1e-12);
  }
}

}  // namespace
}  // namespace repose::check
