#include "repose/world/problem.h"

namespace repose {

int Problem::find_body(const std::string& wanted) const {
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (bodies[i].name == wanted) return static_cast<int>(i);
  return -1;
}

}  // namespace repose
