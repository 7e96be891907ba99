#include "shape/define/validate.h"

#include <cmath>

#include <fmt/format.h>

namespace repose::shape {

std::string number_text(double number) {
  return fmt::format("{}", number);
}

std::string point_text(const Vec3& point) {
  return fmt::format("[{}, {}, {}]", point.x(), point.y(), point.z());
}

Fault check_length(const std::string& pointer, double length) {
  if (length >= kMinLength && length <= kMaxLength) return {};
  const char* wrong = !std::isfinite(length) ? "the length is not a finite number"
                      : length <= 0.0        ? "the length is not positive"
                      : length < kMinLength  ? "the length is too small"
                                             : "the length is too large";
  return fault(pointer, number_text(length), wrong,
               fmt::format("metres in [{}, {}]", kMinLength, kMaxLength));
}

Fault check_length_or_zero(const std::string& pointer, double length) {
  if (length == 0.0) return {};
  auto found = check_length(pointer, length);
  if (found) found->right = "0 or " + found->right;
  return found;
}

Fault check_coordinate(const std::string& pointer, double coordinate) {
  if (std::fabs(coordinate) <= kMaxLength) return {};
  return fault(pointer, number_text(coordinate),
               std::isfinite(coordinate) ? "the coordinate is too large"
                                         : "the coordinate is not a finite number",
               fmt::format("metres in [-{0}, {0}]", kMaxLength));
}

Fault check_point(const std::string& pointer, const Vec3& point) {
  for (int i = 0; i < 3; ++i)
    if (!(std::fabs(point[i]) <= kMaxLength))
      return fault(pointer, point_text(point),
                   std::isfinite(point[i]) ? "a coordinate is too large"
                                           : "a coordinate is not a finite number",
                   fmt::format("metres within {} of the origin", kMaxLength));
  return {};
}

Fault check_point(const std::string& pointer, const Vec2& point) {
  auto found = check_point(pointer, Vec3(point.x(), point.y(), 0.0));
  if (found) found->value = fmt::format("[{}, {}]", point.x(), point.y());
  return found;
}

Fault check_count(const std::string& pointer, std::size_t count, std::size_t low,
                  std::size_t high) {
  if (count >= low && count <= high) return {};
  return fault(pointer, fmt::format("{} entries", count),
               count < low ? "there are too few" : "there are too many",
               fmt::format("{} to {} entries", low, high));
}

Fault check_index(const std::string& pointer, int index, std::size_t size) {
  if (index >= 0 && static_cast<std::size_t>(index) < size) return {};
  return fault(pointer, std::to_string(index), "the index names nothing",
               fmt::format("an index in [0, {}]", size == 0 ? 0 : size - 1));
}

}  // namespace repose::shape
