#pragma once

#include <atomic>
#include <limits>

#include "repose/run/session.h"

namespace repose {

/// When a run ends beside rest, and which states are shown to the observer.
struct RunLimits {
  double duration = std::numeric_limits<double>::infinity();  // s of simulated time, in all
  long steps = std::numeric_limits<long>::max();              // State::step, in all
  int frame_every_steps = 1;                                  // [1, ...]
  double frame_every_time = 0.0;  // s of simulated time; 0: by steps alone
  /// Whatever a step reports, the run goes on while events by time or step are to come: what hands
  /// did is done again, and they went on after a jam.
  bool to_the_last_event = false;
  /// Set by a signal handler or another thread: the run stops after the step under way. A later
  /// run_to_end on the same session goes on from there.
  const std::atomic<bool>* interrupt = nullptr;
};

struct RunProgress {
  long step = 0;
  double time = 0.0;           // s, simulated
  double fraction = -1.0;      // [0, 1]; negative: not known
  double residual = 0.0;       // of the method's rest test
  double wall_seconds = 0.0;   // since the loop began
  double seconds_left = -1.0;  // estimated from the fraction; negative: not known
};

/// Sees what the loop does. An error from it ends the run.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// The first state, every state that is due, and the last one; each state once.
  virtual Result<Done> frame(const Session& session, const Audit& audit);
  /// Every state after a step, shown or not; cheap observers only.
  virtual void step(const Session& session);
  /// An event of the scene has happened.
  virtual Result<Done> event(const Session& session, const Edit& edit);
  /// After every step; cheap observers only.
  virtual void progress(const RunProgress& progress);
};

/// What a run came to. Numbers that no audit knew are NaN.
struct RunOutcome {
  RunStatus status = RunStatus::moving;
  std::string why;                                              // one sentence
  StepReport last;                                              // of the last step
  Audit first, final;                                           // of the first and last state
  double worst_gap = std::numeric_limits<double>::quiet_NaN();  // m, over all steps
  double worst_gap_relative = std::numeric_limits<double>::quiet_NaN();
  long frames = 0;                // shown to the observer
  double observer_seconds = 0.0;  // CPU, spent in the observer
};

/// Step, audit, frame, again and again until the method reports an end, a limit is reached or the
/// run is interrupted. Rest does not end a run while events by time or step are still to come
/// within the limits; an event at rest sets it moving again. Reaching a limit is `finished`, an
/// interrupt `stopped`.
Result<RunOutcome> run_to_end(Session& session, const RunLimits& limits, RunObserver& observer);

}  // namespace repose
