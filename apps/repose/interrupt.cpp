#include "interrupt.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

#include <semaphore.h>
#include <tbb/task_scheduler_observer.h>
#include <unistd.h>

#include "repose/base/work.h"

namespace {

/// From Ctrl-C to the end of work that looks at its flag, and of work that does not: together with
/// saving below two seconds.
constexpr std::chrono::milliseconds kGrace{1000}, kLastGrace{500};

std::atomic<bool> interrupted = false;
std::atomic<bool> up = false;
std::atomic<const char*> said = kKept;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not wait");
sem_t asked;

std::mutex last_resort_lock;
std::function<void()> last_resort;

void on_signal(int signal) {
  const int kept = errno;
  const char* const words = said.load();
  if (!interrupted.exchange(true) && ::write(STDERR_FILENO, words, std::strlen(words)) < 0) {
    // nobody listens
  }
  sem_post(&asked);
  std::signal(signal, SIG_DFL);
  errno = kept;
}

/// Signals come to the main thread alone: threads that help it never take one.
void turn_deaf() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

class Deaf : public tbb::task_scheduler_observer {
 public:
  Deaf() { observe(true); }
  void on_scheduler_entry(bool is_helper) override {
    if (is_helper) turn_deaf();
  }
};

void watch() {
  turn_deaf();
  while (sem_wait(&asked) != 0) continue;
  std::this_thread::sleep_for(kGrace);
  up = true;
  std::this_thread::sleep_for(kLastGrace);
  const std::lock_guard lock(last_resort_lock);
  if (last_resort) last_resort();
}

}  // namespace

const std::atomic<bool>& catch_interrupts(const char* words) {
  said = words;
  static const bool watched = [] {
    sem_init(&asked, 0, 0);
    std::thread(watch).detach();
    return true;
  }();
  static_cast<void>(watched);
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

const std::atomic<bool>& time_is_up() {
  return up;
}

LastResort::LastResort(std::function<void()> act) {
  const std::lock_guard lock(last_resort_lock);
  last_resort = std::move(act);
}

LastResort::~LastResort() {
  const std::lock_guard lock(last_resort_lock);
  last_resort = nullptr;
}
