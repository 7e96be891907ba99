#pragma once

#include <vector>

#include "check/gap/gjk.h"

namespace repose::check {

/// A point that both bodies share, up to their overlap along d (from a to b), well within the area
/// where their outermost faces, edges or corners along d lie over each other: on the surface of a
/// and of b. False where they do not lie over each other.
template <class Real>
struct SharedPointOf {
  VecOf<Real> on_a, on_b;  // frame of a
  bool found = false;
};
using SharedPoint = SharedPointOf<double>;
template <class Real>
SharedPointOf<Real> shared_point(const ConvexPairOf<Real>& pair, const VecOf<Real>& d);

}  // namespace repose::check
