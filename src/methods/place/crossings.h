#pragma once

#include "row.h"

namespace repose::place {

/// Of rows of crossing edges, those that hold: edges that cross, and edges that would cross beyond
/// their end, at a corner from which another edge rises over their line and is crossed. Seen along
/// the edge that lies over such a corner the body has a notch there, and both sides of it bear;
/// these rows go on beyond the corner wherever they are followed (Seed::beyond).
std::vector<Row> bearing_crossings(const Posed& p, const Posed& q, const std::vector<Row>& rows,
                                   const ValleySettings& settings);

/// A corner of p beside an edge of q that lies in such a notch: the two edges say all of it.
bool edges_bear(const Posed& p, const Row& corner, const std::vector<Row>& rows);

}  // namespace repose::place
