// Forces are a certificate: what they leave is summed outward, whoever found them.
#include "repose/prove/balance.h"

#include <cmath>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose::prove {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
using LongVec = Eigen::Matrix<long double, 3, 1>;

IVec3 at(const Vec3& p) {
  return {Interval(p.x()), Interval(p.y()), Interval(p.z())};
}
Vec3 some(Random& random, double size) {
  return size * Vec3(random.normal(), random.normal(), random.normal());
}

TEST(Balance, what_is_left_holds_the_sum_in_long_double) {
  Random random(3);
  for (const double size : {1e-3, 1.0, 1e3})
    for (int k = 0; k < 200; ++k) {
      const Vec3 center = some(random, 1e3 * size);
      Resultant all(at(center));
      LongVec force = LongVec::Zero(), torque = LongVec::Zero();
      for (int i = 0; i < 8; ++i) {
        const Vec3 f = some(random, 1.0), p = center + some(random, size);
        all.add(at(f), p);
        force += f.cast<long double>();
        torque += (p.cast<long double>() - center.cast<long double>()).cross(f.cast<long double>());
      }
      // nearly balanced by one more
      const Vec3 last = -force.cast<double>();
      all.add(at(last), center);
      force += last.cast<long double>();
      EXPECT_LE(all.force().lower(), static_cast<double>(force.norm()));
      EXPECT_GE(all.force().upper(), static_cast<double>(force.norm()));
      EXPECT_LE(all.torque().lower(), static_cast<double>(torque.norm()));
      EXPECT_GE(all.torque().upper(), static_cast<double>(torque.norm()));
      EXPECT_LE(all.force().upper(), 1e-13);
      EXPECT_LE(all.torque().upper() - all.torque().lower(), 1e-10 * size);
    }
}

TEST(Balance, a_doubt_counts_as_much_as_it_is_with_its_arm) {
  Resultant all(at(Vec3::Zero()));
  all.add_doubt(0.5, Vec3(0, 3, 0));
  EXPECT_GE(all.force().upper(), 0.5);
  EXPECT_LE(all.force().upper(), 0.5 + 1e-12);
  EXPECT_GE(all.torque().upper(), 1.5);
  EXPECT_LE(all.force().lower(), 0.0);
}

TEST(Balance, held_axes_take_up_what_there_is) {
  Resultant all(at(Vec3::Zero()));
  all.add(at(Vec3(1, 2, 3)), Vec3(0, 0, 1));
  all.hold_force(2);
  all.hold_torque(0);
  EXPECT_NEAR(all.force().upper(), std::sqrt(5.0), 1e-12);
  EXPECT_NEAR(all.torque().upper(), 1.0, 1e-12);
}

TEST(Balance, a_force_beyond_its_cone_is_told_by_how_much_at_least) {
  const Vec3 up = Vec3::UnitZ();
  EXPECT_LE(beyond_cone({0, 0, 2}, up, 0.0), 1e-12);
  EXPECT_LE(beyond_cone({0.9, 0, 2}, up, 0.5), 1e-12);
  EXPECT_GE(beyond_cone({1.5, 0, 2}, up, 0.5), 0.4);  // 0.447 from the cone
  EXPECT_GE(beyond_cone({0, 0, -2}, up, 0.5), 2.0);
  EXPECT_GE(beyond_cone({1e-9, 0, 1}, up, 0.0), 1e-9);
  EXPECT_FALSE(beyond_cone({kNan, 0, 1}, up, 0.5) < 1.0);
  EXPECT_FALSE(beyond_cone({0, 0, 1}, Vec3(0, 0, kNan), 0.5) < 1.0);
  EXPECT_FALSE(beyond_cone({0, 0, 1}, Vec3::Zero(), 0.5) < 1.0);
  EXPECT_EQ(beyond_bounds(1.0, 0.0, 2.0), 0.0);
  EXPECT_GE(beyond_bounds(-1.0, 0.0, 2.0), 1.0);
  EXPECT_GE(beyond_bounds(2.5, 0.0, 2.0), 0.5);
  EXPECT_FALSE(beyond_bounds(kNan, 0.0, 2.0) < 1.0);
}

TEST(Balance, what_is_no_number_balances_nothing) {
  for (int k = 0; k < 3; ++k) {
    Resultant all(at(k == 0 ? Vec3(kNan, 0, 0) : Vec3(Vec3::Zero())));
    all.add(at(k == 1 ? Vec3(0, kNan, 0) : Vec3(0, 0, 1)), Vec3(0, 0, k == 2 ? kNan : 1.0));
    EXPECT_NE(at_most(all.torque(), 1e9), Answer::proven) << k;
  }
}

}  // namespace
}  // namespace repose::prove
