#include "interrupt.h"

#include <csignal>

#include <tbb/task_scheduler_observer.h>

#include "repose/base/work.h"

namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait");

void on_signal(int signal) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(signal, SIG_DFL);
}

/// Signals come to the main thread alone: threads that help it never take one.
class Deaf : public tbb::task_scheduler_observer {
 public:
  Deaf() { observe(true); }
  void on_scheduler_entry(bool is_helper) override {
    if (!is_helper) return;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
  }
};

}  // namespace

const std::atomic<bool>& catch_interrupts() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  // the terminal is gone, the run need not be
  std::signal(SIGHUP, on_signal);
  // writing past a size limit is an error to be named, not a reason to die
  std::signal(SIGXFSZ, SIG_IGN);
  static Deaf helpers;
  repose::watch_interrupt(interrupted);
  return interrupted;
}
