#include "shape/define/arguments.h"

#include <cmath>

#include <fmt/format.h>

namespace repose::shape {

InputError bad_argument(const std::string& name, std::string value, std::string wrong,
                        std::string right) {
  InputError error;
  error.pointer = "/" + name;
  error.value = std::move(value);
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

std::optional<InputError> check_size(const char* name, double size) {
  if (size >= kSmallestLength && size <= kLargestLength) return std::nullopt;
  return bad_argument(name, fmt::format("{}", size), "not a usable size",
                      fmt::format("metres in [{}, {}]", kSmallestLength, kLargestLength));
}

std::optional<InputError> check_size_or_zero(const char* name, double size) {
  if (size == 0.0) return std::nullopt;
  auto error = check_size(name, size);
  if (error) error->right = "0 or " + error->right;
  return error;
}

std::optional<InputError> check_length(const char* name, double length) {
  if (std::fabs(length) <= kLargestLength) return std::nullopt;
  return bad_argument(name, fmt::format("{}", length), "not a usable coordinate",
                      fmt::format("metres in [-{0}, {0}]", kLargestLength));
}

std::optional<InputError> check_point(const char* name, const Vec3& point) {
  return first_error(check_length(name, point[0]), check_length(name, point[1]),
                     check_length(name, point[2]));
}

}  // namespace repose::shape
