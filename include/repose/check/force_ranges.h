#pragma once

#include <vector>

#include "repose/check/balance.h"

namespace repose::check {

/// Between what bounds a contact's normal force may lie while all bodies stay balanced, N.
struct ForceRange {
  double low = 0.0;
  double high = 0.0;   // infinite where contacts can press on each other as hard as they like
  bool known = false;  // false: the program did not come to its end

  /// The forces at this contact are what they are.
  bool unique(double tolerance) const { return known && high - low <= tolerance; }
};

struct ForceRangeSettings {
  /// Sides of the pyramid that stands for a friction cone, from within: what is found is attainable
  /// and may fall short of the true bounds by 1 - cos(pi / sides) of the friction. [3, 256]
  int friction_sides = 16;
  /// Rows may be missed by this, relative to weight. (0, 1e-2]
  double slack = 1e-7;
  int max_contacts = 64;  // ranges are sought for no more contacts than this
};

/// The range of every contact's normal force by two linear programs each; empty for more contacts
/// than the settings allow. Requires: `balance` is balanced.
std::vector<ForceRange> force_ranges(const Input& input, const std::vector<ContactPoint>& contacts,
                                     const Balance& balance,
                                     const ForceRangeSettings& settings = {});

}  // namespace repose::check
