#pragma once

#include "repose/world/problem.h"

namespace repose {

/// The pull of a connection, N: its strength times the weight of the lighter of its bodies that
/// move. Where there is no gravity a kilogram weighs 1 N. 0 where neither moves.
double connect_strength(const Problem& problem, const Force& connection);

}  // namespace repose
