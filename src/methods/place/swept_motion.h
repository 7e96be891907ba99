#pragma once

#include "free_motion.h"

namespace repose::place {

/// One of the two is a ball drawn along a curve, the other a half space or turned about its axis
/// and convex: the gap is that of a curve to a distance known in closed form.
bool one_formula(const Journey& p, const Journey& q);

/// Proves that the two stay apart all the way, over pieces of the curve and of time. Anything but
/// `free` says only that this proof did not come to its end. Requires: one_formula(p, q).
PassageReport prove_swept_free(const Journey& p, const Journey& q, long budget);

}  // namespace repose::place
