#include "repose/check/soft.h"

#include "check/gap/sphere_sets.h"

namespace repose::check {

GapBracket self_gap(const PlacedBody& body, const GapSettings& settings) {
  return unjoined_gap(body, settings);
}

bool is_soft(const PlacedBody& body) {
  return std::holds_alternative<shape::SphereSet>(body.shape->geometry) ||
         std::holds_alternative<shape::PointSet>(body.shape->geometry);
}

bool is_of_balls(const PlacedBody& body) {
  return is_soft(body) || std::holds_alternative<shape::Ball>(body.shape->geometry);
}

}  // namespace repose::check
