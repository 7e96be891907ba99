#pragma once

#include "repose/check/effort.h"

namespace repose::check {

/// By this thread since it began.
inline constinit thread_local Effort spent;

/// Adds what `work` spends to `sum`.
template <class Work>
auto counted(Effort& sum, const Work& work) {
  struct Adds {
    Effort& sum;
    Effort before = spent;
    ~Adds() { sum += spent - before; }
  };
  const Adds adds{sum};
  return work();
}

}  // namespace repose::check
