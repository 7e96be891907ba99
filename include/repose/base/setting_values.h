#pragma once

#include <array>
#include <optional>
#include <string>

#include "repose/base/settings.h"

namespace repose {

// The value of that name; `otherwise` where it is absent or of another kind.

/// Integers are numbers.
double number_or(const SettingValues& values, const std::string& name, double otherwise);
bool flag_or(const SettingValues& values, const std::string& name, bool otherwise);
std::string text_or(const SettingValues& values, const std::string& name,
                    const std::string& otherwise);
/// Nothing where it is absent or of another kind.
std::optional<std::array<double, 3>> vector_in(const SettingValues& values,
                                               const std::string& name);

}  // namespace repose
