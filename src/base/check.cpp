#include "repose/base/check.h"

#include <fmt/format.h>

namespace repose {

void broken_promise(const char* condition, const char* file, int line, const std::string& detail) {
  throw BrokenPromise(fmt::format("{}:{}: promise broken: {}{}{}", file, line, condition,
                                  detail.empty() ? "" : ": ", detail));
}

}  // namespace repose
