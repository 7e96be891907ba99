#include "repose/base/hash.h"

#include <fmt/format.h>

namespace repose {

std::string Hash::hex() const {
  return fmt::format("{:016x}", state_);
}

}  // namespace repose
