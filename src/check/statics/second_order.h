#pragma once

#include "repose/check/stability.h"

namespace repose::check {

/// The small motion of balanced bodies that loses the most energy at second order.
struct SecondOrder {
  bool tested = false;
  double lowest = 0.0;      // least curvature of the energy, over weight / size
  Eigen::VectorXd motion;   // six numbers for each movable body: velocity of centre, angular
  std::vector<int> bodies;  // which item each block of six belongs to
};

/// Motions considered keep every loaded contact closed (and, where its force lies inside the
/// friction cone, do not slide there). Along them the energy is that of the Lagrangian U - sum
/// lambda gap, whose gaps include the curvature of both surfaces (Rimon and Burdick 1998).
SecondOrder second_order(const Input& input, const std::vector<ContactPoint>& contacts,
                         const Balance& balance);

}  // namespace repose::check
