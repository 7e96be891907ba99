#pragma once

#include <memory>

#include "repose/place/place.h"
#include "repose/world/method.h"

namespace repose::place {

/// The automatic placement of Snyder 1995, figure 2, for one active body: pseudo-forces, a step of
/// length epsilon, interface points tracked over it, new collisions of the guides converted to
/// contacts. It claims no gaps: what the guides miss may overlap.
std::unique_ptr<Method> make_paper_engine(const PlaceSettings& settings);

/// True if the state was last moved by that engine.
bool moved_by_paper_engine(const State& state);

}  // namespace repose::place
