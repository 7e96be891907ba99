#pragma once

#include <algorithm>

#include "tbb/blocked_range.h"
#include "tbb/plain_threads.h"

namespace tbb {

template <class Index, class Body>
void parallel_for(Index begin, Index end, const Body& body) {
  if (begin < end)
    plain::share(static_cast<std::size_t>(end - begin),
                 [&](std::size_t i) { body(static_cast<Index>(begin + static_cast<Index>(i))); });
}

template <class Value, class Body>
void parallel_for(const blocked_range<Value>& range, const Body& body) {
  const std::size_t grain = range.grainsize();
  plain::share((range.size() + grain - 1) / grain, [&](std::size_t block) {
    const Value begin = range.begin() + static_cast<Value>(block * grain);
    body(blocked_range<Value>(begin, std::min(range.end(), begin + static_cast<Value>(grain))));
  });
}

}  // namespace tbb
