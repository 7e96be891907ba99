#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace repose {

/// The character at `at`; length 0 if it is malformed (overlong, a surrogate, too large).
struct Utf8Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // bytes
};
Utf8Character utf8_character(std::string_view text, std::size_t at);
/// Bytes of the well-formed UTF-8 character at `at`; 0 if there is none.
std::size_t utf8_length(std::string_view text, std::size_t at);
void append_utf8(std::string& out, std::uint32_t code);
/// Bytes of the JSON escape at `at` (a surrogate pair counts as one); 0 if it is malformed.
std::size_t escape_length(std::string_view text, std::size_t at);
/// Appends what the escape at `at` stands for. Requires: escape_length > 0.
void append_unescaped(std::string& out, std::string_view text, std::size_t at);
/// The character at `at` for messages: quoted, or its code.
std::string shown_character(std::string_view text, std::size_t at);

}  // namespace repose
