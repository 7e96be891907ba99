#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace repose {

/// A JSON value to be written. Objects keep the order in which their members were added.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() : held_(nullptr) {}
  Json(bool b) : held_(b) {}                      // NOLINT: implicit by design
  Json(int i) : held_(std::int64_t{i}) {}         // NOLINT
  Json(std::int64_t i) : held_(i) {}              // NOLINT
  Json(double d) : held_(d) {}                    // NOLINT
  Json(const char* s) : held_(std::string(s)) {}  // NOLINT
  Json(std::string s) : held_(std::move(s)) {}    // NOLINT
  Json(Array a) : held_(std::move(a)) {}          // NOLINT
  Json(Object o) : held_(std::move(o)) {}         // NOLINT

  const Array* array() const { return std::get_if<Array>(&held_); }
  const Object* object() const { return std::get_if<Object>(&held_); }
  Object* object() { return std::get_if<Object>(&held_); }

  /// On one line; doubles with the fewest digits that read back to the same bits. Requires: no
  /// number is NaN or infinite.
  std::string line() const;
  /// Broken into lines, two blanks to a level; what fits into 100 columns stays on one.
  std::string pretty() const;

 private:
  void append_line(std::string& out) const;
  void append_pretty(std::string& out, std::size_t indent, std::size_t taken) const;
  std::size_t line_length(std::size_t limit) const;

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> held_;
};

/// The text in double quotes, escaped.
std::string quoted(const std::string& text);

}  // namespace repose
