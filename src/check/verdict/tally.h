#pragma once

#include "repose/check/effort.h"

namespace repose::check {

/// The effort of this thread since it began.
inline constinit thread_local Effort tally;

/// Adds what `work` spends to `sum`.
template <class Work>
auto counted(Effort& sum, const Work& work) {
  struct Adds {
    Effort& sum;
    Effort before = tally;
    ~Adds() { sum += tally - before; }
  };
  const Adds adds{sum};
  return work();
}

}  // namespace repose::check
