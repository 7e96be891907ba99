#pragma once

#include <atomic>

namespace repose {

/// While alive, stages of steps on this thread (StageScope) look at this flag as they begin, and
/// end by Interrupted (work.h) where it is set.
class StageInterrupt {
 public:
  explicit StageInterrupt(const std::atomic<bool>& flag);
  ~StageInterrupt();
  StageInterrupt(const StageInterrupt&) = delete;
  StageInterrupt& operator=(const StageInterrupt&) = delete;

 private:
  const std::atomic<bool>* outer_;
};
/// What a stage does as it begins.
void end_if_interrupted();

}  // namespace repose
