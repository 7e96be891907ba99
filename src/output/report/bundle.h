#pragma once

#include <optional>
#include <string_view>

namespace repose::report {

/// A file of the front end that was built into this program; none where it was built without.
std::optional<std::string_view> bundled(std::string_view name);

}  // namespace repose::report
