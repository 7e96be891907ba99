#pragma once

#include <string>
#include <vector>

#include "repose/check/way.h"
#include "repose/run/judge.h"
#include "repose/run/loop.h"
#include "repose/world/motion_sums.h"

namespace repose {

/// CPU seconds of a run and of its parts that are no solving.
struct RunSeconds {
  double total = 0.0;
  double load = 0.0;
  double record = 0.0;
  double report = 0.0;
  double check = 0.0;

  double solve() const;  // what the parts leave of the total
};

/// Sums of motion of a run with soft bodies, and the method's own word beside them.
struct MotionAudit {
  MotionSums first, last;    // of the first and the last frame
  double told_most = 0.0;    // J, largest kinetic energy that the method told
  double kinetic_off = 0.0;  // J, most by which it differed from what positions and masses say
  long compared = 0;         // frames in which the method told it
};

/// All that result.json tells. The names in it are a contract; docs/run.md lists them.
struct RunResult {
  std::string scene, method;
  RunOutcome outcome;
  long steps = 0;
  int bodies = 0;
  int contacts = 0;
  int threads = 1;
  std::string hash;  // state_hash of the last state
  RunSeconds seconds;
  std::map<std::string, double> stages;        // the session's clock
  Judgement verdict;                           // of the last state
  std::optional<Judgement> worst_frame;        // of all frames, where every one was judged
  std::optional<check::WayVerdict> worst_way;  // of all ways from step to step
  long ways = 0;                               // judged
  long left_out_of_ways = 0;  // bodies that an edit put elsewhere or changed: they went no way
  std::optional<MotionAudit> motion;  // where bodies are soft and every frame was looked at
  Json::Object facts;                 // that only the method has
  std::vector<Promise> own_promises;  // of the method, beside those of every run
};

/// JSON text, two blanks to a level. What is not known is null.
std::string to_json(const RunResult& result);

/// Names of the promises of every run. The judge finds the first two anew in the last state.
inline constexpr const char* kNoOverlapAtLast = "no overlap in the last state";
inline constexpr const char* kBalanceAtRest = "balance at rest";
inline constexpr const char* kComesToItsEnd = "the run comes to its end";

/// The promises of every run, then the method's own.
std::vector<Promise> promises(const RunResult& result);

/// 0 if every promise was kept, else 1.
int exit_code(const RunResult& result);

/// What a finished run says of itself that a judge of its last state takes into account.
struct RunClaim {
  RunStatus status = RunStatus::stopped;
  std::string status_told;  // as it is written; empty where there is no result
  /// Of the recording, as the result counts them; negative where it does not.
  long frames = -1, steps = -1;
  bool no_overlap = true;  // the method speaks of gaps: one that is not decided is missed
  /// The promises missed that the last state does not tell: those of the end, of the way there and
  /// of the method.
  std::vector<Promise> missed;
};
/// From the text of a result.json. A run that was cut short has none: it came to no end.
RunClaim claim_of(const std::string& result_json);

}  // namespace repose
