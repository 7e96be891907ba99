#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

// Stands in for oneTBB under the thread sanitizer (preset tsan). The packaged library is not
// compiled for the sanitizer, which therefore does not see how its tasks wait for each other and
// calls every hand-over a race. Here the same calls run on plain threads, which it sees: what it
// then reports is ours. Only the calls that Repose uses.

namespace tbb {

namespace plain {

inline constexpr int kThreads = 4;
inline thread_local bool inside = false;  // nested loops run in the thread they are met in

/// body(i) for i in [0, count), each once, in no promised order.
template <class Body>
void share(std::size_t count, const Body& body) {
  if (inside || count < 2) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      inside = true;
      for (std::size_t i = next++; i < count; i = next++) body(i);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace plain

}  // namespace tbb
