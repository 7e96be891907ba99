#pragma once

#include "arena.h"

namespace repose::place {

/// Every force and joint is of a kind that places bodies, and acts on a point that its body has.
Result<Done> check_loads(const Problem& problem);

/// Largest force, N, that a push or connection exerts on the body.
double largest_load(const Problem& problem, int body);

/// The energy of all loads (gravity, pushes, springs, connections), in energy units, with its
/// derivatives by the scaled freedoms.
struct Potential {
  double energy = 0.0;
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;
};
Potential potential(const Arena& arena, const Problem& problem, const Places& places);
/// Potential energy, J.
double energy(const Arena& arena, const Problem& problem, const Places& places);

}  // namespace repose::place
