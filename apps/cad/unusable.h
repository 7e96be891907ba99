#pragma once

#include <string>

namespace cad {

/// What cannot be handed over, in words.
struct Unusable {
  std::string wrong, right;
};

}  // namespace cad
