#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "repose/base/stage_clock.h"
#include "repose/world/method.h"

namespace repose {

/// A problem, a method and the states so far: what the run loop drives, and what the studio and
/// other programs drive by hand. Not thread-safe, except for interrupt().
class Session {
 public:
  static Result<Session> start(Problem problem, State initial, std::unique_ptr<Method> method,
                               SettingValues settings);

  const Problem& problem() const { return problem_; }
  const State& state() const { return states_[at_].state; }
  Method& method() { return *method_; }
  const StageClock& clock() const { return clock_; }

  /// One step of the method, after the events that are due. The new state follows the current one;
  /// states that had been undone are dropped.
  StepReport step();
  Audit audit();

  /// An edit makes a new state, so that it can be undone like a step.
  Result<Done> apply(const Edit& edit);

  /// Moves back or forth among the kept states; answers how many it moved.
  int undo(int count = 1);
  int redo(int count = 1);
  /// A second session from the current state on; both go their own way. `method` is a fresh one.
  Result<Session> branch(std::unique_ptr<Method> method) const;

  /// How many states to keep for undo; the oldest are dropped. At least 1.
  void keep_states(std::size_t count);

 private:
  // a problem is kept beside each state because edits change it; shared while nothing does
  struct Saved {
    std::shared_ptr<const Problem> problem;
    State state;
  };

  Session() = default;

  Problem problem_;
  std::unique_ptr<Method> method_;
  SettingValues settings_;
  std::deque<Saved> states_;
  std::size_t at_ = 0;
  std::size_t keep_ = 1;
  StageClock clock_;
};

}  // namespace repose
