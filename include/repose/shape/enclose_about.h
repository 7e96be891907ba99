#pragma once

#include "repose/shape/patch.h"

namespace repose::shape {

/// As patch.enclose(box), for a caller that knows the derivatives at the box's middle: values and
/// first derivatives are narrowed about those instead of an enclosure made for it, at half the
/// cost. The rounding of `middle` is the caller's to add.
PatchEnclosure enclose_about(const Patch& patch, const UvBox& box, const PatchJet& middle);

}  // namespace repose::shape
