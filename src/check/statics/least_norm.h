#pragma once

#include "check/statics/wrenches.h"

namespace repose::check {

struct LeastNorm {
  Wrenches::Forces forces;
  bool converged = false;  // false: forces are those given
};

/// Of all z of K with W z + g = 0 the one whose forces (and joint reactions) in newtons have the
/// least sum of squares. Semismooth Newton method on the dual, whose gradient is the residual of
/// z(y) = the projection of -W^T y onto K (Qi and Sun 1993); dense, so for few bodies. `balanced`
/// are forces that solve W z + g = 0 within `small`; no worse residual is accepted.
LeastNorm least_norm(const Wrenches& w, const Wrenches::Forces& balanced, double small);

}  // namespace repose::check
