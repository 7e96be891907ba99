#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "repose/base/result.h"

namespace repose::farm {

struct Process {
  std::vector<std::string> words;  // the program first
  std::filesystem::path log;       // what it says lands there
  double seconds = 0.0;            // it may take; 0: no limit
  double memory_mb = 0.0;          // of data; 0: no limit
};

/// How a process ended.
struct Ended {
  std::int64_t number = 0;
  int exit_code = -1;  // -1: a signal ended it
  int signal = 0;
  bool timed_out = false;
  double cpu_seconds = 0.0, wall_seconds = 0.0, memory_mb = 0.0;
};

/// Processes side by side. They die with this one, however it dies.
class Pool {
 public:
  Pool() = default;
  /// Ends what still runs.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  Result<Done> start(std::int64_t number, const Process& process);
  std::size_t size() const { return running_.size(); }
  /// Those that have ended within `wait`; those over their time are told to end, and ended where
  /// they do not.
  std::vector<Ended> wait(std::chrono::milliseconds wait);

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::int64_t number = 0;
    int pid = -1;
    int watch = -1;  // a descriptor that becomes readable when it ends
    double seconds = 0.0;
    Clock::time_point since;
    bool asked = false;  // to end
  };
  void end_late(Running& one) const;

  std::vector<Running> running_;
};

}  // namespace repose::farm
