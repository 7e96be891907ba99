#pragma once

namespace tbb {

class task_arena {
 public:
  explicit task_arena(int) {}
  template <class Body>
  auto execute(const Body& body) {
    return body();
  }
};

namespace this_task_arena {

template <class Body>
auto isolate(const Body& body) {
  return body();
}

}  // namespace this_task_arena

}  // namespace tbb
