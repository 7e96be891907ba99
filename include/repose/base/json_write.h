#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace repose {

class JsonView;

/// A JSON value to be written. Objects keep the order in which their members were added; who adds
/// one without asking whether it is there sees to it that keys differ.
class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;

  Json() : held_(nullptr) {}
  Json(bool b) : held_(b) {}                      // NOLINT: implicit by design
  Json(double d) : held_(d) {}                    // NOLINT
  Json(const char* s) : held_(std::string(s)) {}  // NOLINT
  Json(std::string s) : held_(std::move(s)) {}    // NOLINT
  Json(Array a) : held_(std::move(a)) {}          // NOLINT
  Json(Object o) : held_(std::move(o)) {}         // NOLINT
  template <std::integral Whole>
  requires(!std::same_as<Whole, bool>) Json(Whole i)
      : held_(static_cast<std::int64_t>(i)) {}  // NOLINT
  /// A copy of what was read.
  explicit Json(const JsonView& read);

  const Array* array() const { return std::get_if<Array>(&held_); }
  const Object* object() const { return std::get_if<Object>(&held_); }
  Object* object() { return std::get_if<Object>(&held_); }
  Array* array() { return std::get_if<Array>(&held_); }

  /// The member of that name of an object, added at its end if there is none. Requires: an object.
  Json& operator[](std::string_view key);
  /// Adds an element. Requires: an array.
  void push_back(Json element);

  /// On one line; doubles with the fewest digits that read back to the same bits. Requires: no
  /// number is NaN or infinite.
  std::string line() const;
  /// Broken into lines, two blanks to a level; what fits into 100 columns stays on one.
  std::string pretty() const;
  /// The same with every element and member on a line of its own.
  std::string tall() const;

 private:
  void append_line(std::string& out) const;
  void append_pretty(std::string& out, std::size_t indent, std::size_t taken,
                     std::size_t columns) const;
  std::size_t line_length(std::size_t limit) const;

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> held_;
};

/// The number, or null if it is not finite: what is not known is null.
Json known(double number);

/// The text in double quotes, escaped. Bytes that are no UTF-8 become U+FFFD.
std::string quoted(const std::string& text);

}  // namespace repose
