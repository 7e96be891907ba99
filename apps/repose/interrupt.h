#pragma once

#include <atomic>
#include <functional>

/// From now on the first Ctrl-C (SIGTERM, SIGHUP) sets this flag and says so at once; the second
/// ends the program at once.
const std::atomic<bool>& catch_interrupts();

/// Set a second after the first Ctrl-C: work that is still under way ends where it stands.
const std::atomic<bool>& time_is_up();

/// While alive: what to do if work goes on even after that. Called once, from another thread; it
/// saves what there is and ends the program. The destructor waits while it is being called.
class LastResort {
 public:
  explicit LastResort(std::function<void()> act);
  ~LastResort();
  LastResort(const LastResort&) = delete;
  LastResort& operator=(const LastResort&) = delete;
};
