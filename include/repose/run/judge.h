#pragma once

#include <optional>
#include <string>

#include "repose/base/json_write.h"
#include "repose/check/verdict.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose {

/// What a run keeps of the judge's verdict on a state. Numbers that could not be established are
/// absent.
struct Judgement {
  using Answer = check::Answer;

  Answer overlap = Answer::not_judged;   // proven: nothing overlaps beyond the judge's tolerance
  Answer balanced = Answer::not_judged;  // proven: contact forces balance every body
  std::optional<double> penetration;     // m; no overlap is deeper than this
  std::optional<double> penetration_relative;  // of the smaller body's size
  std::optional<double> force, torque;         // worst unbalanced, relative to weight
  std::string why;                             // one sentence
  Json details;                                // all that the judge says; null: nothing
};

struct JudgeSettings {
  bool judge_balance = true;  // as well as overlap
};

/// The one place where the program's problem becomes the judge's input.
Judgement judge(const Problem& problem, const State& state, const JudgeSettings& settings = {});

/// Overlap on the way from one state to the next step's, as check::check_way takes it. Requires:
/// the same bodies in both.
Judgement judge_way(const Problem& problem, const State& from, const State& to);
/// Ways are judged where bodies are soft: their balls go straight from step to step.
bool ways_are_judged(const Problem& problem);

}  // namespace repose
