#pragma once

#include "step.h"

namespace repose::place {

struct Start {
  Places places;
  std::vector<Row> rows;  // nearest ones
  bool moved = false;     // bodies that touched or overlapped were moved apart
};

/// Bodies apart at the start. Overlap is an error that names the pair and the depth, unless the
/// settings ask to move the bodies apart; touching bodies are parted by the settling gap.
Result<Start> free_start(const Arena& arena, const Problem& problem, const Places& places,
                         const PlaceSettings& settings);

}  // namespace repose::place
