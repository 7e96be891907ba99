#include "repose/run/session.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include <fmt/format.h>

#include "repose/base/fault.h"
#include "repose/base/setting_values.h"
#include "repose/base/stage_interrupt.h"
#include "repose/base/work.h"
#include "repose/run/catalogue.h"
#include "repose/run/support.h"
#include "repose/run/time_reached.h"
#include "repose/world/refuse.h"

#include "apart.h"
#include "body_changes.h"
#include "drag.h"
#include "edit.h"

namespace repose {

namespace {

constexpr const char* kEnded = "an event of the scene ended the run";

bool finite_contacts(const State& state) {
  return std::all_of(state.contacts.begin(), state.contacts.end(), [](const Contact& contact) {
    return contact.point_world.allFinite() && contact.normal_a_to_b.allFinite() &&
           std::isfinite(contact.gap) && contact.force_on_b.allFinite();
  });
}

}  // namespace

SettingValues values_to_set(const Edit& edit) {
  if (edit.target.empty()) return edit.values;
  SettingValues out;
  const auto value = edit.values.find("value");
  if (value != edit.values.end()) out[edit.target] = value->second;
  return out;
}

Result<Session> Session::start(Problem problem, State initial, const MethodInfo& info,
                               const SettingValues& settings) {
  REPOSE_CHECK(problem.bodies.size() == initial.bodies.size());
  REPOSE_CHECK(all_finite(initial), "the first state must be finite");
  if (auto done = check_support(info, problem, initial, SupportMoment::start); !done)
    return done.error();
  auto complete = complete_settings(info, settings);
  if (!complete) return complete.error();
  auto method = info.make(*complete);
  if (!method) return method.error();
  Session out;
  out.info_ = info;
  out.method_ = std::move(*method);
  Saved first;
  first.fired.assign(problem.events.size(), false);
  first.problem = std::make_shared<const Problem>(std::move(problem));
  first.settings = std::make_shared<const SettingValues>(std::move(*complete));
  first.state = std::move(initial);
  if (auto done = out.prepare_apart(first); !done) return done.error();
  out.states_.push_back(std::move(first));
  return out;
}

Result<Done> Session::prepare(Saved& saved) {
  const StageClock::Use use(clock_);
  const StageScope timed("prepare");
  auto done = method_->prepare(*saved.problem, saved.state);
  REPOSE_CHECK(!done || all_finite(saved.state), "prepare must leave a finite state");
  return done;
}

Result<Done> Session::prepare_apart(Saved& saved) {
  const std::string& repair = info_.support.repair;
  const bool repairs = !repair.empty() && flag_or(*saved.settings, repair, false);
  const auto apart = [&] { return check_apart(info_.support, *saved.problem, saved.state); };
  if (!repairs)
    if (auto done = apart(); !done) return done;
  if (auto done = prepare(saved); !done) return done;
  return repairs ? apart() : Done{};
}

void Session::push(Saved saved) {
  states_.erase(states_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, states_.end());
  saved.number = ++numbers_;
  saved.marked = false;
  states_.push_back(std::move(saved));
  at_ = states_.size() - 1;
  while (states_.size() > keep_) drop_oldest();
}

// of the states before the current one
void Session::drop_oldest() {
  const auto end = states_.begin() + static_cast<std::ptrdiff_t>(at_);
  const auto plain = std::find_if(states_.begin(), end, [](const Saved& s) { return !s.marked; });
  states_.erase(plain == end ? states_.begin() : plain);
  --at_;
}

Result<StepReport> Session::step() {
  try {
    return take_step();
  } catch (const Interrupted&) {
    // what the method remembers may be half changed: it is made anew, and not interrupted at that
    const std::atomic<bool> never = false;
    const StageInterrupt calm(never);
    set_back();
    throw;
  }
}

Result<StepReport> Session::take_step() {
  if (auto done = fire_due_events(); !done) return done.error();
  if (now().ended) {
    StepReport report;
    report.status = RunStatus::finished;
    report.why = kEnded;
    return report;
  }
  Saved next = now();
  next.problem = with_drags(std::move(next.problem), next.state);
  const StageClock::Use use(clock_);
  const StepReport report = method_->step(*next.problem, next.state);
  if (!report.changes.empty()) {
    Problem problem = *next.problem;
    take_changes(report.changes, next.state.bodies.size(), problem);
    next.problem = std::make_shared<const Problem>(std::move(problem));
    next.problem_version = ++versions_;
  }
  REPOSE_CHECK(next.state.bodies.size() == next.problem->bodies.size());
  REPOSE_CHECK(all_finite(next.state) && finite_contacts(next.state),
               "step " + std::to_string(next.state.step) + " of " + info_.name +
                   " made a state that is not finite");
  if (const int body = strayed_body(next.state); body >= 0) {
    if (!report.changes.empty()) set_back();
    return strayed(next, body);
  }
  // what a step parted is prepared as after an edit; that it is refused would be our own fault
  if (!report.changes.empty()) {
    const auto done = prepare(next);
    REPOSE_CHECK(static_cast<bool>(done), "the method refuses what its own step made");
  }
  push(std::move(next));
  return report;
}

// the state before it stays: what has left the world can be neither judged nor shown
StepReport Session::strayed(const Saved& next, int body) const {
  StepReport out;
  out.status = RunStatus::stopped;
  out.body = body;
  out.why = "step " + std::to_string(next.state.step) + " would take '" +
            next.problem->bodies[static_cast<std::size_t>(body)].name + "' out of the world";
  return out;
}

Audit Session::audit() {
  const StageClock::Use use(clock_);
  return method_->audit(problem(), state());
}

Json::Object Session::facts() {
  return method_->facts(problem(), state());
}

std::vector<Promise> Session::promises() {
  return method_->promises(problem(), state());
}

Result<Done> Session::carry_out_on(Change& change, const Edit& edit) {
  Saved& next = change.next;
  if (edit.kind == EditKind::set) {
    auto complete = complete_settings(info_, values_to_set(edit), *next.settings);
    if (!complete) return complete.error();
    if (auto done = method_->change_settings(*complete); !done) return done;
    next.settings = std::make_shared<const SettingValues>(std::move(*complete));
    return Done{};
  }
  Problem problem = *next.problem;
  const bool by_pull =
      drags_by_pull(info_) && (edit.kind == EditKind::drag || edit.kind == EditKind::release);
  auto effect =
      by_pull ? carry_out_drag(edit, problem, next.state) : carry_out(edit, problem, next.state);
  if (!effect) return effect.error();
  if (!effect->known) {
    if (auto done = method_->apply(edit, problem, next.state); !done) return done;
    REPOSE_CHECK(all_finite(next.state), "an edit made a state that is not finite");
    effect->problem_changed = true;
  }
  if (strayed_body(next.state) >= 0)
    return refuse(edit, "it takes a body out of the world", "a place within 1e18 m");
  change.stopped |= effect->stop;
  next.ended = change.stopped;
  if (effect->forces_changed) next.problem = std::make_shared<const Problem>(problem);
  if (effect->problem_changed) {
    next.fired.resize(problem.events.size(), false);
    next.problem = std::make_shared<const Problem>(std::move(problem));
    change.problem_changed = true;
  }
  return Done{};
}

Result<Done> Session::adopt(Change change) {
  if (change.problem_changed) {
    change.next.problem_version = ++versions_;
    const Saved& next = change.next;
    if (auto done = check_support(info_, *next.problem, next.state, SupportMoment::edit); !done)
      return done;
    if (auto done = prepare_apart(change.next); !done) return done;
  }
  push(std::move(change.next));
  return Done{};
}

Result<Done> Session::apply(const Edit& edit) {
  Change change{.next = now()};
  auto done = carry_out_on(change, edit);
  if (done) done = adopt(std::move(change));
  if (!done) set_back();  // refused: the method is set back to what it had
  return done;
}

Result<int> Session::fire(const std::function<bool(const TimedEvent&)>& due) {
  Change change{.next = now()};
  std::vector<Edit> made;
  std::string pointer;
  Result<Done> done = Done{};
  for (std::size_t i = 0; done && i < change.next.problem->events.size(); ++i) {
    if (change.next.fired[i] || !due(change.next.problem->events[i])) continue;
    made.push_back(change.next.problem->events[i].edit);
    pointer = change.next.problem->events[i].pointer;
    done = carry_out_on(change, made.back());
    change.next.fired[i] = true;
  }
  if (made.empty()) return 0;
  if (done) done = adopt(std::move(change));
  if (!done) {
    set_back();
    InputError error = done.error();
    error.pointer = pointer;  // what the error counts is no longer as the scene says
    error.wrong = "the event '" + name_of(made.back().kind) + "' cannot happen: " + error.wrong;
    return error;
  }
  fired_.insert(fired_.end(), made.begin(), made.end());
  fired_step_ = state().step;
  fired_time_ = state().time;
  return static_cast<int>(made.size());
}

Result<int> Session::fire_due_events() {
  const double time = state().time;
  const long step = state().step;
  return fire([=](const TimedEvent& event) {
    if (const auto* at = std::get_if<AtTime>(&event.when))
      return time_reached(time, step, at->time);
    if (const auto* at = std::get_if<AtStep>(&event.when)) return step >= at->step;
    return false;
  });
}

Result<int> Session::fire_rest_events() {
  int next = std::numeric_limits<int>::max();
  for (std::size_t i = 0; i < problem().events.size(); ++i)
    if (const auto* at = std::get_if<AtRest>(&problem().events[i].when); at && !now().fired[i])
      next = std::min(next, at->number);
  return fire([next](const TimedEvent& event) {
    const auto* at = std::get_if<AtRest>(&event.when);
    return at != nullptr && at->number == next;
  });
}

bool Session::events_pending() const {
  for (std::size_t i = 0; i < problem().events.size(); ++i)
    if (!now().fired[i] && !std::holds_alternative<AtRest>(problem().events[i].when)) return true;
  return false;
}

std::vector<Edit> Session::take_fired() {
  return std::exchange(fired_, {});
}

// the method's own caches follow; the saved state itself stays as it was, to the last bit
void Session::go_to(std::size_t place) {
  const Saved& left = now();
  const bool same_problem = left.problem == states_[place].problem;
  const bool same_settings = left.settings == states_[place].settings;
  at_ = place;
  if (same_problem && same_settings) return;
  set_back();
}

// made anew: what settings are allowed may hang on the bodies that the method last had
void Session::set_back() {
  Saved scratch = now();
  auto again = info_.make(*scratch.settings);
  REPOSE_CHECK(static_cast<bool>(again),
               "settings that held once must hold again: " + again.error().text());
  method_ = std::move(*again);
  const auto done = prepare(scratch);
  REPOSE_CHECK(static_cast<bool>(done),
               "a state that was prepared once must be again: " + done.error().text());
}

int Session::undo(int count) {
  const int moved = std::clamp(count, 0, static_cast<int>(at_));
  if (moved > 0) go_to(at_ - static_cast<std::size_t>(moved));
  return moved;
}

int Session::redo(int count) {
  const int moved = std::clamp(count, 0, static_cast<int>(states_.size() - 1 - at_));
  if (moved > 0) go_to(at_ + static_cast<std::size_t>(moved));
  return moved;
}

int Session::undo_to(long number) {
  std::size_t place = at_;
  while (place > 0 && states_[place].number > number) --place;
  return undo(static_cast<int>(at_ - place));
}

int Session::redo_to(long number) {
  std::size_t place = at_;
  while (place + 1 < states_.size() && states_[place].number < number) ++place;
  return redo(static_cast<int>(place - at_));
}

Session::Kept Session::kept(int index) const {
  REPOSE_CHECK(index >= 0 && index <= undoable());
  const Saved& saved = states_[static_cast<std::size_t>(index)];
  return {*saved.problem, saved.state, saved.problem_version, saved.number};
}

Result<Session> Session::branch() const {
  auto method = info_.make(settings());
  if (!method) return method.error();
  Session out;
  out.info_ = info_;
  out.method_ = std::move(*method);
  out.keep_ = keep_;
  out.versions_ = versions_;
  out.numbers_ = numbers_;
  out.states_.push_back(now());
  out.set_back();
  return out;
}

void Session::keep_states(std::size_t count) {
  keep_ = std::max<std::size_t>(count, 1);
  while (states_.size() > keep_ && at_ > 0) drop_oldest();
  while (states_.size() > keep_) states_.pop_back();
}

}  // namespace repose
