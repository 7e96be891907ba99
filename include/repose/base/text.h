#pragma once

#include <string>
#include <string_view>

namespace repose {

/// Well-formed UTF-8 throughout.
bool is_utf8(std::string_view text);

enum class LineEnds { kept, escaped };
/// A text that a terminal shows and does not obey: control characters, and those that turn the
/// direction of writing, stand as \u001b (which JSON reads as the same character), bytes that are
/// no text as \x9b. Tabs stay; line ends where they are kept.
std::string shown_text(std::string_view text, LineEnds line_ends);

/// "1 step", "2 steps", "2 bodies".
std::string count_of(long count, std::string_view noun);

}  // namespace repose
