#include "desk.h"

#include <algorithm>
#include <cmath>

#include "repose/base/fault.h"
#include "repose/base/stage_interrupt.h"
#include "repose/base/work.h"
#include "repose/run/catalogue.h"
#include "repose/run/edits.h"
#include "repose/run/support.h"
#include "repose/run/time_reached.h"
#include "repose/scene/gallery.h"

#include "present.h"

namespace repose::serve {

namespace {

/// Of a method without time, at pace 1.
constexpr double kStepsPerSecond = 30.0;
/// A run that has fallen behind by more than this does not try to catch up, s.
constexpr double kMostLate = 0.25;
constexpr double kFastest = 1e6;  // times real time
/// States kept for undo: so many bodies and points in all, but never fewer or more than this.
constexpr std::size_t kKeptBodies = 300'000;
constexpr std::size_t kFewestKept = 20, kMostKept = 5000;

std::size_t states_to_keep(const State& state) {
  std::size_t parts = 1;
  for (const BodyState& body : state.bodies) parts += 1 + body.soft.size();
  return std::clamp(kKeptBodies / parts, kFewestKept, kMostKept);
}

bool looks_same(const Body& a, const Body& b) {
  return a.name == b.name && a.shape == b.shape && a.material == b.material && a.mass == b.mass &&
         a.fixed == b.fixed && a.held() == b.held() && a.role == b.role && a.frozen == b.frozen &&
         a.collides == b.collides;
}

}  // namespace

const char* to_text(Touch touch) {
  switch (touch) {
    case Touch::none:
      return "none";
    case Touch::drag:
      return "drag";
    case Touch::hold:
      break;
  }
  return "hold";
}

Desk::Desk(std::filesystem::path out) : out_(std::move(out)) {}

Result<Done> Desk::open(const std::string& path_or_name) {
  auto scene = open_scene(path_or_name, method_catalogue());
  if (!scene) return scene.error();
  return start(std::move(*scene));
}

Result<Done> Desk::open_text(const std::string& text, const std::string& name) {
  auto scene = scene_from_text(text, is_open() ? scene_.file : "scene.json", method_catalogue());
  if (!scene) return scene.error();
  if (!name.empty())
    scene->name = name;
  else if (is_open())
    scene->name = scene_.name;
  return start(std::move(*scene));
}

Result<Done> Desk::check_text(const std::string& text) const {
  const auto scene =
      scene_from_text(text, is_open() ? scene_.file : "scene.json", method_catalogue());
  if (!scene) return scene.error();
  return Done{};
}

std::string Desk::scene_text() const {
  return write_scene(as_written(scene_, log_.until(session_->state_number())));
}

Result<std::string> Desk::present_text() const {
  const auto present = present_scene(scene_, session_->problem(), session_->state(), added_);
  if (!present) return present.error();
  return write_scene(*present);
}

Result<Session> Desk::session_of(const Scene& scene) {
  auto world = build_world(scene);
  if (!world) return world.error();
  const auto method = find_method(scene.method.kind);
  if (!method) return method.error();
  const auto supported = check_support(**method, scene);
  if (!supported) return locate_error(scene, world->written, supported.error());
  auto session = Session::start(std::move(world->problem), std::move(world->state), **method,
                                scene.method.settings);
  if (!session) return locate_error(scene, world->written, session.error());
  session->keep_states(states_to_keep(session->state()));
  return session;
}

Result<Done> Desk::start(Scene scene) {
  auto session = session_of(scene);
  if (!session) return session.error();
  begin(std::move(*session), std::move(scene));
  return Done{};
}

void Desk::begin(Session session, Scene scene) {
  ++opened_;
  session_.emplace(std::move(session));
  method_ = *find_method(scene.method.kind);
  scene_ = std::move(scene);
  last_ = {};
  running_ = false;
  why_.clear();
  marks_.clear();
  undone_.clear();
  audits_.clear();
  hands_.clear();
  dragged_.clear();
  added_.clear();
  log_ = {};
  branches_.clear();
  branches_.resize(1);
  branch_ = 0;
  serial_version_ = -1;  // versions of another session say nothing of this one
  replay_to_.reset();
  stale_drags_ = false;
  journal_.reset();
  changed();
  begin_journal();
}

Touch Desk::touch() const {
  if (!method_->support.moves) return Touch::none;
  if (carries_out(*method_, EditKind::drag)) return Touch::drag;
  return method_->support.speeds ? Touch::none : Touch::hold;
}

void Desk::changed() {
  audit_ = session_->audit();
  const long number = session_->state_number();
  audits_[number] = audit_;
  forget_old_audits();
  judgement_.reset();
  write_journal();
  ++version_;
}

// of states that are no longer kept, once they are as many as those that are
void Desk::forget_old_audits() {
  const int states = session_->undoable() + session_->redoable() + 1;
  if (audits_.size() <= 2 * static_cast<std::size_t>(states)) return;
  std::map<long, Audit> kept(audits_.upper_bound(session_->state_number()), audits_.end());
  for (int i = 0; i <= session_->undoable(); ++i)
    kept.insert(audits_.extract(session_->kept(i).number));
  audits_ = std::move(kept);
}

void Desk::begin_gesture() {
  undone_.clear();
  session_->mark();
  const long here = session_->state_number();
  if (marks_.empty() || marks_.back() < here) marks_.push_back(here);
  // marks of states that are no longer kept lead nowhere
  const long oldest = session_->kept(0).number;
  while (marks_.size() > 1 && marks_[1] <= oldest) marks_.erase(marks_.begin());
}

Result<Done> Desk::set_pace(double times_real_time) {
  if (!(times_real_time >= 0.0 && times_real_time <= kFastest))
    return fault("/pace", "", "out of range", "a number in [0, 1e6]; 0: as fast as it can");
  pace_ = times_real_time;
  start_clock();
  return Done{};
}

void Desk::start_clock() {
  clock_start_ = Clock::now();
  const State& state = session_->state();
  clock_time_ = method_->support.speeds ? state.time : static_cast<double>(state.step);
}

void Desk::run() {
  if (running_) return;
  begin_gesture();
  running_ = true;
  why_.clear();
  start_clock();
}

void Desk::pause() {
  running_ = false;
  write_journal();
}

void Desk::stop(const std::string& why) {
  running_ = false;
  why_ = why;
  ++version_;
}

Desk::Clock::time_point Desk::due() const {
  if (pace_ == 0.0) return clock_start_;
  const State& state = session_->state();
  const double gone = method_->support.speeds
                          ? state.time - clock_time_
                          : (static_cast<double>(state.step) - clock_time_) / kStepsPerSecond;
  return clock_start_ + std::chrono::duration_cast<Clock::duration>(
                            std::chrono::duration<double>(std::max(gone, 0.0) / pace_));
}

void Desk::step() {
  if (!running_) begin_gesture();
  log_.forget_after(session_->state_number());
  try {
    move_hands();
    std::optional<StageInterrupt> interruptible;
    if (interrupt_ != nullptr) interruptible.emplace(*interrupt_);
    const auto report = session_->step();
    if (report) {
      finish_step(*report);
    } else {
      running_ = false;
      why_ = report.error().text();
    }
  } catch (const Interrupted&) {
    running_ = false;
    why_ = "the step under way was left; this is the state before it";
    forget_hands();
  } catch (const BrokenPromise& broken) {
    // the state before it stays; the method is made anew, since its caches may be half changed
    running_ = false;
    why_ = std::string("our fault: ") + broken.what();
    forget_hands();
    marks_.clear();
    auto again = session_->branch();
    if (again) session_.emplace(std::move(*again));
    session_->keep_states(states_to_keep(session_->state()));
  }
  changed();
  pause_at_limit();
  if (Clock::now() > due() + std::chrono::duration<double>(kMostLate)) start_clock();
}

/// The scene's duration has passed.
bool Desk::time_is_up_at(const State& state) const {
  return scene_.limits.duration && time_reached(state.time, state.step, *scene_.limits.duration);
}

// where the scene says that it ends, once; and where a saved run was left
void Desk::pause_at_limit() {
  const State& state = session_->state();
  const int kept = session_->undoable();
  const bool was_up = kept > 0 && time_is_up_at(session_->kept(kept - 1).state);
  if (replay_to_ && state.step >= *replay_to_) {
    replay_to_.reset();
    running_ = false;
    why_ = "here it was saved";
    pace_ = replay_pace_;
  }
  const Limits& limits = scene_.limits;
  const bool time_is_up = !was_up && time_is_up_at(state);
  const bool steps_are_up = limits.steps && state.step == *limits.steps;
  if (!running_ || (!time_is_up && !steps_are_up)) return;
  running_ = false;
  why_ = "the scene ends here; it may go on";
}

// as the run loop does: rest is the end unless an event or a hand still wants something
void Desk::finish_step(const StepReport& report) {
  last_ = report;
  session_->take_fired();
  if (report.status == RunStatus::moving) return;
  const bool at_rest = report.status == RunStatus::rest || report.status == RunStatus::metastable;
  if (at_rest) {
    const auto fired = session_->fire_rest_events();
    session_->take_fired();
    if (!fired) {
      why_ = fired.error().text();
      running_ = false;
      return;
    }
    if (*fired > 0 || session_->events_pending() || !hands_.empty()) return;
  }
  // who saved it went on after this
  if (replay_to_ && session_->state().step < *replay_to_) return;
  running_ = false;
  why_ = report.why;
}

int Desk::undo() {
  pause();
  forget_hands();
  while (!marks_.empty() && marks_.back() >= session_->state_number()) marks_.pop_back();
  if (marks_.empty()) return 0;
  undone_.push_back(session_->state_number());
  const int moved = session_->undo_to(marks_.back());
  marks_.pop_back();
  last_ = {};
  changed();
  return moved;
}

int Desk::redo() {
  pause();
  forget_hands();
  if (undone_.empty()) return redo_one();
  marks_.push_back(session_->state_number());
  const int moved = session_->redo_to(undone_.back());
  undone_.pop_back();
  last_ = {};
  changed();
  return moved;
}

int Desk::undo_one() {
  pause();
  forget_hands();
  const int moved = session_->undo();
  if (moved > 0) changed();
  return moved;
}

int Desk::redo_one() {
  pause();
  forget_hands();
  const int moved = session_->redo();
  if (moved > 0) changed();
  return moved;
}

Result<Done> Desk::carry(const Edit& edit, const std::optional<SceneBody>& body) {
  log_.forget_after(session_->state_number());
  const long step = session_->state().step;
  auto done = session_->apply(edit);
  if (done) log_.add({session_->state_number(), step, edit, body});
  return done;
}

Result<Done> Desk::apply(const Edit& edit) {
  begin_gesture();
  auto done = carry(edit);
  if (!done) return done;
  changed();
  return done;
}

std::vector<Interference> Desk::probe(int body, const Pose& world_from_body) {
  const long number = session_->state_number();
  if (!probe_ || probe_->first != number)
    probe_.emplace(number, HoldProbe(session_->problem(), session_->state()));
  return probe_->second.at(body, world_from_body);
}

Result<Done> Desk::let_go(const std::string& body, const Pose& world_from_body) {
  if (auto done = apply(reposition(body, world_from_body)); !done) return done;
  run();
  return Done{};
}

const Judgement& Desk::judge() {
  pause();
  if (!judgement_) {
    const bool rests = last_.status == RunStatus::rest || last_.status == RunStatus::metastable;
    judgement_ =
        repose::judge(session_->problem(), session_->state(),
                      {.judge_balance = rests,
                       .margins = rests,
                       .skins = skins_promised(session_->method().name(), session_->settings()),
                       .interrupt = interrupt_});
  }
  return *judgement_;
}

bool Desk::same_bodies() const {
  const auto& bodies = session_->problem().bodies;
  return std::equal(bodies.begin(), bodies.end(), serial_bodies_.begin(), serial_bodies_.end(),
                    looks_same);
}

std::int64_t Desk::serial() {
  std::vector<std::string> names;
  for (const Sample& sample : samples_of(audit_, last_)) names.push_back(sample.name);
  const bool same_problem = serial_version_ == session_->problem_version();
  const Json ties = same_problem ? serial_ties_ : ties_json(session_->problem());
  const bool same = serial_ > 0 && serial_samples_ == names &&
                    (same_problem || (same_bodies() && ties.line() == serial_ties_.line()));
  if (!same) {
    ++serial_;
    serial_ties_ = ties;
    serial_bodies_ = session_->problem().bodies;
    serial_samples_ = std::move(names);
    drawings_.keep_only(session_->problem());
  }
  serial_version_ = session_->problem_version();
  return serial_;
}

std::string Desk::frame_bytes() {
  return frame_packet(session_->problem(), session_->state(), drawings_, serial(),
                      samples_of(audit_, last_));
}

}  // namespace repose::serve
