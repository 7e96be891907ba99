#include "usda_scan.h"

#include <fmt/format.h>

namespace repose::handover {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == ':' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

void UsdScan::refuse_at(std::size_t byte, std::string wrong, std::string right) const {
  throw Refused{layer_.error(byte, "", std::move(wrong), std::move(right))};
}

void UsdScan::skip_blanks() {
  while (!ends()) {
    if (peek() == '#') {
      at_ = std::min(layer_.text.find('\n', at_), end_);
    } else if (is_blank(peek())) {
      ++at_;
    } else {
      return;
    }
  }
}

void UsdScan::skip_breaks() {
  skip_blanks();
  while (take(';')) skip_blanks();
}

bool UsdScan::take(char c) {
  if (peek() != c || ends()) return false;
  ++at_;
  return true;
}

void UsdScan::expect(char c, const char* where) {
  skip_blanks();
  if (!take(c)) refuse(fmt::format("no '{}' {}", c, where), fmt::format("'{}'", c));
}

std::string UsdScan::word() {
  const std::size_t begin = at_;
  while (!ends() && is_word(peek())) ++at_;
  return layer_.text.substr(begin, at_ - begin);
}

std::string UsdScan::quoted() {
  const std::size_t begin = at_;
  if (!is_quote()) refuse("no text in quotes", "\"...\"");
  const std::string mark(1, peek());
  const std::string three = mark + mark + mark;
  const bool tall = layer_.text.compare(at_, 3, three) == 0;
  const std::string close = tall ? three : mark;
  at_ += close.size();
  std::string out;
  while (!ends()) {
    if (layer_.text.compare(at_, close.size(), close) == 0) {
      at_ += close.size();
      return out;
    }
    if (!tall && peek() == '\n') break;
    if (peek() == '\\' && at_ + 1 < end_) ++at_;
    out += peek();
    ++at_;
  }
  refuse_at(begin, "a text without its closing quote", "a quote at its end");
}

std::string UsdScan::asset() {
  const std::size_t begin = at_;
  const std::string close = layer_.text.compare(at_, 3, "@@@") == 0 ? "@@@" : "@";
  at_ += close.size();
  const std::size_t end = layer_.text.find(close, at_);
  if (end == std::string::npos || end >= end_)
    refuse_at(begin, "a file's name without its closing @", "@file@");
  std::string out = layer_.text.substr(at_, end - at_);
  at_ = end + close.size();
  return out;
}

std::string UsdScan::path() {
  const std::size_t begin = at_++;
  const std::size_t end = layer_.text.find('>', at_);
  if (end == std::string::npos || end >= end_)
    refuse_at(begin, "a path without its closing >", "</a/path>");
  std::string out = layer_.text.substr(at_, end - at_);
  at_ = end + 1;
  return out;
}

void UsdScan::skip_brackets() {
  std::string open;
  const std::size_t begin = at_;
  do {
    skip_blanks();
    if (ends()) refuse_at(begin, "brackets that do not close", "as many closing ones as opening");
    const char c = peek();
    if (is_quote()) {
      quoted();
    } else if (c == '@') {
      asset();
    } else if (c == '(' || c == '[' || c == '{') {
      open += c == '(' ? ')' : c == '[' ? ']' : '}';
      if (open.size() > kDeepestUsd)
        refuse("brackets lie too deep within one another", fmt::format("at most {}", kDeepestUsd));
      ++at_;
    } else if (c == ')' || c == ']' || c == '}') {
      if (open.empty() || open.back() != c) refuse("a bracket that closes no other", "none here");
      open.pop_back();
      ++at_;
    } else {
      ++at_;
    }
  } while (!open.empty());
}

UsdRange UsdScan::value() {
  skip_blanks();
  const std::size_t begin = at_;
  const char c = peek();
  if (c == '(' || c == '[' || c == '{') {
    skip_brackets();
  } else if (is_quote()) {
    quoted();
  } else if (c == '@') {
    asset();
    if (peek() == '<') path();
  } else if (c == '<') {
    path();
  } else {
    while (!ends() && (is_word(peek()) || peek() == '+' || peek() == '-' || peek() == '.')) ++at_;
    if (at_ == begin) refuse("no value", "a number, a text, a list, ...");
  }
  return {begin, at_};
}

}  // namespace repose::handover
