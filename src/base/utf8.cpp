#include "utf8.h"

#include <fmt/format.h>

namespace repose {

namespace {

// four hexadecimal digits, or -1
int hex4(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return -1;
  int out = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = text[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    out = out * 16 + digit;
  }
  return out;
}

constexpr std::string_view kEscapes = "\"\\/bfnrt";
constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";

}  // namespace

Utf8Character utf8_character(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return {};
  std::uint32_t code = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0u) != 0x80u) return {};
    code = (code << 6) | (byte & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {};
  return {code, length};
}

std::size_t utf8_length(std::string_view text, std::size_t at) {
  return utf8_character(text, at).length;
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto byte = [&out](std::uint32_t b) { out += static_cast<char>(b); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6));
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | (code >> 18));
    byte(0x80 | ((code >> 12) & 0x3F));
    byte(0x80 | ((code >> 6) & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

std::size_t escape_length(std::string_view text, std::size_t at) {
  if (at + 1 >= text.size()) return 0;
  if (kEscapes.find(text[at + 1]) != std::string_view::npos) return 2;
  if (text[at + 1] != 'u') return 0;
  const int code = hex4(text, at + 2);
  if (code < 0 || (code >= 0xDC00 && code < 0xE000)) return 0;
  if (code < 0xD800 || code >= 0xE000) return 6;
  // a leading surrogate needs its other half
  if (text.substr(at + 6, 2) != "\\u") return 0;
  const int low = hex4(text, at + 8);
  return low >= 0xDC00 && low < 0xE000 ? 12 : 0;
}

void append_unescaped(std::string& out, std::string_view text, std::size_t at) {
  const auto plain = kEscapes.find(text[at + 1]);
  if (plain != std::string_view::npos) {
    out += kMeanings[plain];
    return;
  }
  const auto high = static_cast<std::uint32_t>(hex4(text, at + 2));
  if (high < 0xD800 || high >= 0xE000) return append_utf8(out, high);
  const auto low = static_cast<std::uint32_t>(hex4(text, at + 8));
  append_utf8(out, 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
}

std::string shown_character(std::string_view text, std::size_t at) {
  const auto c = static_cast<unsigned char>(text[at]);
  if (c < 0x20 || c == 0x7F) return fmt::format("the character with code {}", c);
  const std::size_t length = utf8_length(text, at);
  if (length == 0) return fmt::format("the byte {:#x}", c);
  return fmt::format("'{}'", text.substr(at, length));
}

}  // namespace repose
