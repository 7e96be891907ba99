#pragma once

#include "repose/shape/patch.h"

namespace repose::shape {

/// Whether the lines u = u0 and u = u1 coincide, derivatives included, to rounding; asked at points
/// spread over them. For patches whose maker does not know.
bool meets_itself_along_u(const Patch& patch);
/// The same of v = v0 and v = v1.
bool meets_itself_along_v(const Patch& patch);

}  // namespace repose::shape
