#pragma once

#include <cstddef>

namespace repose {

/// An index as containers take it; it is not negative.
constexpr std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace repose
