#pragma once

#include "rows.h"

namespace repose::molecule {

/// The gap before the plane of a turning solid is not linear in time. With its second derivative
/// bounded it stays above zero all the same if it is large enough at the ends. Rows of molecules
/// and balls, and the pairs of other solids, on their way from one motion to the other in a step h.
bool turning_is_free(const Arena& arena, const std::vector<Row>& rows,
                     const std::vector<RigidPair>& pairs, const Motion& from, const Motion& to,
                     double h);

}  // namespace repose::molecule
