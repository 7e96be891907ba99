#pragma once

#include "repose/check/stability.h"

namespace repose::check {

/// The small motion of balanced bodies that loses the most energy at second order.
struct SecondOrder {
  bool tested = false;
  bool whole = true;        // false: the search for `lowest` ended for want of work
  double lowest = 0.0;      // least curvature of the energy, over load / size
  Eigen::VectorXd motion;   // six numbers for each movable body: velocity of centre, angular
  std::vector<int> bodies;  // which body each block of six belongs to
  /// A motion of the same form and its curvature.
  struct Level {
    Eigen::VectorXd motion;
    double curvature;
  };
  /// Motions that neither gain nor lose energy to second order, and that no contact blocks one way
  /// at least; they span all such.
  std::vector<Level> level;
  /// Motions that gain energy, J: half their curvature times the square of how far they go. With
  /// `level` they span all.
  std::vector<Level> rising;
};

/// Motions considered keep every loaded contact closed (and, where its force lies inside the
/// friction cone, do not slide there). Along them the energy is that of the Lagrangian U - sum
/// lambda gap - sum R phi, whose gaps include the curvature of both surfaces (Rimon and Burdick
/// 1998), whose U that of springs, and whose phi, by which joints would be left, that of their
/// ways. `neutral`: curvature of the energy, over load / size, up to which a motion is level.
SecondOrder second_order(const Input& input, const std::vector<ContactPoint>& contacts,
                         const Balance& balance, double neutral = StabilitySettings{}.neutral);

}  // namespace repose::check
