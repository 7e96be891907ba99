#pragma once

namespace tbb {

class task_scheduler_observer {
 public:
  virtual ~task_scheduler_observer() = default;
  void observe(bool) {}
  virtual void on_scheduler_entry(bool) {}
};

}  // namespace tbb
