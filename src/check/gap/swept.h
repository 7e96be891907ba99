#pragma once

#include <memory>

#include "repose/check/gap.h"

#include "check/exact/rounding.h"
#include "check/gap/surface.h"

namespace repose::check {

/// A body as a ball of one radius carried along a spine.
struct Swept {
  Surface spine;
  double radius;  // m
  /// The body is all points within the radius of the spine, to `error`, and its surface lies at the
  /// radius. Else only: no point of the body is farther from the spine.
  bool exact;
  double error;       // m
  double ring = 0.0;  // m: the spine is a circle of this radius about z; 0: it is none

  /// nullptr where the shape is none.
  static std::shared_ptr<Swept> of(const shape::Shape& shape);
};

/// A swept body against another body's surface: their distance is the spine's less the radius, also
/// where the tube alone overlaps. May end `undecided` where other ways would not.
GapBracket swept_surface(const PlacedBody& a, Swept& swept, const PlacedBody& b, Surface& surface,
                         const GapSettings& settings);
/// Two swept bodies, by their spines.
GapBracket swept_swept(const PlacedBody& a, Swept& swept_a, const PlacedBody& b, Swept& swept_b,
                       const GapSettings& settings);

}  // namespace repose::check
