// The distance of convex sets given by their farthest points, against its certificate.
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include "repose/math/pose.h"

#include "src/check/gap/gjk_loop.h"

namespace repose::check {
namespace {

using Cloud = std::vector<Vec3>;

Cloud cloud(Random& random, int count, const Vec3& middle) {
  Cloud out;
  for (int k = 0; k < count; ++k)
    out.push_back(middle +
                  Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)));
  return out;
}
Vec3 farthest(const Cloud& c, const Vec3& d) {
  Vec3 best = c[0];
  for (const Vec3& p : c)
    if (d.dot(p) > d.dot(best)) best = p;
  return best;
}
CoreDistance distance(const Cloud& a, const Cloud& b, double enough = 1e300) {
  return gjk([&](const Vec3& d) { return farthest(a, d); },
             [&](const Vec3& d) { return farthest(b, -d); }, b[0] - a[0], 1e-13, enough, 1e-13);
}
/// p is a mixture of the cloud's points: no direction tells it apart.
bool in_hull(const Cloud& c, const Vec3& p, Random& random) {
  for (int k = 0; k < 60; ++k) {
    const Vec3 d = random_direction(random);
    if (d.dot(p) > d.dot(farthest(c, d)) + 1e-12) return false;
  }
  return true;
}

TEST(Gjk, hulls_apart_have_nearest_points_and_a_plane_between_them) {
  Random random(41);
  int apart = 0;
  for (int k = 0; k < 1500; ++k) {
    const Cloud a = cloud(random, 1 + k % 9, Vec3::Zero());
    const Cloud b =
        cloud(random, 1 + k / 9 % 9, random.between(0.5, 4.0) * random_direction(random));
    const CoreDistance c = distance(a, b);
    if (c.meet) {
      EXPECT_LE(c.upper, 1e-13);  // what was asked to count as none
      EXPECT_LE(c.lower, 1e-12);
      continue;
    }
    ++apart;
    EXPECT_NEAR(c.direction.norm(), 1.0, 1e-14);
    EXPECT_NEAR(c.upper, (c.point_b - c.point_a).norm(), 1e-12);
    EXPECT_NEAR(c.lower, c.direction.dot(farthest(b, -c.direction) - farthest(a, c.direction)),
                1e-13);
    EXPECT_LE(c.lower, c.upper + 1e-13);
    EXPECT_LT(c.upper - c.lower, 1e-7) << k;
    EXPECT_TRUE(in_hull(a, c.point_a, random));
    EXPECT_TRUE(in_hull(b, c.point_b, random));
  }
  EXPECT_GT(apart, 500);
  EXPECT_LT(apart, 1400);
}

TEST(Gjk, hulls_that_share_a_point_are_known_to) {
  Random random(42);
  for (int k = 0; k < 400; ++k) {
    const Cloud a = cloud(random, 4 + k % 6, Vec3::Zero());
    // both hold the mixture of a's points
    Vec3 inside = Vec3::Zero();
    for (const Vec3& p : a) inside += p / static_cast<double>(a.size());
    Cloud b = cloud(random, 4, Vec3::Zero());
    Vec3 middle = Vec3::Zero();
    for (const Vec3& p : b) middle += p / static_cast<double>(b.size());
    for (Vec3& p : b) p += inside - middle;
    const CoreDistance c = distance(a, b);
    EXPECT_TRUE(c.meet || c.upper < 1e-12) << k << ' ' << c.upper;
    if (c.meet) {
      EXPECT_LT((c.point_a - c.point_b).norm(), 1e-12);
    }
    EXPECT_TRUE(in_hull(a, c.point_a, random));
    EXPECT_TRUE(in_hull(b, c.point_b, random));
  }
}

TEST(Gjk, it_stops_as_soon_as_enough_is_proven) {
  const Cloud a{Vec3(0, 0, 0), Vec3(1, 0, 0)}, b{Vec3(0, 5, 0), Vec3(1, 5, 1)};
  const CoreDistance c = distance(a, b, 1.0);
  EXPECT_GE(c.lower, 1.0);
  EXPECT_FALSE(c.meet);
}

/// The least of |sum w_i p_i| over mixtures, by trying every subset that is a face.
double plain_nearest(const std::vector<Vec3>& p) {
  double least = 1e300;
  const auto count = static_cast<int>(p.size());
  for (int set = 1; set < 1 << count; ++set) {
    std::vector<Vec3> q;
    for (int i = 0; i < count; ++i)
      if (set >> i & 1) q.push_back(p[static_cast<std::size_t>(i)]);
    // stationary mixture: G w = m 1, sum w = 1
    const auto n = static_cast<Eigen::Index>(q.size());
    Eigen::MatrixXd m = Eigen::MatrixXd::Ones(n + 1, n + 1);
    m(n, n) = 0.0;
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j)
        m(i, j) = q[static_cast<std::size_t>(i)].dot(q[static_cast<std::size_t>(j)]);
    const Eigen::VectorXd w = m.fullPivLu().solve(Eigen::VectorXd::Unit(n + 1, n)).head(n);
    if (w.minCoeff() < -1e-12 || std::fabs(w.sum() - 1.0) > 1e-9) continue;
    Vec3 at = Vec3::Zero();
    for (Eigen::Index i = 0; i < n; ++i) at += w[i] * q[static_cast<std::size_t>(i)];
    least = std::min(least, at.norm());
  }
  return least;
}

TEST(GjkSimplex, each_point_added_brings_the_nearest_one_of_all) {
  Random random(43);
  int full = 0;
  for (int k = 0; k < 800; ++k) {
    const Vec3 off = random.between(0.0, 1.0) * random_direction(random);
    GjkSimplex s;
    std::vector<Vec3> given;
    for (int i = 0; i < 4; ++i) {
      const Vec3 b =
          off + Vec3(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
      const Vec3 a(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
      const double before = i ? s.nearest().norm() : 1e300;
      const bool nearer = s.add(a, a + b);
      if (!nearer) {
        EXPECT_EQ(s.nearest().norm(), before);
        break;
      }
      given.push_back(b);
      EXPECT_LT(s.nearest().norm(), before);
      EXPECT_LT((s.point_b() - s.point_a() - s.nearest()).norm(), 1e-12);
      // the newest point, edges, triangles and the whole with it; corners left out before are not
      // needed for what is nearest as long as each step finds the true nearest
      if (i == 0 || s.full()) {
        EXPECT_NEAR(s.nearest().norm(), plain_nearest(given), 1e-9);
      }
    }
    full += s.full();
  }
  EXPECT_GT(full, 20);
}

}  // namespace
}  // namespace repose::check
