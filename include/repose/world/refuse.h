#pragma once

#include <string>
#include <utility>

#include "repose/world/problem.h"

namespace repose {

/// An edit that cannot be made: the error's place is the edit's kind, its value the edit's target.
inline InputError refuse(const Edit& edit, std::string wrong, std::string right) {
  InputError error;
  error.pointer = edit.kind;
  error.value = edit.target;
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

}  // namespace repose
