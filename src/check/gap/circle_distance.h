#pragma once

#include "check/gap/distance.h"

namespace repose::check {

/// Two circles about the z axes of their frames. Their squared distance along one of them is a sum
/// of a few sines and cosines less a root of such: where it is at least d0^2 everywhere is told by
/// a polynomial in these, whose second derivatives are bounded by intervals. So circles that keep
/// one distance all along (Hopf's, or about one axis) close as soon as others. Frame of a; a search
/// that does not reach the goal within its budget says so in `spent`.
Distance circle_distance(double ring_a, double ring_b, const Frame& b_in_a,
                         const DistanceGoal& goal);

}  // namespace repose::check
