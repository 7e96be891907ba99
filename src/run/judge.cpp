#include "repose/run/judge.h"

#include <algorithm>
#include <cmath>

#include "repose/check/way.h"
#include "repose/run/judge_input.h"

namespace repose {

bool claims_rest(RunStatus status) {
  return status == RunStatus::rest || status == RunStatus::metastable;
}

Judgement judge(const Problem& problem, const State& state, const JudgeSettings& settings) {
  check::Settings asked;
  asked.judge_balance = settings.judge_balance && loads_are_described(problem);
  asked.judge_fixed = settings.judge_balance;
  asked.judge_stability = asked.judge_balance && loads_stay(problem);
  asked.stability.margins = settings.margins;
  if (!settings.margins) asked.ranges.max_contacts = 0;
  const check::Input input = judge_input(problem, state);
  const check::Verdict said = check::check(input, asked);
  Judgement out;
  out.overlap = said.overlap;
  if (std::isfinite(said.gap.bracket.lower)) {
    out.penetration = std::max(0.0, -said.gap.bracket.lower);
    out.penetration_relative = std::max(0.0, -said.gap_relative);
  } else if (said.overlap == check::Answer::proven) {
    // every pair is farther apart than the judge looks
    out.penetration = 0.0;
    out.penetration_relative = 0.0;
  }
  out.balanced = said.balanced;
  if (asked.judge_balance) {
    out.force = said.balance.force;
    out.torque = said.balance.torque;
  }
  out.moves_off = said.balanced == check::Answer::proven && said.stability.witness.body >= 0;
  out.why = said.why;
  out.details = check::to_json(said, input);
  return out;
}

Judgement judge_way(const Problem& problem, const State& from, const State& to) {
  const check::WayVerdict said =
      check::judge_way(judge_input(problem, from), judge_input(problem, to), {});
  Judgement out;
  out.overlap = said.answer;
  if (said.answer == check::Answer::proven) out.penetration_relative = said.depth_relative;
  out.why = said.why;
  return out;
}

bool has_soft_motion(const Problem& problem) {
  return std::any_of(problem.bodies.begin(), problem.bodies.end(),
                     [](const Body& body) { return body.soft && !body.fixed; });
}

}  // namespace repose
