#pragma once

#include "arena.h"

namespace repose::place {

/// Every force is of a kind that places bodies and acts on a body that is there.
Result<Done> check_loads(const Problem& problem);

/// Largest force, N, that a push or connection exerts on the body.
double largest_load(const Problem& problem, int body);

}  // namespace repose::place
