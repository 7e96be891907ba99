#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

namespace repose {

/// From now on work within a WorkLimit looks at this flag and ends where it is set. Whoever starts
/// the program says so once; the flag must outlive all work.
void watch_interrupt(const std::atomic<bool>& flag);

/// Work was asked to end before its answer.
class Interrupted : public std::exception {
 public:
  const char* what() const noexcept override { return "interrupted"; }
};

/// A WorkLimit has been used up.
class WorkSpent : public std::exception {
 public:
  explicit WorkSpent(const char* stage) : stage_(stage) {}
  const char* what() const noexcept override { return "too much work"; }
  /// What was being done (see WorkStage).
  const char* stage() const { return stage_; }

 private:
  const char* stage_;
};

/// While alive, this thread may spend that many units of work, within what an outer limit leaves.
/// A unit is one evaluation of a surface or the like, a fraction of a microsecond. Counts, not
/// clocks: the same input is refused or accepted on every machine.
class WorkLimit {
 public:
  explicit WorkLimit(std::uint64_t units);
  ~WorkLimit();
  WorkLimit(const WorkLimit&) = delete;
  WorkLimit& operator=(const WorkLimit&) = delete;

 private:
  std::uint64_t withheld_;  // from the outer limit
};

/// Names what is being done while alive: `const WorkStage stage("sewing the patches");`
class WorkStage {
 public:
  explicit WorkStage(const char* name);
  ~WorkStage();
  WorkStage(const WorkStage&) = delete;
  WorkStage& operator=(const WorkStage&) = delete;

 private:
  const char* outer_;
};

/// Within a WorkLimit: throws WorkSpent where it is used up, Interrupted where the flag is set.
/// Elsewhere it only counts.
void spend_work(std::uint64_t units);

/// Units that this thread has spent so far.
std::uint64_t work_spent();

}  // namespace repose
