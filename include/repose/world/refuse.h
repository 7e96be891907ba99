#pragma once

#include <string>
#include <utility>

#include "repose/base/fault.h"
#include "repose/world/problem.h"

namespace repose {

/// An edit that cannot be made: the error's place is the edit's kind, its value the edit's target.
inline InputError refuse(const Edit& edit, std::string wrong, std::string right) {
  return fault(name_of(edit.kind), edit.target, std::move(wrong), std::move(right));
}

/// A body that cannot be taken: the error's place and value are the body's.
inline InputError refuse_body(const Problem& problem, std::size_t body, std::string wrong,
                              std::string right) {
  return fault("/bodies/" + std::to_string(body), problem.bodies[body].name, std::move(wrong),
               std::move(right));
}

}  // namespace repose
