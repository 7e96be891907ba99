#pragma once

#include "repose/check/stability.h"

#include "check/statics/least_residual.h"

namespace repose::check {

/// The fastest body of a motion, scaled so that its fastest point moves at unit speed. Six numbers
/// for each of `bodies`: velocity of the centre, angular velocity.
Screw fastest(const Input& input, const std::vector<int>& bodies, const Eigen::VectorXd& motion);

/// What the loads would do: the residual of the best forces is itself a motion that no contact
/// forbids and along which the loads work.
Screw residual_motion(const Input& input, const Wrenches& wrenches, const LeastResidual& least);

/// Tilt, friction and load at which balance is lost, by bisection over the whole pile. What stays
/// open when the work allowed is spent is told in Margins::open.
Margins find_margins(const Input& input, const std::vector<ContactPoint>& contacts,
                     const Balance& balance, const StabilitySettings& settings);

}  // namespace repose::check
