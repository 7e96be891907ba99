#include "run_scene.h"

#include <fmt/format.h>

#include "repose/base/whole_file.h"
#include "repose/handover/handover.h"
#include "repose/record/recording_observer.h"
#include "repose/run/catalogue.h"
#include "repose/run/support.h"
#include "repose/scene/change.h"

#include "progress.h"
#include "prove.h"
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
};

Result<Loaded> load(const RunOptions& options) {
  auto scene =
      options.at.empty()
          ? repose::handover::open_any_scene(options.scene, repose::method_catalogue())
          : repose::open_changed_scene(options.scene, options.at, repose::method_catalogue());
  if (!scene) return scene.error();
  for (const std::string& text : options.set)
    if (auto done = repose::apply_setting(*scene, text, repose::method_catalogue()); !done)
      return done.error();
  if (options.seed) scene->seed = *options.seed;
  auto world = repose::build_world(*scene);
  if (!world) return world.error();
  auto method = repose::find_method(scene->method.kind);
  if (!method) return method.error();
  if (auto done = repose::check_support(**method, *scene); !done)
    return repose::locate_error(*scene, world->written, done.error());
  return Loaded{std::move(*scene), std::move(*world), *method};
}

repose::RunLimits limits_of(const repose::Scene& scene, const RunOptions& options) {
  repose::RunLimits out;
  if (scene.limits.duration) out.duration = *scene.limits.duration;
  if (scene.limits.steps) out.steps = static_cast<long>(*scene.limits.steps);
  if (options.steps) out.steps = static_cast<long>(*options.steps);
  out.frame_every_steps = scene.record.every_steps;
  out.frame_every_time = scene.record.every_time;
  out.interrupt = options.interrupt;
  return out;
}

repose::RecordingHead head_of(const Loaded& loaded, const repose::Session& session) {
  repose::RecordingHead out;
  out.scene = loaded.scene.name;
  out.scene_text = repose::write_scene(loaded.scene);
  out.method = loaded.method->name;
  for (const auto& [name, value] : session.settings()) out.settings[name] = repose::to_text(value);
  out.seed = static_cast<std::uint64_t>(loaded.scene.seed);
  out.gravity = session.problem().gravity;
  return out;
}

/// Recording, progress and, where asked, a verdict on every frame.
class Observer : public repose::RecordingObserver {
 public:
  Observer(repose::RecordingWriter& writer, const Loaded& loaded, const RunOptions& options)
      : RecordingObserver(writer, loaded.scene.record.contacts),
        line_(options.quiet),
        prove_(options.prove),
        proof_(loaded.method->ways) {}

  Result<Done> frame(const repose::Session& session, const repose::Audit& audit) override {
    auto done = RecordingObserver::frame(session, audit);
    failed_ = failed_ || !done;
    if (done && prove_) proof_.add(session.problem(), session.state());
    if (done && prove_ && session.state().step == 0) proof_.add_step(session);
    if (done && prove_) proof_.add_motion(session, audit);
    return done;
  }
  void step(const repose::Session& session) override {
    if (prove_) proof_.add_step(session);
  }
  Result<Done> event(const repose::Session& session, const repose::Edit& edit) override {
    auto done = RecordingObserver::event(session, edit);
    failed_ = failed_ || !done;
    if (prove_) proof_.add_edit(edit);
    return done;
  }
  void progress(const repose::RunProgress& progress) override { line_.show(progress); }

  /// The recording could not be written on.
  bool failed() const { return failed_; }

  void clear_line() { line_.clear(); }
  double check_seconds() const { return proof_.seconds(); }
  const FrameProof& proof() const { return proof_; }

 private:
  ProgressLine line_;
  bool prove_;
  bool failed_ = false;
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
void take_stability(const repose::Judgement& verdict, repose::RunOutcome& outcome) {
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

}  // namespace

Result<RunReport> run_scene(const RunOptions& options) {
  auto loaded = load(options);
  if (!loaded) return loaded.error();
  RunReport report;
  repose::RunResult& result = report.result;
  result.scene = loaded->scene.name;
  result.method = loaded->method->name;
  result.threads = options.threads;
  result.seconds.load = repose::cpu_seconds();

  auto session =
      repose::Session::start(std::move(loaded->world.problem), std::move(loaded->world.state),
                             *loaded->method, loaded->scene.method.settings);
  if (!session) return repose::locate_error(loaded->scene, loaded->world.written, session.error());

  // from here on the folder is this run's
  auto folder = RunFolder::take(options.out);
  if (!folder) return folder.error();
  if (auto done = folder->set_aside(); !done) return done.error();
  auto created = repose::RecordingWriter::create(folder->recording(), head_of(*loaded, *session));
  if (!created) {
    folder->bring_back();
    return created.error();
  }
  std::optional<repose::RecordingWriter> writer(std::move(*created));
  Observer observer(*writer, *loaded, options);
  auto outcome = drive(*session, limits_of(loaded->scene, options), observer, report.broken);
  observer.clear_line();
  if (!outcome) {
    // what a full disk cut short is kept; a scene that asks for what cannot happen leaves no trace
    writer.reset();
    if (!observer.failed()) folder->bring_back();
    return repose::locate_error(loaded->scene, loaded->world.written, outcome.error());
  }
  result.outcome = *outcome;
  describe_end(*session, result);
  result.facts = session->facts();
  result.own_promises = session->promises();

  // the judge's word on the last state
  const double before_check = repose::cpu_seconds();
  result.verdict = repose::judge(session->problem(), session->state(),
                                 {.judge_balance = repose::claims_rest(outcome->status)});
  take_stability(result.verdict, result.outcome);
  result.worst_frame = observer.proof().worst();
  result.worst_way = observer.proof().worst_way();
  result.motion = observer.proof().motion();
  result.ways = observer.proof().ways();
  result.left_out_of_ways = observer.proof().left_out();
  result.seconds.check = repose::cpu_seconds() - before_check + observer.check_seconds();
  result.seconds.record = outcome->observer_seconds - observer.check_seconds();

  result.seconds.total = repose::cpu_seconds();
  if (auto done = writer->set_result(to_json(result)); !done) return done.error();
  if (auto done = writer->finish(); !done) return done.error();

  // the figures are safe before pictures are drawn, and again with the time these took
  if (auto done = repose::write_whole(options.out / "result.json", to_json(result)); !done)
    return done.error();
  const double before_pages = repose::cpu_seconds();
  if (options.pages)
    if (auto done = write_pages(options.out, loaded->scene, loaded->method->settings); !done)
      return done.error();
  result.seconds.report = repose::cpu_seconds() - before_pages;
  result.seconds.total = repose::cpu_seconds();
  report.json = to_json(result);
  if (auto done = repose::write_whole(options.out / "result.json", report.json); !done)
    return done.error();
  return report;
}
