#pragma once

#include <string>

#include "repose/run/result.h"

namespace repose {

/// How a run ended, as part of a sentence: "at rest", "stuck before it came to rest".
const char* in_words(RunStatus status);

/// What to try after a promise of this run was missed: a sentence or two in plain words. Longer in
/// docs/what-now.md.
std::string advice(const Promise& missed, const RunResult& result);

}  // namespace repose
