#pragma once

#include <span>
#include <vector>

#include "step.h"

namespace repose::pile {

/// Where pieces come nearer than `least` (m, by separation) at the end of a motion.
std::vector<FarSeparation> find_far_separations(const Arena& arena,
                                                std::span<const Separation> separations,
                                                const Placement& from, const Motion& motion,
                                                std::span<const double> least);

}  // namespace repose::pile
