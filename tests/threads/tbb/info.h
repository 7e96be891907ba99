#pragma once

#include "tbb/plain_threads.h"

namespace tbb::info {

inline int default_concurrency() {
  return plain::kThreads;
}

}  // namespace tbb::info
