#include "base64.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace repose::serve {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<std::string> from_base64(const std::string& text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::uint32_t bits = 0;
    int padded = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const char c = text[at + k];
      const bool last = at + 4 == text.size();
      const std::size_t digit = kDigits.find(c);
      // one or two '=' at the very end
      if (c == '=' && last && k >= 2)
        ++padded;
      else if (digit == std::string_view::npos || padded > 0)
        return std::nullopt;
      bits = bits << 6 | static_cast<std::uint32_t>(c == '=' ? 0 : digit);
    }
    const char bytes[] = {static_cast<char>(bits >> 16), static_cast<char>(bits >> 8),
                          static_cast<char>(bits)};
    out.append(bytes, static_cast<std::size_t>(3 - padded));
  }
  return out;
}

std::string to_base64(const std::string& bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k)
      bits = bits << 8 | (k < count ? static_cast<unsigned char>(bytes[at + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += k <= count ? kDigits[bits >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

}  // namespace repose::serve
