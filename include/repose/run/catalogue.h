#pragma once

#include <string>
#include <vector>

#include "repose/world/method.h"

namespace repose {

/// Every method of the house, in the order in which they are shown.
const std::vector<MethodInfo>& method_catalogue();

/// The method of that name; the error lists those there are.
Result<const MethodInfo*> find_method(const std::string& name);

/// All settings of a method: the given values checked and set over the defaults.
Result<SettingValues> complete_settings(const MethodInfo& method, const SettingValues& given);
/// The same over other values than the defaults, which are complete.
Result<SettingValues> complete_settings(const MethodInfo& method, const SettingValues& given,
                                        SettingValues over);

}  // namespace repose
