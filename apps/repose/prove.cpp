#include "prove.h"

#include <algorithm>

#include "repose/base/stage_clock.h"

namespace {

int badness(repose::check::Answer answer) {
  switch (answer) {
    case repose::check::Answer::proven:
      return 0;
    case repose::check::Answer::not_judged:
      return 1;
    case repose::check::Answer::undecided:
      return 2;
    case repose::check::Answer::missed:
      return 3;
  }
  return 3;
}

/// The larger; unknown if either is.
std::optional<double> larger(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return std::nullopt;
  return std::max(*a, *b);
}

}  // namespace

void FrameProof::add(const repose::Problem& problem, const repose::State& state) {
  const double before = repose::cpu_seconds();
  const repose::Judgement verdict = repose::judge(problem, state, {.judge_balance = false});
  seconds_ += repose::cpu_seconds() - before;
  if (!worst_) {
    worst_ = verdict;
    return;
  }
  worst_->penetration = larger(worst_->penetration, verdict.penetration);
  worst_->penetration_relative = larger(worst_->penetration_relative, verdict.penetration_relative);
  if (badness(verdict.overlap) > badness(worst_->overlap)) {
    worst_->overlap = verdict.overlap;
    worst_->why = verdict.why;
  }
}
