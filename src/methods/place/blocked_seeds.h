#pragma once

#include "row.h"

namespace repose::place {

/// Where rows are to be sought when a way is blocked at a place (world): every feature of either
/// body that comes within `near` (m) of it, against those of the other. The proof knows faces
/// alone; what bears may be an edge or a corner of theirs.
std::vector<Seed> seeds_at(int ip, const Posed& p, int iq, const Posed& q, const Vec3& at,
                           double near);

}  // namespace repose::place
