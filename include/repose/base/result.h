#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "repose/base/check.h"

namespace repose {

/// Bad input, told so that its author can mend it: where it stands, what stands there, what would
/// be right. Fields that do not apply stay empty (line 0).
struct InputError {
  std::string file;
  int line = 0;         // 1-based
  int column = 0;       // 1-based
  std::string pointer;  // JSON pointer, e.g. "/bodies/3/shape"
  std::string value;    // the offending text, shortened
  std::string wrong;    // what is wrong
  std::string right;    // what would be right

  /// "file:line: /pointer: what is wrong (got VALUE); what would be right"
  std::string text() const;
};

/// A value or the InputError that prevented it. The first of the three roads when things go wrong.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : held_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  Result(InputError error) : held_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  explicit operator bool() const { return held_.index() == 0; }

  const T& value() const& {
    REPOSE_CHECK(held_.index() == 0, std::get_if<1>(&held_)->text());
    return *std::get_if<0>(&held_);
  }
  T& value() & {
    REPOSE_CHECK(held_.index() == 0, std::get_if<1>(&held_)->text());
    return *std::get_if<0>(&held_);
  }
  T value() && {
    REPOSE_CHECK(held_.index() == 0, std::get_if<1>(&held_)->text());
    return std::move(*std::get_if<0>(&held_));
  }
  const InputError& error() const {
    REPOSE_CHECK(held_.index() == 1);
    return *std::get_if<1>(&held_);
  }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

 private:
  std::variant<T, InputError> held_;
};

/// The answer of an operation that has no value to give.
struct Done {};

}  // namespace repose
