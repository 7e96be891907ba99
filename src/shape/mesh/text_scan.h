#pragma once

#include <charconv>
#include <limits>
#include <string>
#include <string_view>

#include "shape/define/validate.h"

namespace repose::shape {

/// Walks through text word by word, counting lines.
class TextScan {
 public:
  explicit TextScan(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool done() const { return at_ == end_; }
  int line() const { return line_; }
  const char* position() const { return at_; }

  /// The next word of this line; empty at its end.
  std::string_view word() {
    skip_blanks();
    const char* begin = at_;
    while (at_ != end_ && !is_space(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  /// The next word of this or a later line; empty at the end of the text.
  std::string_view word_anywhere() {
    std::string_view found = word();
    while (found.empty() && !done()) {
      next_line();
      found = word();
    }
    return found;
  }
  void next_line() {
    while (at_ != end_ && *at_ != '\n') ++at_;
    if (at_ != end_) ++at_, ++line_;
  }
  /// The rest of this line without its end; moves to the next.
  std::string_view rest_of_line() {
    const char* begin = at_;
    while (at_ != end_ && *at_ != '\n') ++at_;
    const char* stop = at_ != begin && at_[-1] == '\r' ? at_ - 1 : at_;
    next_line();
    return {begin, static_cast<std::size_t>(stop - begin)};
  }

  InputError fault_here(std::string_view value, std::string wrong, std::string right) const {
    constexpr std::size_t kShown = 40;
    InputError error =
        fault("", std::string(value.substr(0, kShown)), std::move(wrong), std::move(right));
    error.line = line_;
    return error;
  }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  void skip_blanks() {
    while (at_ != end_ && *at_ != '\n' && is_space(*at_)) ++at_;
  }

  const char* at_;
  const char* end_;
  int line_ = 1;
};

/// Reads all of `word` as a number; false if it is none. "nan" and "inf" read as what they say, a
/// number too large for a double as infinity.
inline bool read_number(std::string_view word, double* out) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), *out);
  if (code == std::errc::result_out_of_range) *out = std::numeric_limits<double>::infinity();
  return code != std::errc::invalid_argument && !word.empty() && stop == word.data() + word.size();
}

inline bool read_integer(std::string_view word, long long* out) {
  const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), *out);
  return code == std::errc() && stop == word.data() + word.size();
}

}  // namespace repose::shape
