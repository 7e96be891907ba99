#include "repose/run/loop.h"

#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/run/time_reached.h"

#include "scene_remedy.h"

namespace repose {

Result<Done> RunObserver::frame(const Session&, const Audit&) {
  return Done{};
}

void RunObserver::step(const Session&) {}

Result<Done> RunObserver::event(const Session&, const Edit&) {
  return Done{};
}

void RunObserver::progress(const RunProgress&) {}

namespace {

constexpr const char* kInterrupted = "interrupted";

class Loop {
 public:
  Loop(Session& session, const RunLimits& limits, RunObserver& observer)
      : session_(session), limits_(limits), observer_(observer) {}

  Result<RunOutcome> run();

 private:
  Result<Done> show();
  Result<Done> tell_events();
  Result<bool> goes_on_after(const StepReport& report);
  bool limit_reached();
  bool frame_due() const;
  void judge_gap(const Audit& audit);
  RunProgress progress() const;

  Session& session_;
  const RunLimits& limits_;
  RunObserver& observer_;
  RunOutcome out_;
  long shown_step_ = -1;
  double shown_time_ = 0.0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// smallest known so far; NaN compares false, so that unknown values change nothing
void Loop::judge_gap(const Audit& audit) {
  if (!(out_.worst_gap <= audit.worst_gap) && !std::isnan(audit.worst_gap))
    out_.worst_gap = audit.worst_gap;
  if (!(out_.worst_gap_relative <= audit.worst_gap_relative) &&
      !std::isnan(audit.worst_gap_relative))
    out_.worst_gap_relative = audit.worst_gap_relative;
}

Result<Done> Loop::show() {
  const double before = cpu_seconds();
  auto done = observer_.frame(session_, out_.final);
  out_.observer_seconds += cpu_seconds() - before;
  out_.frames += 1;
  shown_step_ = session_.state().step;
  shown_time_ = session_.state().time;
  return done;
}

Result<Done> Loop::tell_events() {
  for (const Edit& edit : session_.take_fired())
    if (auto done = observer_.event(session_, edit); !done) return done;
  return Done{};
}

bool Loop::frame_due() const {
  const State& state = session_.state();
  if (limits_.frame_every_time > 0.0)
    return time_reached(state.time, state.step, shown_time_ + limits_.frame_every_time);
  return state.step >= shown_step_ + limits_.frame_every_steps;
}

bool Loop::limit_reached() {
  if (limits_.interrupt != nullptr && limits_.interrupt->load(std::memory_order_relaxed)) {
    out_.status = RunStatus::stopped;
    out_.why = kInterrupted;
  } else if (session_.state().step >= limits_.steps) {
    out_.status = RunStatus::finished;
    out_.why = fmt::format("the limit of {} steps was reached", limits_.steps);
  } else if (time_reached(session_.state().time, session_.state().step, limits_.duration)) {
    out_.status = RunStatus::finished;
    out_.why = fmt::format("the duration of {} s was reached", limits_.duration);
  }
  return out_.status != RunStatus::moving;
}

// rest is the end unless an event still wants something
Result<bool> Loop::goes_on_after(const StepReport& report) {
  if (report.status == RunStatus::moving) return true;
  const bool at_rest = report.status == RunStatus::rest || report.status == RunStatus::metastable;
  if (at_rest) {
    auto fired = session_.fire_rest_events();
    if (!fired) return fired.error();
    if (auto done = tell_events(); !done) return done.error();
    if (*fired > 0 || session_.events_pending()) return true;
  }
  if (limits_.to_the_last_event && session_.events_pending()) return true;
  out_.status = report.status;
  out_.why = report.why;
  return false;
}

RunProgress Loop::progress() const {
  RunProgress out;
  const State& state = session_.state();
  out.step = state.step;
  out.time = state.time;
  out.residual = out_.last.residual;
  out.fraction = out_.last.progress;
  // a limit is a bound on what is left, whatever the method thinks
  if (std::isfinite(limits_.duration) && limits_.duration > 0.0)
    out.fraction = std::max(out.fraction, state.time / limits_.duration);
  if (limits_.steps != std::numeric_limits<long>::max() && limits_.steps > 0)
    out.fraction = std::max(out.fraction,
                            static_cast<double>(state.step) / static_cast<double>(limits_.steps));
  out.fraction = std::min(out.fraction, 1.0);
  out.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (out.fraction > 0.0) out.seconds_left = out.wall_seconds * (1.0 / out.fraction - 1.0);
  return out;
}

Result<RunOutcome> Loop::run() {
  out_.first = out_.final = session_.audit();
  judge_gap(out_.final);
  if (auto done = show(); !done) return done.error();
  while (!limit_reached()) {
    auto report = session_.step();
    if (!report) return report.error();
    out_.last = *report;
    if (auto done = tell_events(); !done) return done.error();
    const double before = cpu_seconds();
    observer_.step(session_);
    out_.observer_seconds += cpu_seconds() - before;
    out_.final = session_.audit();
    judge_gap(out_.final);
    observer_.progress(progress());
    if (frame_due())
      if (auto done = show(); !done) return done.error();
    auto goes_on = goes_on_after(*report);
    if (!goes_on) return goes_on.error();
    if (!*goes_on) break;
  }
  if (shown_step_ != session_.state().step)
    if (auto done = show(); !done) return done.error();
  const bool ended_early = out_.status == RunStatus::stuck || out_.status == RunStatus::stopped;
  // what the scene lacks comes before more steps of the same
  const bool asks_scene = out_.last.remedy.empty() || out_.status == RunStatus::stopped;
  if (ended_early && asks_scene && out_.why != kInterrupted)
    if (std::string remedy = scene_remedy(session_.problem(), session_.state()); !remedy.empty())
      out_.last.remedy = std::move(remedy);
  return out_;
}

}  // namespace

Result<RunOutcome> run_to_end(Session& session, const RunLimits& limits, RunObserver& observer) {
  REPOSE_CHECK(limits.frame_every_steps >= 1);
  return Loop(session, limits, observer).run();
}

}  // namespace repose
