#include "prove.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "repose/base/stage_clock.h"
#include "repose/run/judge_input.h"

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

void keep_worst(std::optional<repose::Judgement>& worst, const repose::Judgement& verdict) {
  if (!worst) {
    worst = verdict;
    return;
  }
  worst->penetration = larger(worst->penetration, verdict.penetration);
  worst->penetration_relative = larger(worst->penetration_relative, verdict.penetration_relative);
  if (badness(verdict.cover) > badness(worst->cover)) {
    worst->cover = verdict.cover;
    worst->cover_why = verdict.cover_why;
  }
  if (badness(verdict.skins) > badness(worst->skins)) {
    worst->skins = verdict.skins;
    worst->skins_why = verdict.skins_why;
  }
  if (badness(verdict.overlap) > badness(worst->overlap)) {
    worst->overlap = verdict.overlap;
    worst->why = verdict.why;
  }
}

void keep_worst(std::optional<repose::check::WayVerdict>& worst,
                const repose::check::WayVerdict& verdict) {
  if (!worst) {
    worst = verdict;
    return;
  }
  worst->depth_relative = std::max(worst->depth_relative, verdict.depth_relative);
  if (badness(verdict.answer) > badness(worst->answer)) {
    worst->answer = verdict.answer;
    worst->why = verdict.why;
  }
  if (badness(verdict.skins) > badness(worst->skins)) {
    worst->skins = verdict.skins;
    worst->skins_why = verdict.skins_why;
  }
}

repose::check::SkinsOf skins_of(const repose::Session& session) {
  return repose::skins_promised(session.method().name(), session.settings());
}

}  // namespace

void FrameProof::add(const repose::Session& session) {
  const double before = repose::cpu_seconds();
  keep_worst(worst_, repose::judge(session.problem(), session.state(),
                                   {.judge_balance = false, .skins = skins_of(session)}));
  seconds_ += repose::cpu_seconds() - before;
}

void FrameProof::add_step(const repose::Session& session) {
  const double before = repose::cpu_seconds();
  repose::check::Input now = repose::judge_input(session.problem(), session.state());
  if (last_) {
    const repose::check::WayVerdict way =
        repose::check::judge_way(*last_, now,
                                 {ways_taken_ == repose::ProvenWays::of_centers,
                                  std::exchange(put_, {}), skins_of(session)});
    keep_worst(worst_way_, way);
    left_out_ += way.left_out;
    ++ways_;
  }
  last_ = std::move(now);
  seconds_ += repose::cpu_seconds() - before;
}

void FrameProof::add_edit(const repose::Edit& edit) {
  if (edit.kind == repose::EditKind::pose || edit.kind == repose::EditKind::nudge)
    put_.push_back(edit.target);
}

void FrameProof::add_motion(const repose::Session& session, const repose::Audit& audit) {
  if (!repose::has_soft_motion(session.problem())) return;
  const repose::MotionSums sums = repose::motion_sums(session.problem(), session.state());
  if (!motion_) motion_.emplace().first = sums;
  motion_->last = sums;
  for (const auto& [name, told] : audit.series) {
    if (name != "kinetic energy" || !std::isfinite(told)) continue;
    motion_->told_most = std::max(motion_->told_most, std::fabs(told));
    motion_->kinetic_off = std::max(motion_->kinetic_off, std::fabs(told - sums.kinetic_energy));
    ++motion_->compared;
  }
}
