#include "repose/base/text.h"

#include <cstdint>

#include <fmt/format.h>

#include "utf8.h"

namespace repose {

namespace {

/// Characters that act on a terminal instead of being seen (Unicode 15, chapters 23.1 and 23.2).
bool acts(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool line_end = code == 0x2028 || code == 0x2029;
  const bool direction = code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
                         (code >= 0x2066 && code <= 0x2069);
  return control || line_end || direction;
}

}  // namespace

bool is_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t length = utf8_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

std::string shown_text(std::string_view text, LineEnds line_ends) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Character c = utf8_character(text, at);
    const bool stays = c.code == '\t' || (c.code == '\n' && line_ends == LineEnds::kept);
    if (c.length == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
    else if (acts(c.code) && !stays)
      out += fmt::format("\\u{:04x}", c.code);
    else
      out += text.substr(at, c.length);
    at += c.length == 0 ? 1 : c.length;
  }
  return out;
}

std::string count_of(long count, std::string_view noun) {
  std::string out = std::to_string(count) + ' ' + std::string(noun);
  if (count == 1) return out;
  if (noun.ends_with('y')) return out.replace(out.size() - 1, 1, "ies");
  return out + 's';
}

}  // namespace repose
