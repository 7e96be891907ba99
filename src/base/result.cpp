#include "repose/base/result.h"

#include <fmt/format.h>

namespace repose {

std::string InputError::text() const {
  std::string out = file;
  if (line > 0) out += fmt::format(":{}", line);
  if (column > 0) out += fmt::format(":{}", column);
  if (!out.empty()) out += ": ";
  if (!pointer.empty()) out += pointer + ": ";
  out += wrong;
  if (!value.empty()) out += fmt::format(" (got {})", value);
  if (!right.empty()) out += "; " + right;
  return out;
}

}  // namespace repose
