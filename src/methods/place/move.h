#pragma once

#include "rest.h"

namespace repose::place {

/// Puts the active bodies of the state where they stand.
void write_places(const Arena& arena, const Places& places, State& state);
/// Notes the least gap and the number of rows.
void note_gaps(const Arena& arena, std::span<const Row> rows, Memory& memory);

/// Takes the proposed motion, or as much of it as lowers the energy on a way that is proven free,
/// and sets the bound of the next step. Stuck where no bound is left.
StepReport move_on(const Standing& here, const Proposal& proposal, Memory& memory, State& state,
                   StepReport report);

}  // namespace repose::place
