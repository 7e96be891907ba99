#include "shape/mesh/text_scan.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "repose/base/work.h"

namespace repose::shape {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 16;

bool ends_line(char c) {
  return c == '\n' || c == '\r';
}
bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

}  // namespace

TextScan::TextScan(const Bytes& bytes, std::uint64_t at, int first_line)
    : bytes_(bytes), window_(kWindow), next_(at), line_(first_line) {
  if (at == 0 && peek(0) == 0xEF && peek(1) == 0xBB && peek(2) == 0xBF) at_ += 3;
}

bool TextScan::more() {
  spend_work(1);
  const std::size_t kept = end_ - at_;
  std::memmove(window_.data(), window_.data() + at_, kept);
  const std::size_t got = bytes_.read(next_, window_.data() + kept, window_.size() - kept);
  at_ = 0;
  end_ = kept + got;
  next_ += got;
  return got > 0;
}

int TextScan::peek(std::size_t ahead) {
  if (at_ + ahead >= end_) more();
  return at_ + ahead < end_ ? static_cast<unsigned char>(window_[at_ + ahead]) : -1;
}

std::size_t TextScan::join_at(std::size_t ahead) {
  if (peek(ahead) != '\\') return 0;
  if (peek(ahead + 1) == '\n') return 1;
  if (peek(ahead + 1) != '\r') return 0;
  return peek(ahead + 2) == '\n' ? 2 : 1;
}

void TextScan::skip_blanks() {
  for (;;) {
    while (at_ < end_ && is_space(window_[at_]) && !ends_line(window_[at_])) ++at_;
    if (at_ == end_) {
      if (!more()) return;
      continue;
    }
    if (window_[at_] != '\\') return;
    const std::size_t joined = join_at(0);
    if (joined == 0) return;
    at_ += 1 + joined;
    ++line_;
  }
}

std::string_view TextScan::word() {
  skip_blanks();
  std::size_t length = 0;
  for (;;) {
    while (at_ + length < end_ && !is_space(window_[at_ + length])) ++length;
    if (at_ + length < end_ || length > kMaxWord || !more()) break;
  }
  // "3\" at the end of a line is a word and a join
  if (length > 1 && window_[at_ + length - 1] == '\\' && join_at(length - 1) > 0) --length;
  at_ += length;
  return {window_.data() + at_ - length, std::min(length, kMaxWord + 1)};
}

std::string_view TextScan::word_anywhere() {
  std::string_view found = word();
  while (found.empty() && !done()) {
    next_line();
    found = word();
  }
  return found;
}

void TextScan::skip_to_line_end() {
  do {
    while (at_ < end_ && !ends_line(window_[at_])) ++at_;
  } while (at_ == end_ && more());
}

std::string_view TextScan::next_line() {
  skip_to_line_end();
  if (at_ == end_) return "";
  ++line_;
  const bool carriage = window_[at_] == '\r';
  const bool both = carriage && peek(1) == '\n';
  at_ += both ? 2 : 1;
  return both ? "\r\n" : carriage ? "\r" : "\n";
}

void TextScan::next_line_ending(std::string_view end) {
  skip_to_line_end();
  for (std::size_t k = 0; k < end.size() && peek() == end[k]; ++k) ++at_;
  ++line_;
}

Fault TextScan::coordinate(const char* form, double* out) {
  const std::string_view found = word();
  if (!read_number(found, out)) return fault_here(found, "a vertex coordinate is no number", form);
  if (const char* wrong = wrong_coordinate(*out))
    return fault_here(found, wrong, fmt::format("metres within {} of the origin", kMaxLength));
  return {};
}

Fault TextScan::not_text(std::string_view key) const {
  if (key.find('\0') == std::string_view::npos) return {};
  return fault_here("", "a zero byte: this is no text", "a text file");
}

InputError TextScan::fault_here(std::string_view value, std::string wrong,
                                std::string right) const {
  constexpr std::size_t kShown = 40;
  InputError error =
      fault("", std::string(value.substr(0, kShown)), std::move(wrong), std::move(right));
  error.line = line_;
  return error;
}

bool read_number(std::string_view word, double* out) {
  if (!word.empty() && word[0] == '+') word.remove_prefix(1);
  if (word.empty() || word.size() > TextScan::kMaxWord || word[0] == '+') return false;
  const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), *out);
  if (code == std::errc::invalid_argument || stop != word.data() + word.size()) return false;
  // beyond a double's range: strtod tells the large from the small
  if (code == std::errc::result_out_of_range)
    *out = std::strtod(std::string(word).c_str(), nullptr);
  return true;
}

bool read_integer(std::string_view word, long long* out) {
  const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), *out);
  return code == std::errc() && stop == word.data() + word.size();
}

bool same_word(std::string_view word, std::string_view lower_case) {
  if (word.size() != lower_case.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c =
        word[i] >= 'A' && word[i] <= 'Z' ? static_cast<char>(word[i] - 'A' + 'a') : word[i];
    if (c != lower_case[i]) return false;
  }
  return true;
}

const char* wrong_coordinate(double value) {
  if (std::fabs(value) <= kMaxLength) return nullptr;
  return std::isfinite(value) ? "a coordinate is too large" : "a coordinate is not a finite number";
}

}  // namespace repose::shape
