#pragma once

#include <optional>
#include <string>

#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

enum class Answer { proven, missed, undecided, not_judged };
const char* to_text(Answer answer);

/// What an independent judge says of a state, from shapes, poses and loads alone. Numbers it could
/// not establish are absent.
struct Verdict {
  Answer overlap = Answer::not_judged;  // proven: nothing overlaps beyond the judge's tolerance
  Answer rest = Answer::not_judged;     // proven: contact forces balance every body
  std::optional<double> penetration;    // m; no overlap is deeper than this
  std::optional<double> penetration_relative;  // of the smaller body's size
  std::optional<double> force, torque;         // worst unbalanced, relative to weight
  std::string why;                             // one sentence
  std::string details;                         // the judge's own JSON text; empty: none
};

struct VerdictSettings {
  bool judge_rest = true;  // balance as well as overlap
};

/// The one place where the program's problem becomes the judge's input.
Verdict judge(const Problem& problem, const State& state, const VerdictSettings& settings = {});

}  // namespace repose
