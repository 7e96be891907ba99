#pragma once

#include "repose/world/method.h"

namespace repose {

/// The judge's word on a start where a method's own is not enough: bodies about one point, and
/// moving bodies of shapes to whose overlaps it is blind, overlap nothing. The error names both
/// bodies and points at the later one.
Result<Done> check_apart(const MethodSupport& method, const Problem& problem, const State& state);

}  // namespace repose
