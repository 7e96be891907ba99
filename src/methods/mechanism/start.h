#pragma once

#include "step.h"

namespace repose::mechanism {

/// Makes a first state hold: joints closed, contacts at their gap, velocities on their constraints.
/// Errors name bodies that overlap, with their depth, joints that stand open and joints that
/// contradict each other.
Result<Done> make_start_hold(const Problem& problem, const Machine& machine, Stepper& stepper,
                             Motion& motion, Contacts& contacts);

/// Names of joints of the problem, for people: their own, or kind and bodies.
std::string names_of(const Problem& problem, const std::vector<int>& joints);

}  // namespace repose::mechanism
