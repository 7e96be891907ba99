#include "repose/math/quadrature.h"

#include <cmath>
#include <numbers>

#include "repose/base/check.h"

namespace repose {
namespace {

struct Legendre {
  double value, slope;
};

/// P_n and P_n' at x in (-1, 1) by the three-term recurrence.
Legendre legendre(int n, double x) {
  double before = 1.0, value = x;
  for (int k = 2; k <= n; ++k) {
    const double next = ((2.0 * k - 1.0) * x * value - (k - 1.0) * before) / k;
    before = value;
    value = next;
  }
  return {value, n * (x * value - before) / (x * x - 1.0)};
}

}  // namespace

QuadratureRule gauss_legendre(int count) {
  REPOSE_CHECK(count >= 1);
  constexpr int kNewtonSteps = 8;  // from the cosine guess the roots settle in four
  const auto n = static_cast<std::size_t>(count);
  QuadratureRule rule{std::vector<double>(n, 0.0), std::vector<double>(n, 2.0)};
  if (count == 1) return rule;
  for (std::size_t i = 0; i < (n + 1) / 2; ++i) {
    const bool middle = 2 * i + 1 == n;
    double x = middle ? 0.0
                      : std::cos(std::numbers::pi * (static_cast<double>(i) + 0.75) /
                                 (static_cast<double>(n) + 0.5));
    for (int step = 0; step < kNewtonSteps && !middle; ++step) {
      const Legendre p = legendre(count, x);
      x -= p.value / p.slope;
    }
    const double slope = legendre(count, x).slope;
    rule.nodes[i] = -x;
    rule.nodes[n - 1 - i] = x;
    rule.weights[i] = rule.weights[n - 1 - i] = 2.0 / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

}  // namespace repose
