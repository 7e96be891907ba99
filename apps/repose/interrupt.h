#pragma once

#include <atomic>
#include <functional>

/// What a run that is stopped says.
inline constexpr const char* kKept =
    "\nstopping; what was computed is kept (Ctrl-C again: end at once)\n";

/// From now on the first Ctrl-C (SIGTERM, SIGHUP) sets this flag and says these words at once; the
/// second ends the program at once. Requires: the words live as long as the program.
const std::atomic<bool>& catch_interrupts(const char* words = kKept);

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
