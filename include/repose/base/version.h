#pragma once

namespace repose {

inline constexpr const char* kVersion = "0.1.0";

}  // namespace repose
