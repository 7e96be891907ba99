#pragma once

#include <string>

#include "repose/check/input.h"
#include "repose/check/verdict.h"

// the judge's own door: what is no number, or no question, is refused whoever asks

namespace repose::check {

/// Why there is nothing to judge, in one sentence: a body without a shape, a number that is none or
/// out of its range, a load or joint on a body that is not there. Empty: all is well.
std::string fault_of(const Input& input);

/// Why no question can be asked so: a tolerance or another setting that is no number or out of its
/// range. Empty: all is well.
std::string fault_of(const Settings& settings);

}  // namespace repose::check
