#pragma once

#include "arena.h"
#include "paper_held.h"

namespace repose::surfel {

/// Phyxels of one body that come near and were no neighbours (section 8 of Keiser 2004).
HeldSelves look_for_selves(const Arena& arena, const SurfelSettings& settings,
                           const Motion& motion);

}  // namespace repose::surfel
