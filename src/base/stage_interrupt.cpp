#include "repose/base/stage_interrupt.h"

#include "repose/base/work.h"

namespace repose {

namespace {
thread_local const std::atomic<bool>* stage_interrupt = nullptr;
}

StageInterrupt::StageInterrupt(const std::atomic<bool>& flag) : outer_(stage_interrupt) {
  stage_interrupt = &flag;
}

StageInterrupt::~StageInterrupt() {
  stage_interrupt = outer_;
}

void end_if_interrupted() {
  if (stage_interrupt != nullptr && stage_interrupt->load(std::memory_order_relaxed))
    throw Interrupted();
}

}  // namespace repose
