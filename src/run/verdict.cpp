#include "repose/run/verdict.h"

#include <algorithm>
#include <cmath>

#include "repose/base/check.h"
#include "repose/check/verdict.h"
#include "repose/run/judge_input.h"

namespace repose {

namespace {

Answer answer_of(check::Answer answer) {
  switch (answer) {
    case check::Answer::proven:
      return Answer::proven;
    case check::Answer::missed:
      return Answer::missed;
    case check::Answer::undecided:
      return Answer::undecided;
  }
  REPOSE_CHECK(false, "unknown answer of the judge");
}

}  // namespace

const char* to_text(Answer answer) {
  switch (answer) {
    case Answer::proven:
      return "proven";
    case Answer::missed:
      return "missed";
    case Answer::undecided:
      return "undecided";
    case Answer::not_judged:
      return "not judged";
  }
  REPOSE_CHECK(false, "unknown answer");
}

Verdict judge(const Problem& problem, const State& state, const VerdictSettings& settings) {
  check::Settings asked;
  asked.judge_balance = settings.judge_rest && loads_are_described(problem);
  asked.judge_stability = asked.judge_balance && loads_stay(problem);
  const check::Input input = judge_input(problem, state);
  const check::Verdict said = check::check(input, asked);
  Verdict out;
  out.overlap = answer_of(said.overlap);
  if (std::isfinite(said.gap.bracket.lower)) {
    out.penetration = std::max(0.0, -said.gap.bracket.lower);
    out.penetration_relative = std::max(0.0, -said.gap_relative);
  } else if (said.overlap == check::Answer::proven) {
    // every pair is farther apart than the judge looks
    out.penetration = 0.0;
    out.penetration_relative = 0.0;
  }
  if (asked.judge_balance) {
    out.rest = answer_of(said.rest);
    out.force = said.balance.force;
    out.torque = said.balance.torque;
  }
  out.why = said.why;
  out.details = check::to_json(said, input);
  return out;
}

}  // namespace repose
