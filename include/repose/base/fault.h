#pragma once

#include <string>

#include "repose/base/result.h"

namespace repose {

/// Bad input at a place of its document: a JSON pointer, what stands there, what is wrong with it
/// and what would be right. Who knows the file adds it.
InputError fault(std::string pointer, std::string value, std::string wrong, std::string right);

}  // namespace repose
