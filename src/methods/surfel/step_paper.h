#pragma once

#include "step.h"

namespace repose::surfel {

/// One step of the paper's engine (function `animate` of Keiser 2004, section 8): phyxels go under
/// their own forces and those that contact surfels gave them, then contacts are handled pair by
/// pair, from the same surfaces for every pair, so that their order does not matter. Bodies may
/// overlap; what goes deeper than three spacings in a step is not seen.
StepOutcome step_paper(const Stage& stage, double time, Motion& motion, Memory& memory);

}  // namespace repose::surfel
