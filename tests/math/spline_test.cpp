#include "repose/math/spline.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose {
namespace {

const std::vector<double> kKnots{0.0, 0.2, 0.5, 0.6, 1.0};
const std::vector<std::array<double, 1>> kPoints{{1.0}, {2.0}, {-1.0}, {0.5}, {1.0}};

void expect_joins_twice_smoothly(const CubicSpline<1>& spline) {
  for (std::size_t i = 1; i + 1 < kKnots.size(); ++i) {
    const auto left = spline.jet(std::nextafter(kKnots[i], 0.0)), right = spline.jet(kKnots[i]);
    EXPECT_NEAR(left.f[0], right.f[0], 1e-12);
    EXPECT_NEAR(left.d[0], right.d[0], 1e-11);
    EXPECT_NEAR(left.dd[0], right.dd[0], 1e-10);
  }
}

TEST(Spline, passes_through_its_points_twice_smoothly) {
  const auto spline = CubicSpline<1>::through(kKnots, kPoints);
  for (std::size_t i = 0; i < kKnots.size(); ++i)
    EXPECT_NEAR(spline.jet(kKnots[i]).f[0], kPoints[i][0], 1e-14);
  expect_joins_twice_smoothly(spline);
  EXPECT_NEAR(spline.jet(0.0).dd[0], 0.0, 1e-11);
  EXPECT_NEAR(spline.jet(1.0).dd[0], 0.0, 1e-11);
}

TEST(Spline, keeps_clamped_slopes) {
  const auto spline =
      CubicSpline<1>::through(kKnots, kPoints, {SplineEnd{true, 3.0}}, {SplineEnd{true, -2.0}});
  EXPECT_NEAR(spline.jet(0.0).d[0], 3.0, 1e-12);
  EXPECT_NEAR(spline.jet(1.0).d[0], -2.0, 1e-12);
}

TEST(Spline, closed_spline_meets_itself_up_to_its_sign) {
  for (const double sign : {1.0, -1.0}) {
    auto points = kPoints;
    points.back()[0] = sign * points.front()[0];
    const auto spline = CubicSpline<1>::through_closed(kKnots, points, sign);
    const auto first = spline.jet(0.0), last = spline.jet(1.0);
    EXPECT_NEAR(first.f[0], sign * last.f[0], 1e-13);
    EXPECT_NEAR(first.d[0], sign * last.d[0], 1e-12);
    EXPECT_NEAR(first.dd[0], sign * last.dd[0], 1e-11);
    expect_joins_twice_smoothly(spline);
  }
}

TEST(Spline, reproduces_a_cubic_from_its_end_slopes) {
  const auto cubic = [](double t) { return 1.0 + t - 3.0 * t * t + 2.0 * t * t * t; };
  std::vector<std::array<double, 1>> points;
  for (const double t : kKnots) points.push_back({cubic(t)});
  const auto spline =
      CubicSpline<1>::through(kKnots, points, {SplineEnd{true, 1.0}}, {SplineEnd{true, 1.0}});
  for (double t = 0.0; t <= 1.0; t += 0.01) EXPECT_NEAR(spline.jet(t).f[0], cubic(t), 1e-14);
}

TEST(Spline, enclosure_holds_its_values_and_least_is_below_all) {
  const auto spline = CubicSpline<1>::through(kKnots, kPoints);
  const double least = spline.least(0);
  Random random(5);
  double seen = 1e9;
  for (int i = 0; i < 5000; ++i) {
    const double a = random.unit(), w = std::pow(10.0, random.between(-6, 0));
    const Interval t{a, std::min(1.0, a + w)};
    const double x = t.lo + (t.hi - t.lo) * random.unit();
    const auto box = spline.enclose(t);
    const auto j = spline.jet(x);
    EXPECT_TRUE(box.f[0].contains(j.f[0]) && box.d[0].contains(j.d[0]) &&
                box.dd[0].contains(j.dd[0]));
    EXPECT_GE(j.f[0], least);
    seen = std::min(seen, j.f[0]);
  }
  EXPECT_NEAR(seen, least, 1e-3);
}

}  // namespace
}  // namespace repose
