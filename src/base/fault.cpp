#include "repose/base/fault.h"

#include <utility>

namespace repose {

InputError fault(std::string pointer, std::string value, std::string wrong, std::string right) {
  InputError error;
  error.pointer = std::move(pointer);
  error.value = std::move(value);
  error.wrong = std::move(wrong);
  error.right = std::move(right);
  return error;
}

}  // namespace repose
