// Placed points against whole numbers, and what two triangles share.
#include "src/check/exact/exact_triangles.h"

#include <gtest/gtest.h>

#include "check/items.h"
#include "math/exact_points.h"
#include "src/check/exact/exact_point.h"

namespace repose::check {
namespace {

/// Whole coordinates (x, y, z, w) of a point of a in the frame of b.
std::array<Integer, 4> plain_place(const PlacedBody& b, const PlacedBody& a, const Vec3& x) {
  const auto norm = [](const Quat& q) {
    const Integer c[4] = {Integer(q.w()), Integer(q.x()), Integer(q.y()), Integer(q.z())};
    return c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3];
  };
  // q (0, x) q* by quaternion products
  using Q = std::array<Integer, 4>;
  const auto times = [](const Q& p, const Q& q) {
    return Q{p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
             p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
             p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
             p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
  };
  const auto of = [](const Quat& q) {
    return Q{Integer(q.w()), Integer(q.x()), Integer(q.y()), Integer(q.z())};
  };
  const auto back = [](const Q& q) { return Q{q[0], -q[1], -q[2], -q[3]}; };
  const Q qa = of(a.world_from_body.rotation), qb = of(b.world_from_body.rotation);
  Q p = times(times(qa, Q{Integer(), Integer(x.x()), Integer(x.y()), Integer(x.z())}), back(qa));
  const Integer wa = norm(a.world_from_body.rotation);
  for (int k = 0; k < 3; ++k)
    p[static_cast<std::size_t>(k) + 1] =
        p[static_cast<std::size_t>(k) + 1] +
        wa * (Integer(a.world_from_body.position[k]) - Integer(b.world_from_body.position[k]));
  p = times(times(back(qb), p), qb);
  return {p[1], p[2], p[3], wa * norm(b.world_from_body.rotation) * Integer(1.0)};
}

TEST(ExactPoint, a_sign_out_of_range_is_in_doubt) {
  Doubts doubts;
  EXPECT_EQ(doubts.sign(Exact(-2.0)), -1);
  EXPECT_FALSE(doubts.any);
  EXPECT_EQ(doubts.sign(Exact(0x1p-500) * Exact(0x1p-490)), 1);
  EXPECT_TRUE(doubts.any);
}

TEST(ExactPoint, placed_points_are_where_whole_numbers_put_them) {
  for (const double scale : kScales) {
    Random random(23);
    for (int k = 0; k < 40; ++k) {
      const PlacedBody a = at(ball(scale), grid_point(random, scale), random_rotation(random));
      const PlacedBody b = at(ball(scale), grid_point(random, scale), random_rotation(random));
      const Vec3 x = grid_point(random, scale);
      const ExactPoint p = ExactFrame(b, a) * x;
      const auto plain = plain_place(b, a, x);
      EXPECT_LE((p.rounded - b.world_from_body.inverse() * (a.world_from_body * x)).norm(),
                1e-14 * scale);
      for (std::size_t i = 0; i < 3; ++i) {
        // (value / weight - rounded) and whether it lies within the error
        const auto at_k = static_cast<Eigen::Index>(i);
        for (const double probe :
             {p.rounded[at_k], p.rounded[at_k] + p.error, p.rounded[at_k] - p.error, 0.0}) {
          const int sign = (p.at[i] - p.at[3] * probe).sign();
          EXPECT_EQ(sign, (plain[i] * Integer(1.0) - plain[3] * Integer(probe)).sign());
        }
        EXPECT_GT((p.at[i] - p.at[3] * (p.rounded[at_k] - p.error)).sign(), 0);
        EXPECT_LT((p.at[i] - p.at[3] * (p.rounded[at_k] + p.error)).sign(), 0);
      }
    }
  }
}

ExactTriangle triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  Doubts doubts;
  return {ExactPoint(a), ExactPoint(b), ExactPoint(c), doubts};
}
TriangleContact met(const ExactTriangle& a, const ExactTriangle& b) {
  Doubts doubts;
  TriangleContact out = meet(a, b, doubts);
  EXPECT_FALSE(doubts.any);
  return out;
}

TEST(ExactTriangles, what_two_share_is_told_by_kind_and_corners) {
  using Kind = TriangleContact::Kind;
  const double kUp = 0x1p-60;
  for (const double s : kScales) {
    const auto at_scale = [&](double x, double y, double z) { return Vec3(s * x, s * y, s * z); };
    const ExactTriangle floor = triangle(at_scale(0, 0, 0), at_scale(4, 0, 0), at_scale(0, 4, 0));
    const auto standing = [&](double low) {
      return triangle(at_scale(1, 1, low), at_scale(1, 1, 2), at_scale(1, -3, 2));
    };
    EXPECT_EQ(met(standing(kUp), floor).kind, Kind::apart);
    EXPECT_EQ(met(floor, standing(kUp)).kind, Kind::apart);
    EXPECT_EQ(met(standing(-kUp), floor).kind, Kind::crossing);
    EXPECT_EQ(met(floor, standing(-kUp)).kind, Kind::crossing);
    const TriangleContact foot = met(standing(0), floor);
    ASSERT_EQ(foot.kind, Kind::touching);
    ASSERT_EQ(foot.points.size(), 1u);
    EXPECT_EQ(foot.points[0].rounded, at_scale(1, 1, 0));
    // a side in the floor: what of it lies on the floor
    const TriangleContact side =
        met(floor, triangle(at_scale(1, 1, 0), at_scale(1, -3, 0), at_scale(1, 0, 5)));
    ASSERT_EQ(side.kind, Kind::touching);
    ASSERT_EQ(side.points.size(), 2u);
    EXPECT_EQ(side.points[0].rounded, at_scale(1, 0, 0));
    EXPECT_EQ(side.points[1].rounded, at_scale(1, 1, 0));
    // its line passes the triangle by
    EXPECT_EQ(met(floor, triangle(at_scale(3, 3, -1), at_scale(3, 3, 1), at_scale(4, 4, 0))).kind,
              Kind::apart);
    // an area, and which way it looks
    const ExactTriangle over = triangle(at_scale(1, 1, 0), at_scale(5, 1, 0), at_scale(1, 5, 0));
    const ExactTriangle back = triangle(at_scale(1, 1, 0), at_scale(1, 5, 0), at_scale(5, 1, 0));
    EXPECT_EQ(met(over, floor).kind, Kind::same_area);
    EXPECT_EQ(met(floor, over).kind, Kind::same_area);
    const TriangleContact area = met(back, floor);
    ASSERT_EQ(area.kind, Kind::back_area);
    // corners (1,1), (3,1), (1,3)
    Vec3 low = area.points[0].rounded, high = low, sum = Vec3::Zero();
    Doubts doubts;
    std::vector<ExactPoint> different;
    for (const ExactPoint& p : area.points) {
      if (std::any_of(different.begin(), different.end(),
                      [&](const ExactPoint& q) { return compare(p, q, doubts) == 0; }))
        continue;
      different.push_back(p);
      low = low.cwiseMin(p.rounded);
      high = high.cwiseMax(p.rounded);
      sum += p.rounded;
    }
    EXPECT_EQ(different.size(), 3u);
    EXPECT_LE((low - at_scale(1, 1, 0)).norm(), 1e-15 * s);
    EXPECT_LE((high - at_scale(3, 3, 0)).norm(), 1e-15 * s);
    EXPECT_LE((sum - at_scale(5, 5, 0)).norm(), 1e-15 * s);
    // in one plane: a side shared, a corner shared, nothing shared
    EXPECT_EQ(met(floor, triangle(at_scale(0, 0, 0), at_scale(0, -4, 0), at_scale(4, 0, 0))).kind,
              Kind::touching);
    EXPECT_EQ(met(floor, triangle(at_scale(0, 0, 0), at_scale(-4, 0, 0), at_scale(0, -4, 0))).kind,
              Kind::touching);
    EXPECT_EQ(
        met(floor, triangle(at_scale(-kUp, 0, 0), at_scale(-4, 0, 0), at_scale(0, -4, 0))).kind,
        Kind::apart);
  }
}

TEST(ExactTriangles, random_ones_of_a_grid_cross_where_sides_pierce_insides) {
  using Kind = TriangleContact::Kind;
  Random random(61);
  int crossing = 0, apart = 0, touching = 0;
  for (int k = 0; k < 6000; ++k) {
    Vec3 p[6];
    for (Vec3& x : p)
      x = Vec3(static_cast<double>(random.below(6)), static_cast<double>(random.below(6)),
               static_cast<double>(random.below(6)));
    const ExactTriangle a = triangle(p[0], p[1], p[2]), b = triangle(p[3], p[4], p[5]);
    if (a.plane.none() || b.plane.none()) continue;
    // a side from one open side to the other, and the signs about it all alike
    bool pierced = false, met_at_all = false;
    for (int t = 0; t < 2; ++t)
      for (int i = 0; i < 3; ++i) {
        const Vec3 *f = p + 3 * t, *e = p + 3 - 3 * t, &u = e[i], &v = e[(i + 1) % 3];
        const int from = orient3d(f[0], f[1], f[2], u), to = orient3d(f[0], f[1], f[2], v);
        if (from * to > 0 || (from == 0 && to == 0)) continue;
        const int s0 = orient3d(u, v, f[0], f[1]), s1 = orient3d(u, v, f[1], f[2]),
                  s2 = orient3d(u, v, f[2], f[0]);
        const int least = std::min({s0, s1, s2}), most = std::max({s0, s1, s2});
        pierced = pierced || (from * to < 0 && (least > 0 || most < 0));
        met_at_all = met_at_all || least >= 0 || most <= 0;
      }
    const Kind got = met(a, b).kind;
    const Kind back = met(b, a).kind;
    EXPECT_EQ(static_cast<int>(got), static_cast<int>(back));
    if (pierced) {
      EXPECT_EQ(got, Kind::crossing);
    } else if (met_at_all) {
      EXPECT_NE(got, Kind::apart);
    }
    if (got == Kind::crossing) {
      EXPECT_TRUE(met_at_all);
    }
    if (got == Kind::touching) {
      EXPECT_FALSE(met(a, b).points.empty());
    }
    crossing += got == Kind::crossing;
    apart += got == Kind::apart;
    touching += got == Kind::touching;
  }
  EXPECT_GT(crossing, 500);
  EXPECT_GT(apart, 500);
  EXPECT_GT(touching, 300);
}

TEST(ExactTriangles, the_place_where_a_side_pierces_is_exact) {
  // the side from (0,0,-1) to (1,1,2) meets the floor a third of its way
  const ExactTriangle floor = triangle(Vec3(-1, -1, 0), Vec3(3, -1, 0), Vec3(-1, 3, 0));
  const ExactTriangle piercing = triangle(Vec3(0, 0, -1), Vec3(1, 1, 2), Vec3(0, 0, 2));
  EXPECT_EQ(met(floor, piercing).kind, TriangleContact::Kind::crossing);
  // only its corner reaches into the sliver: shared is a stretch of the sliver's side
  const ExactTriangle beside = triangle(Vec3(0, 0, 0), Vec3(3, 3, 0), Vec3(0, 0, -1));
  const TriangleContact c = met(beside, piercing);
  ASSERT_EQ(c.kind, TriangleContact::Kind::back_area);
  Doubts doubts;
  for (const ExactPoint& p : c.points) EXPECT_EQ(doubts.sign(p.at[0] - p.at[1]), 0);
  EXPECT_EQ(doubts.sign(c.points[0].at[3]), 1);
}

}  // namespace
}  // namespace repose::check
