#pragma once

#include "repose/base/json_write.h"
#include "repose/world/method.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::serve {

/// Where a new body stands free: above everything that ends.
struct Stand {
  Vec3 up = Vec3::UnitZ();  // unit; against gravity
  Vec3 top = Vec3::Zero();  // m: over the middle of what moves, as high as anything reaches
  double size = 0.0;        // m: of a body among those that move
};
Stand stand_above(const Problem& problem, const State& state, const MethodInfo& method);

/// Bodies to choose from that the method takes, of the size of those that are there: a list of
/// {"label", "body"}, each body as a scene's list of bodies writes it, without a place.
Json palette(const MethodInfo& method, double size);

}  // namespace repose::serve
