#pragma once

#include <optional>
#include <string>

#include "repose/base/result.h"
#include "repose/math/vec.h"

namespace repose::shape {

/// No coordinate or size goes beyond this many metres: squares and fourth powers stay finite.
inline constexpr double kLargestLength = 1e9;
/// The least positive size, metres.
inline constexpr double kSmallestLength = 1e-9;

/// An error about the argument `name`.
InputError bad_argument(const std::string& name, std::string value, std::string wrong,
                        std::string right);

/// The error of a size that is not a positive length, if it is none.
std::optional<InputError> check_size(const char* name, double size);
/// The same for a size that may be 0.
std::optional<InputError> check_size_or_zero(const char* name, double size);
/// The error of a coordinate that is no finite length.
std::optional<InputError> check_length(const char* name, double length);
std::optional<InputError> check_point(const char* name, const Vec3& point);

/// The first error of several checks.
template <class... Errors>
std::optional<InputError> first_error(std::optional<InputError> first, Errors... rest) {
  if constexpr (sizeof...(rest) == 0) {
    return first;
  } else {
    return first ? first : first_error(std::move(rest)...);
  }
}

}  // namespace repose::shape
