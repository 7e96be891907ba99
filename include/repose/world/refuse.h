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

}  // namespace repose
