#pragma once

#include <optional>

#include "arena.h"
#include "loads.h"

namespace repose::place {

/// How far bodies that nothing is near may follow their loads straight on (scaled freedoms): until
/// pieces of two of them might meet. None where the loads turn a body or nothing lies ahead.
std::optional<Eigen::VectorXd> free_fall(const Arena& arena, const Problem& problem,
                                         const Places& places, const Potential& potential);

}  // namespace repose::place
