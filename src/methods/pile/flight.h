#pragma once

#include <span>
#include <vector>

#include "program.h"

namespace repose::pile {

/// Movers that no separation names: nothing is near enough to meet them within their bounds.
std::vector<char> movers_alone(std::span<const Separation> separations, std::size_t movers);

/// What is alone flies: it goes where its constant force leads it, to the very corner of its
/// bounds, however loosely the program of the others was solved. Requires: no links.
void fly_alone(const Arena& arena, const StepBounds& bounds,
               std::span<const Separation> separations, solve::LpSolution& solution);

}  // namespace repose::pile
