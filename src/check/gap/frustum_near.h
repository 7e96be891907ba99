#pragma once

#include <memory>

#include "check/exact/rounding.h"
#include "check/gap/convex_body.h"
#include "check/gap/gjk_simplex.h"

namespace repose::check {

/// A convex body that holds all that a cone or cylinder has near some point, in small numbers.
struct NearPart {
  std::shared_ptr<const ConvexBody> body;  // nullptr where nothing of it lies there
  VecOf<long double> origin;  // of `body`, in the frame of the whole; axes are the same
};

/// What a cone or cylinder has within `half` of `at`, along each axis, or more. Where it is slender
/// there it is cut short; else it is bounded by the planes of its ends and the one that touches its
/// side beside `at`, and is the whole there but for what the side bends away from that plane.
NearPart part_beside(const shape::FrustumForm& f, const VecOf<long double>& at, double half);

/// The point of the cone or cylinder nearest to p; p itself within.
VecOf<long double> nearest_in(const shape::FrustumForm& f, const VecOf<long double>& p);

}  // namespace repose::check
