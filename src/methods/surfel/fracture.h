#pragma once

#include "remake.h"

namespace repose::surfel {

/// Parts bodies whose phyxels have gone apart (Keiser 2004, section 4): two phyxels hold each other
/// while they are no farther apart than 1 + break_strain of their distance at rest; groups that
/// nothing holds together become bodies of their own and never merge again. Mass and momentum are
/// kept: every phyxel goes on as it is. Torn faces get balls about their phyxels; balls that would
/// overlap those of another part are made smaller or left out. Leaves the new states in `state`.
std::vector<BodyChange> part_bodies(const Arena& arena, const Problem& problem,
                                    const SurfelSettings& settings, const Motion& motion,
                                    State& state);

}  // namespace repose::surfel
