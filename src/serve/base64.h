#pragma once

#include <optional>
#include <string>

namespace repose::serve {

/// The bytes that a base64 text (RFC 4648, padded) stands for; nothing where it is none.
std::optional<std::string> from_base64(const std::string& text);
std::string to_base64(const std::string& bytes);

}  // namespace repose::serve
