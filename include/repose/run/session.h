#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "repose/base/stage_clock.h"
#include "repose/world/method.h"

namespace repose {

/// A problem, a method and the states so far: what the run loop drives, and what the studio and
/// other programs drive by hand. Not thread-safe.
///
/// A state is never NaN: a step that makes one throws BrokenPromise, and the state before it stays
/// the current one. A step that takes a body out of the world (kFarthest) is not taken; it reports
/// `stopped`.
class Session {
 public:
  /// Makes the method from `info` and prepares it. `settings` may name some of its settings; the
  /// others keep their defaults. Errors name the setting, the body or the event that is wrong.
  static Result<Session> start(Problem problem, State initial, const MethodInfo& info,
                               const SettingValues& settings);

  const Problem& problem() const { return *now().problem; }
  const State& state() const { return now().state; }
  /// All settings of the method as they stand.
  const SettingValues& settings() const { return *now().settings; }
  const Method& method() const { return *method_; }
  /// CPU seconds by stage, "prepare" and the method's own.
  const StageClock& clock() const { return clock_; }
  /// Changes whenever problem() does, by edit, undo or redo.
  long problem_version() const { return now().problem_version; }

  /// One step of the method, after the events that are due. The new state follows the current one;
  /// states that had been undone are dropped. An error means that a due event could not happen.
  /// Within a StageInterrupt (stage_interrupt.h) it may end by Interrupted; then all is as it was.
  Result<StepReport> step();
  Audit audit();
  Json::Object facts();
  std::vector<Promise> promises();

  /// An edit makes a new state, so that it can be undone like a step. The kinds are those of Edit;
  /// their values are listed in docs/run.md. An edit that is refused changes nothing.
  Result<Done> apply(const Edit& edit);

  /// Fires the events that wait for rest; answers how many there were. The run loop calls it when
  /// the method reports rest, and goes on if something happened.
  Result<int> fire_rest_events();
  /// True if an event by time or step has not happened yet.
  bool events_pending() const;
  /// The edits that events made since the last call.
  std::vector<Edit> take_fired();
  /// The step and time (s) of the state that the last such edits were made on.
  long fired_step() const { return fired_step_; }
  double fired_time() const { return fired_time_; }

  /// Moves back or forth among the kept states; answers how many it moved.
  int undo(int count = 1);
  int redo(int count = 1);
  /// Names the current state: a later one has a larger number, and no two have the same.
  long state_number() const { return now().number; }
  /// Back to the latest kept state whose number is not above, or the oldest; answers how many it
  /// moved. Forth to the first whose number is not below, or the newest.
  int undo_to(long number);
  int redo_to(long number);
  /// How many states lie before the current one, and after it.
  int undoable() const { return static_cast<int>(at_); }
  int redoable() const { return static_cast<int>(states_.size() - 1 - at_); }

  /// A state on the way to the current one.
  struct Kept {
    const Problem& problem;
    const State& state;
    long problem_version;
    long number;
  };
  /// The oldest is 0, the current one undoable(). It holds until the session changes.
  Kept kept(int index) const;
  /// A second session from the current state on; both go their own way.
  Result<Session> branch() const;

  /// How many states to keep for undo, the current one included; the oldest are dropped, marked
  /// ones last. At least 1, which is how a session starts.
  void keep_states(std::size_t count);
  /// Marks the current state: what is undone as a whole begins here, and can be however long it is.
  void mark() { states_[at_].marked = true; }

 private:
  // what an edit can change is kept beside each state; shared while nothing changes
  struct Saved {
    std::shared_ptr<const Problem> problem;
    std::shared_ptr<const SettingValues> settings;
    long problem_version = 0;
    long number = 0;  // of this state
    State state;
    std::vector<bool> fired;  // parallel to Problem::events
    bool ended = false;       // by a "stop"
    bool marked = false;
  };

  Session() = default;
  const Saved& now() const { return states_[at_]; }
  /// What edits make of the current state before the method has agreed to it.
  struct Change {
    Saved next;
    bool problem_changed = false;
    bool stopped = false;  // by a "stop" among the edits
  };
  Result<StepReport> take_step();
  Result<Done> carry_out_on(Change& change, const Edit& edit);
  Result<Done> adopt(Change change);
  // events due at one moment happen together: the method sees what all of them leave
  Result<int> fire(const std::function<bool(const TimedEvent&)>& due);
  Result<int> fire_due_events();
  Result<Done> prepare(Saved& saved);
  /// The same of a start or an edit, in which bodies must be apart.
  Result<Done> prepare_apart(Saved& saved);
  StepReport strayed(const Saved& next, int body) const;
  void push(Saved saved);
  void drop_oldest();
  void go_to(std::size_t place);
  void set_back();

  MethodInfo info_;
  std::unique_ptr<Method> method_;
  std::deque<Saved> states_;
  std::size_t at_ = 0;
  std::size_t keep_ = 1;
  long versions_ = 0;
  long numbers_ = 0;
  std::vector<Edit> fired_;
  long fired_step_ = 0;
  double fired_time_ = 0.0;
  StageClock clock_;
};

/// What a "set" sets: settings by name, whether it names one as its target with its "value" or
/// many.
SettingValues values_to_set(const Edit& edit);

}  // namespace repose
