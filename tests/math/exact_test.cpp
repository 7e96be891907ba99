// Exact signs against whole numbers.
#include "repose/math/exact.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"

#include "math/exact_points.h"

namespace repose {
namespace {

TEST(Exact, sums_and_products_have_the_sign_of_whole_numbers) {
  Random random(5);
  const auto draw = [&] {
    return std::ldexp(random.between(-1.0, 1.0), static_cast<int>(random.below(60)) - 30);
  };
  int cancelled = 0;
  for (int k = 0; k < 2000; ++k) {
    const double a = draw(), b = draw(), c = draw(), d = draw();
    const Exact x = Exact(a) * b + Exact(c) * d;
    // what is left when the rounded value is taken off is far below it
    const double value = x.rounded();
    const Exact rest = x - value;
    const Integer wx = Integer(a) * Integer(b) + Integer(c) * Integer(d);
    const Integer left = wx - Integer(value) * Integer(1.0);
    EXPECT_EQ(x.sign(), wx.sign());
    EXPECT_EQ(rest.sign(), left.sign());
    EXPECT_LE(std::fabs(rest.rounded()), 0x1p-51 * std::fabs(value));
    EXPECT_EQ((x * x - x * x).sign(), 0);
    EXPECT_EQ((rest * x).sign(), rest.sign() * x.sign());
    EXPECT_TRUE(x == -(-x));
    EXPECT_TRUE(x.sure());
    cancelled += rest.sign() != 0;
  }
  EXPECT_GT(cancelled, 1000);
  EXPECT_EQ((Exact(1.0) + 0x1p-300 - 1.0).rounded(), 0x1p-300);
  EXPECT_EQ(Exact(0.0).sign(), 0);
}

TEST(Exact, a_product_out_of_range_is_not_sure) {
  EXPECT_FALSE((Exact(0x1p-500) * Exact(0x1p-500)).sure());
  EXPECT_FALSE((Exact(0x1p+600) * Exact(0x1p+600)).sure());
  EXPECT_FALSE((Exact(0x1p-500) * Exact(0x1p-500) + 1.0).sure());
  EXPECT_FALSE((-(Exact(0x1p-500) * Exact(0x1p-500))).sure());
  EXPECT_TRUE((Exact(0x1p-400) * Exact(0x1p-400)).sure());
  EXPECT_TRUE((Exact(0.0) * Exact(0x1p-500)).sure());
  EXPECT_FALSE((Exact(0x1p+1023) + Exact(0x1p+1023)).sure());
  EXPECT_FALSE((Exact(0x1p-500) * Exact(0x1p-500) * Exact(0x1p+600)).sure());
  EXPECT_FALSE((Exact(2.0) * (Exact(0x1p-500) * Exact(0x1p-500))).sure());
}

TEST(Exact, orientations_are_those_of_whole_numbers_at_three_scales) {
  for (const double scale : kScales) {
    Random random(17);
    int on = 0, close = 0;
    for (int k = 0; k < 4000; ++k) {
      const Vec3 a = grid_point(random, scale), b = grid_point(random, scale),
                 c = grid_point(random, scale), d = grid_point(random, scale);
      const int plain = sign_of(whole(a, d), whole(c, d), whole(b, d));
      EXPECT_EQ(orient3d(a, b, c, d), plain);
      EXPECT_EQ(orient_about(d, b, a, c),
                sign_of(whole(b, Vec3::Zero()), whole(a, d), whole(c, d)));
      const Whole ac = whole(a, c), bc = whole(b, c);
      const int flat = (ac[0] * bc[1] - ac[1] * bc[0]).sign();
      EXPECT_EQ(orient2d(a.head<2>(), b.head<2>(), c.head<2>()), flat);
      on += plain == 0;
      const double volume = (a - d).dot((c - d).cross(b - d));
      close += plain != 0 && std::fabs(volume) < 1e-14 * scale * scale * scale;
    }
    EXPECT_GT(on, 60);
    EXPECT_GT(close, 100);
  }
  // counter-clockwise seen from above
  EXPECT_EQ(orient3d(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(0.1, 0.1, 1e-30)), 1);
  EXPECT_EQ(orient2d(Vec2(0, 0), Vec2(1, 0), Vec2(0.5, 1e-30)), 1);
}

TEST(Exact, what_once_lost_bits_stays_unsure) {
  // below the smallest double bits are lost, and no factor brings them back
  const Exact lost = Exact(1e-200) * Exact(3e-150), large(1e300);
  EXPECT_FALSE(lost.sure());
  EXPECT_FALSE((lost * large).sure());
  EXPECT_FALSE((large * lost).sure());
  EXPECT_FALSE((lost + large).sure());
  EXPECT_FALSE((large - lost).sure());
  EXPECT_FALSE((-lost).sure());
  EXPECT_FALSE((Exact(1e200) * Exact(1e200)).sure());
  EXPECT_TRUE((Exact(1e-100) * Exact(3e-100) * large).sure());
}

TEST(Exact, three_points_of_a_rounded_line_turn_as_whole_numbers_do) {
  for (const double scale : kScales) {
    Random random(23);
    const auto draw = [&] {
      return Vec2(random.between(-scale, scale), random.between(-scale, scale));
    };
    int left = 0, right = 0;
    for (int k = 0; k < 4000; ++k) {
      const Vec2 a = draw(), b = draw(), c = a + random.between(-2.0, 3.0) * (b - a);
      const Whole ac = whole({a.x(), a.y(), 0.0}, {c.x(), c.y(), 0.0}),
                  bc = whole({b.x(), b.y(), 0.0}, {c.x(), c.y(), 0.0});
      const int turn = (ac[0] * bc[1] - ac[1] * bc[0]).sign();
      ASSERT_EQ(orient2d(a, b, c), turn);
      left += turn > 0;
      right += turn < 0;
    }
    EXPECT_GT(left, 1000);
    EXPECT_GT(right, 1000);
  }
}

TEST(Exact, four_points_of_a_rounded_plane_turn_as_whole_numbers_do) {
  for (const double scale : kScales) {
    Random random(29);
    const auto draw = [&] {
      const double x = random.between(-scale, scale), y = random.between(-scale, scale);
      return Vec3(x, y, random.between(-scale, scale));
    };
    int above = 0, below = 0;
    for (int k = 0; k < 4000; ++k) {
      const Vec3 a = draw(), b = draw(), c = draw();
      const Vec3 d = a + random.between(-1.0, 2.0) * (b - a) + random.between(-1.0, 2.0) * (c - a);
      const int side = sign_of(whole(a, d), whole(c, d), whole(b, d));
      ASSERT_EQ(orient3d(a, b, c, d), side);
      ASSERT_EQ(orient_about(d, a - b, a, c),
                sign_of(whole(a - b, Vec3::Zero()), whole(a, d), whole(c, d)));
      above += side > 0;
      below += side < 0;
    }
    EXPECT_GT(above, 1000);
    EXPECT_GT(below, 1000);
  }
}

TEST(Exact, determinants_along_one_axis_are_not_told_by_rounded_terms) {
  // v x w has one component, of two products that round alike: only their exact difference tells
  Random random(71);
  int rounded_alike = 0;
  for (int k = 0; k < 3000; ++k) {
    const double a = random.between(1.0, 2.0), b = random.between(1.0, 2.0),
                 c = random.between(1.0, 2.0), d = b * c / a;
    const int axis = k % 3, next = (axis + 1) % 3, last = (axis + 2) % 3;
    Vec3 u = Vec3::Zero(), v = Vec3::Zero(), w = Vec3::Zero();
    u.setConstant(0x1p-200);  // of no account: v and w have nothing along this axis
    u[axis] = 1.0;
    v[next] = a;
    v[last] = b;
    w[next] = c;
    w[last] = d;
    const int truth = (Integer(a) * Integer(d) - Integer(b) * Integer(c)).sign();
    rounded_alike += a * d == b * c && truth != 0;
    EXPECT_EQ(orient_about(Vec3::Zero(), u, v, w), truth) << axis;
  }
  EXPECT_GT(rounded_alike, 1000);
}

TEST(Exact, determinants_of_rounded_differences_are_not_told_by_the_filter_of_another_axis) {
  // from a point that shares no power of two with the others differences round, and those along one
  // line leave a determinant of nothing but that: all of it hangs on one axis
  Random random(72);
  int misled = 0;
  for (int k = 0; k < 6000; ++k) {
    const int axis = k % 3, next = (axis + 1) % 3, last = (axis + 2) % 3;
    const double share = random.between(0.1, 10.0);
    Vec3 p, a, b, u = Vec3::Constant(0x1p-200);
    for (int i = 0; i < 3; ++i) p[i] = random.between(1.0, 2.0);
    a = b = p;
    for (const int i : {next, last}) {
      const double way = random.between(0.01, 1.0);
      a[i] = p[i] + way;
      b[i] = p[i] - share * way;
    }
    u[axis] = 1.0;
    const auto exactly = [&](const Vec3& q, int i) { return Integer(q[i]) - Integer(p[i]); };
    const int truth =
        (exactly(a, next) * exactly(b, last) - exactly(a, last) * exactly(b, next)).sign();
    const Vec3 v = a - p, w = b - p;
    const double rounded = v[next] * w[last] - v[last] * w[next];
    misled += rounded != 0.0 && (rounded > 0.0) != (truth > 0) ? 1 : 0;
    ASSERT_EQ(orient_about(p, u, a, b), truth) << axis;
    ASSERT_EQ(orient_about(p, -u, a, b), -truth) << axis;
    Vec3 top = p;
    top[axis] += 1.0;
    ASSERT_EQ(orient3d(a, b, top, p), -orient3d(b, a, top, p));
    ASSERT_EQ(std::abs(orient3d(a, b, top, p)), std::abs(truth));
    ASSERT_EQ(orient3d(top, b, a, p), truth) << axis;
  }
  EXPECT_GT(misled, 5);
}

}  // namespace
}  // namespace repose
