#pragma once

#include "arena.h"

namespace repose::pile {

/// Refuses a container that holds nothing (half-spaces without a common point, a flat container)
/// and bodies that no motion could bring in: in the material of a closed wall, or, at the first
/// step, outside of the container. The container is made of all fixed bodies of the role
/// "container"; a body is outside if the ray along its force misses their convex hull.
Result<Done> check_container(const Problem& problem, const State& state, const Arena& arena);

}  // namespace repose::pile
