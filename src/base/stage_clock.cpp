#include "repose/base/stage_clock.h"

#include <ctime>

#include "repose/base/stage_interrupt.h"

namespace repose {

namespace {
thread_local StageClock* current_clock = nullptr;
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  constexpr double kNanosecond = 1e-9;
  return static_cast<double>(now.tv_sec) + kNanosecond * static_cast<double>(now.tv_nsec);
}

StageClock::Use::Use(StageClock& clock) : outer_(current_clock) {
  current_clock = &clock;
}

StageClock::Use::~Use() {
  current_clock = outer_;
}

StageScope::StageScope(const char* stage)
    : stage_(stage), start_(current_clock == nullptr ? 0.0 : cpu_seconds()) {
  end_if_interrupted();
}

StageScope::~StageScope() {
  if (current_clock != nullptr) current_clock->add(stage_, cpu_seconds() - start_);
}

}  // namespace repose
