#include "repose/math/quadrature.h"

#include <cmath>

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(Quadrature, gauss_rules_are_exact_to_their_degree) {
  for (int n = 1; n <= 40; ++n) {
    const QuadratureRule rule = gauss_legendre(n);
    for (int degree = 0; degree < 2 * n; ++degree) {
      double sum = 0.0;
      for (std::size_t i = 0; i < rule.nodes.size(); ++i)
        sum += rule.weights[i] * std::pow(rule.nodes[i], degree);
      EXPECT_NEAR(sum, degree % 2 == 0 ? 2.0 / (degree + 1) : 0.0, 1e-14) << n << " " << degree;
    }
  }
}

TEST(Quadrature, nodes_grow_and_stay_inside) {
  for (int n : {2, 5, 64}) {
    const QuadratureRule rule = gauss_legendre(n);
    EXPECT_GT(rule.nodes.front(), -1.0);
    for (std::size_t i = 1; i < rule.nodes.size(); ++i) EXPECT_LT(rule.nodes[i - 1], rule.nodes[i]);
  }
}

}  // namespace
}  // namespace repose
