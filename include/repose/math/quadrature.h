#pragma once

#include <vector>

namespace repose {

/// Nodes and weights on [-1, 1]: the sum of weights[i] * f(nodes[i]) is the integral of f, exact
/// for polynomials of degree 2 * nodes.size() - 1.
struct QuadratureRule {
  std::vector<double> nodes;  // growing, symmetric about 0
  std::vector<double> weights;
};

/// The Gauss-Legendre rule of `count` nodes, each to the last few units. Requires: count >= 1.
QuadratureRule gauss_legendre(int count);

}  // namespace repose
