#include "repose/check/input.h"

#include "check/exact/rounding.h"

namespace repose::check {

double PlacedBody::size() const {
  return 2.0 * bounding_ball_world(*this).radius;
}

}  // namespace repose::check
