#pragma once

#include <thread>
#include <utility>
#include <vector>

#include "tbb/plain_threads.h"

namespace tbb {

/// Each task in a thread of its own, until all are waited for.
class task_group {
 public:
  ~task_group() { wait(); }
  template <class Body>
  void run(Body body) {
    threads_.emplace_back([body = std::move(body)] {
      plain::inside = true;
      body();
    });
  }
  void wait() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace tbb
