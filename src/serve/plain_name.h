#pragma once

#include <string>

namespace repose::serve {

/// Letters, digits, '-' and '_' alone, and not too many: what a page may call a file or a folder.
bool is_plain(const std::string& name);

}  // namespace repose::serve
