#include "interrupt.h"

#include <csignal>

#include "repose/base/work.h"

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait");

void on_signal(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // the terminal is gone, the run need not be
  std::signal(SIGHUP, on_signal);
  // writing past a size limit is an error to be named, not a reason to die
  std::signal(SIGXFSZ, SIG_IGN);
  repose::watch_interrupt(interrupted);
  return interrupted;
}
