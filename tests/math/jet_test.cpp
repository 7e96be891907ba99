#include "repose/math/jet.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose {
namespace {

/// Every function of jet.h in one formula per row, of both variables.
template <class J>
std::vector<J> formulas(const J& u, const J& v) {
  const J p = J(1.5) + J(0.25) * u * v;  // within (1, 2) on the unit square
  const J q = J(0.5) * u - J(0.25) * v;  // within (-1, 1)
  return {p * q,       p / (q + J(2.0)), sqrt(p),       sin(p * q),  cos(p + q),    tan(q),
          asin(q),     acos(q),          atan(p),       atan2(q, p), sinh(q),       cosh(q),
          tanh(p),     exp(q),           log(p),        pow(p, 2.3), pow_int(q, 3), square(q),
          atan2(p, q), pow(p, -0.7),     pow_int(p, -2)};
}

std::vector<Jet2<double>> at(double u, double v) {
  return formulas(Jet2<double>::variable_u(u), Jet2<double>::variable_v(v));
}

TEST(Jet, derivatives_match_finite_differences) {
  Random random(3);
  constexpr double h = 1e-3;
  for (int i = 0; i < 200; ++i) {
    const double u = random.between(-0.9, 0.9), v = random.between(-0.9, 0.9);
    const auto j = at(u, v);
    // five points, error h^4
    const auto slope = [&](auto member, std::size_t k, double du, double dv) {
      const auto f = [&](double s) { return at(u + s * du, v + s * dv)[k].*member; };
      return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
    };
    for (std::size_t k = 0; k < j.size(); ++k) {
      using J = Jet2<double>;
      const double tolerance = 1e-9;
      EXPECT_NEAR(j[k].u, slope(&J::f, k, 1, 0), tolerance) << "formula " << k;
      EXPECT_NEAR(j[k].v, slope(&J::f, k, 0, 1), tolerance) << "formula " << k;
      EXPECT_NEAR(j[k].uu, slope(&J::u, k, 1, 0), tolerance) << "formula " << k;
      EXPECT_NEAR(j[k].uv, slope(&J::u, k, 0, 1), tolerance) << "formula " << k;
      EXPECT_NEAR(j[k].uv, slope(&J::v, k, 1, 0), tolerance) << "formula " << k;
      EXPECT_NEAR(j[k].vv, slope(&J::v, k, 0, 1), tolerance) << "formula " << k;
    }
  }
}

TEST(Jet, interval_jets_hold_the_jets_inside) {
  using JI = Jet2<Interval>;
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const double u = random.between(-0.9, 0.8), v = random.between(-0.9, 0.8);
    const double w = std::pow(10.0, random.between(-6, -1));
    const auto box = formulas(JI::variable_u({u, u + w}), JI::variable_v({v, v + w}));
    const auto j = at(u + w * random.unit(), v + w * random.unit());
    for (std::size_t k = 0; k < j.size(); ++k) {
      EXPECT_TRUE(box[k].f.contains(j[k].f) && box[k].u.contains(j[k].u) &&
                  box[k].v.contains(j[k].v) && box[k].uu.contains(j[k].uu) &&
                  box[k].uv.contains(j[k].uv) && box[k].vv.contains(j[k].vv))
          << "formula " << k;
    }
  }
}

}  // namespace
}  // namespace repose
