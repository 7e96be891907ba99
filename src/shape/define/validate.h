#pragma once

#include <optional>
#include <string>

#include "repose/base/fault.h"
#include "repose/math/vec.h"

namespace repose::shape {

/// Lengths a body may have, metres. Beyond them fifth powers (inertia) leave double precision's
/// comfort, and no scene means them.
inline constexpr double kMinLength = 1e-9;
inline constexpr double kMaxLength = 1e9;

using Fault = std::optional<InputError>;

/// Nothing if kMinLength <= length <= kMaxLength.
Fault check_length(const std::string& pointer, double length);
/// ... or if it is 0.
Fault check_length_or_zero(const std::string& pointer, double length);
/// Nothing if it is finite and at most kMaxLength in size.
Fault check_coordinate(const std::string& pointer, double coordinate);
/// Nothing if all coordinates are finite and at most kMaxLength in size.
Fault check_point(const std::string& pointer, const Vec3& point);
Fault check_point(const std::string& pointer, const Vec2& point);
/// Nothing if low <= count <= high.
Fault check_count(const std::string& pointer, std::size_t count, std::size_t low, std::size_t high);
/// Nothing if 0 <= index < size.
Fault check_index(const std::string& pointer, int index, std::size_t size);

/// The first fault of several checks.
template <class... Faults>
Fault first_fault(Fault first, Faults... others) {
  if constexpr (sizeof...(others) == 0) {
    return first;
  } else {
    return first ? first : first_fault(std::move(others)...);
  }
}

std::string number_text(double number);
std::string point_text(const Vec3& point);

}  // namespace repose::shape
