#include "run_scene.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "repose/base/text.h"
#include "repose/base/whole_file.h"
#include "repose/handover/handover.h"
#include "repose/record/recording_head.h"
#include "repose/record/recording_observer.h"
#include "repose/run/catalogue.h"
#include "repose/run/support.h"
#include "repose/scene/change.h"
#include "repose/scene/gallery.h"

#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "progress.h"
#include "prove.h"
#include "replay.h"
#include "run_folder.h"
#include "run_pages.h"

namespace {

namespace fs = std::filesystem;
using repose::Done;
using repose::InputError;
using repose::Result;

struct Loaded {
  repose::Scene scene;
  repose::World world;
  const repose::MethodInfo* method = nullptr;
  /// The last step of the run that goes on. Up to there all is computed again, to the same bits:
  /// what a method remembers between steps is not in the recording.
  long resumed_step = 0;
};

/// What a run that was cut short leaves for the one that goes on.
struct Before {
  repose::Scene scene;
  long step = 0;  // the last one recorded
};

InputError not_to_be_resumed(const fs::path& folder, const std::string& wrong) {
  InputError error;
  error.pointer = "--resume";
  error.value = folder.string();
  error.wrong = wrong;
  error.right = "the folder of a run that was stopped before its end";
  return error;
}

bool came_to_its_end(const repose::Recording& recording) {
  using repose::RunStatus;
  if (recording.result_text().empty()) return false;
  const RunStatus status = repose::claim_of(recording.result_text()).status;
  return status != RunStatus::stopped && status != RunStatus::finished;
}

Result<Before> read_before(const fs::path& folder) {
  const auto recording = repose::Recording::open(folder / "recording.repose");
  if (!recording) return recording.error();
  const auto& head = recording->head();
  if (recording->frame_count() == 0 || head.scene_text.empty())
    return not_to_be_resumed(folder, "its recording holds no frame and scene to go on from");
  if (came_to_its_end(*recording)) return not_to_be_resumed(folder, "this run has come to its end");
  // files that the recordings of older programs name are looked for beside them
  auto scene = repose::scene_from_text(head.scene_text, (folder / "scene.json").string(),
                                       repose::method_catalogue());
  if (!scene) return scene.error();
  scene->name = head.scene;
  return Before{std::move(*scene), recording->steps().back()};
}

Result<repose::Scene> scene_as(const std::string& path_or_name, const OpeningWords& words) {
  auto handed = open_as(path_or_name, words);
  if (!handed) return handed.error();
  return std::move(handed->scene);
}

Result<Loaded> load(const RunOptions& options) {
  long resumed = 0;
  Result<repose::Scene> scene = InputError{};
  if (options.resume) {
    auto before = read_before(options.out);
    if (!before) return before.error();
    resumed = before->step;
    scene = std::move(before->scene);
  } else if (!options.replay.empty()) {
    scene = replayed_scene(options.replay);
  } else {
    scene = options.at.empty()
                ? scene_as(options.scene, options.open)
                : repose::open_changed_scene(options.scene, options.at, repose::method_catalogue());
  }
  if (!scene) return scene.error();
  for (const std::string& text : options.set)
    if (auto done = repose::apply_setting(*scene, text, repose::method_catalogue()); !done)
      return done.error();
  tell_notes(scene->notes);
  if (options.seed) scene->seed = *options.seed;
  auto world = repose::build_world(*scene);
  if (!world) return world.error();
  auto method = repose::find_method(scene->method.kind);
  if (!method) return method.error();
  if (auto done = repose::check_support(**method, *scene); !done)
    return repose::locate_error(*scene, world->written, done.error());
  return Loaded{std::move(*scene), std::move(*world), *method, resumed};
}

repose::RunLimits limits_of(const repose::Scene& scene, const RunOptions& options) {
  repose::RunLimits out;
  if (scene.limits.duration) out.duration = *scene.limits.duration;
  if (scene.limits.steps) out.steps = static_cast<long>(*scene.limits.steps);
  if (options.steps) out.steps = static_cast<long>(*options.steps);
  out.frame_every_steps = scene.record.every_steps;
  out.frame_every_time = scene.record.every_time;
  out.to_the_last_event = !options.replay.empty();
  out.interrupt = options.interrupt;
  return out;
}

/// Recording, progress and, where asked, a verdict on every frame. Whoever holds `desk` finds the
/// recording between two frames.
class Observer : public repose::RecordingObserver {
 public:
  Observer(repose::RecordingWriter& writer, const Loaded& loaded, const RunOptions& options,
           ProgressLine& line)
      : RecordingObserver(writer, loaded.scene.record.contacts),
        line_(line),
        prove_(options.prove),
        resumed_step_(loaded.resumed_step),
        proof_(loaded.method->ways) {
    line_.stage(resumed_step_ > 0 ? kRepeating : kSolving);
  }

  Result<Done> frame(const repose::Session& session, const repose::Audit& audit) override {
    const std::lock_guard lock(desk);
    auto done = RecordingObserver::frame(session, audit);
    failed_ = failed_ || !done;
    frames_ += 1;
    if (done && prove_) proof_.add(session);
    if (done && prove_ && session.state().step == 0) proof_.add_step(session);
    if (done && prove_) proof_.add_motion(session, audit);
    return done;
  }
  void step(const repose::Session& session) override {
    const std::lock_guard lock(desk);
    if (prove_) proof_.add_step(session);
  }
  Result<Done> event(const repose::Session& session, const repose::Edit& edit) override {
    const std::lock_guard lock(desk);
    auto done = RecordingObserver::event(session, edit);
    failed_ = failed_ || !done;
    if (prove_) proof_.add_edit(edit);
    return done;
  }
  void progress(const repose::RunProgress& progress) override {
    if (progress.step == resumed_step_) line_.stage(kSolving);
    line_.show(progress);
  }

  /// The recording could not be written on.
  bool failed() const { return failed_; }
  long frames() const { return frames_; }
  double check_seconds() const { return proof_.seconds(); }
  const FrameProof& proof() const { return proof_; }

  std::mutex desk;

 private:
  static constexpr const char* kSolving = "solving";
  static constexpr const char* kRepeating = "repeating";

  ProgressLine& line_;
  bool prove_;
  long resumed_step_;
  bool failed_ = false;
  long frames_ = 0;
  FrameProof proof_;
};

/// What the loop came to. A promise of our own that breaks ends the run, and the last good state
/// is what the result tells of.
Result<repose::RunOutcome> drive(repose::Session& session, const repose::RunLimits& limits,
                                 Observer& observer, std::string& broken) {
  try {
    return repose::run_to_end(session, limits, observer);
  } catch (const repose::BrokenPromise& error) {
    broken = error.what();
  }
  repose::RunOutcome out;
  out.status = repose::RunStatus::stopped;
  out.why = broken;
  out.first = out.final = session.audit();
  return out;
}

/// A rest that a small push ends for good is told as what it is, whoever noticed.
void take_stability(repose::Judgement& verdict, repose::RunOutcome& outcome) {
  const bool found_by_method =
      outcome.status == repose::RunStatus::metastable && !verdict.moves_off;
  // two words that contradict each other are told as such
  if (found_by_method && verdict.balanced == repose::check::Answer::proven)
    verdict.why += "; the method found a small push that moves them off, the judge did not";
  if (outcome.status != repose::RunStatus::rest || !verdict.moves_off) return;
  outcome.status = repose::RunStatus::metastable;
  outcome.why += outcome.why.empty() ? verdict.why : "; the judge: " + verdict.why;
}

void describe_end(const repose::Session& session, repose::RunResult& result) {
  result.steps = session.state().step;
  result.bodies = static_cast<int>(session.problem().bodies.size());
  result.contacts = static_cast<int>(session.state().contacts.size());
  result.hash = repose::state_hash(session.state());
  result.stages = session.clock().seconds();
}

/// One run, from its folder to its pages.
class Run {
 public:
  Run(const RunOptions& options, Loaded loaded, repose::Session session, RunFolder folder)
      : options_(options),
        loaded_(std::move(loaded)),
        session_(std::move(session)),
        folder_(std::move(folder)),
        line_(options.quiet) {
    repose::RunResult& result = report_.result;
    result.scene = loaded_.scene.name;
    result.method = loaded_.method->name;
    result.threads = options.threads;
    result.seconds.load = repose::cpu_seconds();
  }

  Result<RunReport> run();

 private:
  Result<Done> solve();
  Result<Done> judge();
  Result<Done> draw();
  void end_in_mid_work();

  const RunOptions& options_;
  Loaded loaded_;
  repose::Session session_;
  std::optional<RunFolder> folder_;
  ProgressLine line_;
  std::optional<repose::RecordingWriter> writer_;
  std::optional<Observer> observer_;
  RunReport report_;
  bool solved_ = false, saved_ = false;
};

Result<RunReport> Run::run() {
  if (auto done = folder_->set_aside(); !done) return done.error();
  const auto head = repose::recording_head(loaded_.scene, session_);
  auto created = head ? repose::RecordingWriter::create(folder_->recording(), *head) : head.error();
  if (!created) {
    folder_->bring_back();
    return created.error();
  }
  writer_.emplace(std::move(*created));
  observer_.emplace(*writer_, loaded_, options_, line_);
  const LastResort last_resort([this] { end_in_mid_work(); });
  for (const auto stage : {&Run::solve, &Run::judge, &Run::draw})
    if (auto done = (this->*stage)(); !done) return done.error();
  return report_;
}

Result<Done> Run::solve() {
  auto outcome = drive(session_, limits_of(loaded_.scene, options_), *observer_, report_.broken);
  const std::lock_guard lock(observer_->desk);
  line_.clear();
  if (!outcome) {
    // what a full disk cut short is kept; a scene that asks for what cannot happen leaves no trace
    writer_.reset();
    if (!observer_->failed()) folder_->bring_back();
    return repose::locate_error(loaded_.scene, loaded_.world.written, outcome.error());
  }
  repose::RunResult& result = report_.result;
  result.outcome = *outcome;
  describe_end(session_, result);
  result.facts = session_.facts();
  result.own_promises = session_.promises();
  solved_ = true;
  return Done{};
}

/// The judge's word on the last state.
Result<Done> Run::judge() {
  line_.stage("judging");
  repose::RunResult& result = report_.result;
  const double before_check = repose::cpu_seconds();
  const auto verdict =
      repose::judge(session_.problem(), session_.state(),
                    {.judge_balance = repose::claims_rest(result.outcome.status),
                     .skins = repose::skins_promised(result.method, session_.settings()),
                     .interrupt = &time_is_up()});
  const std::lock_guard lock(observer_->desk);
  result.verdict = verdict;
  take_stability(result.verdict, result.outcome);
  result.worst_frame = observer_->proof().worst();
  result.worst_way = observer_->proof().worst_way();
  result.motion = observer_->proof().motion();
  result.ways = observer_->proof().ways();
  result.left_out_of_ways = observer_->proof().left_out();
  result.seconds.check = repose::cpu_seconds() - before_check + observer_->check_seconds();
  result.seconds.record = result.outcome.observer_seconds - observer_->check_seconds();
  result.seconds.total = repose::cpu_seconds();
  if (auto done = writer_->set_result(to_json(result)); !done) return done;
  if (auto done = writer_->finish(); !done) return done;
  // the figures are safe before pictures are drawn, and again with the time these took
  if (auto done = repose::write_whole(options_.out / "result.json", to_json(result)); !done)
    return done;
  saved_ = true;
  return Done{};
}

Result<Done> Run::draw() {
  repose::RunResult& result = report_.result;
  const double before_pages = repose::cpu_seconds();
  line_.stage("drawing");
  PageOrder order;
  order.still = options_.still;
  order.fine_still = options_.fine_still;
  order.watches = options_.page_watches;
  order.problem = &session_.problem();
  order.interrupt = &time_is_up();
  order.progress = [this](double share) { line_.show(share); };
  if (options_.pages)
    if (auto done = write_pages(options_.out, loaded_.scene, loaded_.method->settings, order);
        !done)
      return done;
  const std::lock_guard lock(observer_->desk);
  line_.clear();
  result.seconds.report = repose::cpu_seconds() - before_pages;
  result.seconds.total = repose::cpu_seconds();
  report_.json = to_json(result);
  return repose::write_whole(options_.out / "result.json", report_.json);
}

/// Ctrl-C, and the step, the judge or the page under way does not end: what there is is saved. The
/// main thread is still at work and waits at the desk if it comes by.
void Run::end_in_mid_work() {
  observer_->desk.lock();
  line_.clear();
  repose::RunResult& result = report_.result;
  if (!saved_) {
    if (!solved_) {
      result.outcome.status = repose::RunStatus::stopped;
      result.outcome.why = "interrupted within a step";
      result.outcome.frames = observer_->frames();
      describe_end(session_, result);
    }
    result.verdict.why = "the judge was not asked: the run was interrupted";
    result.seconds.total = repose::cpu_seconds();
    const std::string json = to_json(result);
    static_cast<void>(writer_->set_result(json));
    static_cast<void>(writer_->finish());
    static_cast<void>(repose::write_whole(options_.out / "result.json", json));
  }
  fmt::print(stderr,
             "repose: stopped in mid-work after {}; {} holds what was computed (repose report "
             "writes its page)\n",
             repose::count_of(result.steps, "step"), options_.out.string());
  folder_.reset();
  std::fflush(stderr);
  std::_Exit(kPromiseMissed);
}

}  // namespace

Result<RunReport> run_scene(const RunOptions& options) {
  auto loaded = load(options);
  if (!loaded) return loaded.error();
  auto session =
      repose::Session::start(std::move(loaded->world.problem), std::move(loaded->world.state),
                             *loaded->method, loaded->scene.method.settings);
  if (!session) return repose::locate_error(loaded->scene, loaded->world.written, session.error());
  // from here on the folder is this run's
  auto folder = RunFolder::take(options.out);
  if (!folder) return folder.error();
  return Run(options, std::move(*loaded), std::move(*session), std::move(*folder)).run();
}
