// repose run SCENE --out DIR
#include <thread>

#include <fmt/format.h>
#include <tbb/global_control.h>

#include "repose/base/text.h"
#include "repose/record/recording.h"
#include "repose/run/advice.h"
#include "repose/scene/gallery.h"
#include "repose/scene/scene.h"

#include "command_line.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "replay.h"
#include "run_scene.h"
#include "watch.h"

namespace {

constexpr int kMostThreads = 1024;

/// What is asked beside the run itself.
struct RunChoice {
  std::string still = "quick";
  std::filesystem::path resume;  // folder; empty: a new run
  bool watch = false;
};

std::string summary(const RunReport& report, const RunOptions& options,
                    const std::string& replaced) {
  using repose::count_of;
  const repose::RunResult& r = report.result;
  std::string text =
      fmt::format("{}: {} after {}", r.scene, to_text(r.outcome.status), count_of(r.steps, "step"));
  if (r.outcome.status == repose::RunStatus::metastable)
    text += fmt::format(": {}", in_words(r.outcome.status));
  // the judge's word stands in a line of its own
  const std::string why = r.outcome.why.substr(0, r.outcome.why.find("; the judge: "));
  if (!why.empty()) text += " (" + why + ")";
  text +=
      fmt::format("\n{}, {}, {}, {:.3g} s CPU ({:.3g} s with verdict and pages), state {}\n",
                  count_of(r.bodies, "body"), count_of(r.contacts, "contact"),
                  count_of(r.outcome.frames, "frame"), r.seconds.solve(), r.seconds.total, r.hash);
  text += fmt::format("no overlap: {}; balance: {}. {}\n", to_text(r.verdict.overlap),
                      to_text(r.verdict.balanced), r.verdict.why);
  text += fmt::format("written to {}", options.out.string());
  if (!replaced.empty()) text += fmt::format(", in place of the run of {}", replaced);
  text += '\n';
  if (options.pages) text += fmt::format("page: {}\n", (options.out / "report.html").string());
  return text;
}

/// The scene whose run stands in the folder; empty: none.
std::string standing_run(const RunOptions& options) {
  const auto recording = repose::Recording::open(options.out / "recording.repose");
  if (options.resume || !recording) return {};
  return recording->head().scene;
}

std::string place_text(const repose::Vec3& p) {
  return fmt::format("({:.4g}, {:.4g}, {:.4g}) m", p.x(), p.y(), p.z());
}

/// The advice with this run's folder where it says DIR.
std::string with_folder(std::string text, const RunOptions& options) {
  const std::string any = " DIR";
  if (const auto at = text.find(any); at != std::string::npos)
    text.replace(at + 1, any.size() - 1, options.out.string());
  return text;
}

/// Every promise that was missed: why, where, and what to try.
void tell_missed(const repose::RunResult& result, const RunOptions& options) {
  bool any = false;
  for (const repose::Promise& promise : promises(result)) {
    if (promise.kept) continue;
    any = true;
    std::string text =
        fmt::format("repose: promise missed: {}: {}\n", promise.name, promise.measured);
    const bool of_judge =
        promise.name == repose::kNoOverlapAtLast || promise.name == repose::kBalanceAtRest;
    if (of_judge) {
      text += fmt::format("  cause: {}\n", result.verdict.why);
      if (result.verdict.place)
        text += fmt::format("  place: {}\n", place_text(*result.verdict.place));
    }
    text += fmt::format("  try: {}\n", with_folder(advice(promise, result), options));
    show(stderr, text);
  }
  if (any) show(stderr, "  more: docs/what-now.md\n");
}

/// Whether it came to the same end again.
int tell_replayed(const RunOptions& options) {
  const auto end = compare_ends(options.replay, options.out);
  if (!end) return bad_input(end.error(), options.json);
  if (!end->same) show(stderr, fmt::format("repose: promise missed: replay: {}\n", end->words));
  if (end->same && !options.json && !options.quiet) tell("{}\n", end->words);
  return end->same ? kDone : kPromiseMissed;
}

int run_once(const RunOptions& options) {
  const std::string replaced = standing_run(options);
  const auto report = run_scene(options);
  if (!report) return bad_input(report.error(), options.json);
  if (options.json)
    tell("{}", report->json);
  else if (!options.quiet)
    tell("{}", summary(*report, options, replaced));
  if (!report->broken.empty()) return our_fault(report->broken, false);
  tell_missed(report->result, options);
  const int code = exit_code(report->result);
  return options.replay.empty() || code != kDone ? code : tell_replayed(options);
}

/// What the words on the command line leave open or contradict.
repose::Result<repose::Done> settle(RunOptions& options, const RunChoice& choice) {
  repose::InputError error;
  options.fine_still = choice.still == "fine";
  options.still = choice.still != "none";
  options.resume = !choice.resume.empty();
  if (choice.still != "quick" && choice.still != "fine" && choice.still != "none") {
    error.pointer = "--still";
    error.value = choice.still;
    error.wrong = "no such kind of picture";
    error.right = "quick, fine or none";
    return error;
  }
  if (options.resume) {
    const bool both = !options.scene.empty() || !options.out.empty();
    options.out = choice.resume;
    if (!both && !choice.watch) return repose::Done{};
    error.pointer = "--resume";
    error.wrong = "a run that goes on has its scene and folder already";
    error.right = "--resume DIR without SCENE, --out and --watch";
    return error;
  }
  if (!options.replay.empty() && (!options.scene.empty() || choice.watch)) {
    error.pointer = "--replay";
    error.wrong = "what was done by hand has its scene already";
    error.right = "--replay DIR --out NEW without SCENE and --watch";
    return error;
  }
  if (options.scene.empty() && options.replay.empty()) {
    error.pointer = "SCENE";
    error.wrong = "missing";
    error.right = "a scene file or a name of the gallery; see repose run --help";
    return error;
  }
  if (options.out.empty()) {
    error.pointer = "--out";
    error.wrong = "missing";
    error.right = "--out DIR, the folder for the results; see repose run --help";
    return error;
  }
  return repose::Done{};
}

int run(RunOptions options, const RunChoice& choice) {
  if (auto done = settle(options, choice); !done) return bad_input(done.error(), options.json);
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(options.threads));
  options.interrupt = &catch_interrupts();
  if (!choice.watch) return run_once(options);
  options.page_watches = true;
  const auto scene = repose::find_scene(options.scene);
  if (!scene) return bad_input(scene.error(), options.json);
  return at_every_save(*scene, *options.interrupt, [&] { return run_once(options); });
}

}  // namespace

void add_run(CommandLine& program) {
  auto options = std::make_shared<RunOptions>();
  auto choice = std::make_shared<RunChoice>();
  Command& command = program.subcommand("run", "Run a scene and record, judge and show it",
                                        [options, choice] { return run(*options, *choice); });
  command.text("SCENE", options->scene, "A path or a gallery name (see repose list)")
      .path("--out", options->out, "Folder for recording.repose, result.json, report.html")
      .flag("--watch", choice->watch,
            "Run again whenever the scene file is saved; the open page follows")
      .path("--resume", choice->resume,
            "Folder of a run that was stopped: it goes on, to the same bits as if it never was")
      .path("--replay", options->replay,
            "Folder of a recording that the studio saved: what hands did is done again and judged")
      .texts("--set", options->set, "A setting, as METHOD.NAME=VALUE; may be repeated")
      .texts("--at", options->at,
             "A change to the scene, as POINTER=VALUE: /bodies/1/position=[0,0,1]; may be repeated")
      .whole("--threads", options->threads, {1, kMostThreads},
             "Threads to use; the result does not change")
      .whole("--seed", options->seed, {0, repose::kLargestSeed}, "Seed, instead of the scene's")
      .whole("--steps", options->steps, {0, repose::kMostSteps}, "Most steps to take")
      .flag("--prove", options->prove, "Judge every recorded frame, not the last alone")
      .text("--still", choice->still, "still.png: quick, fine (larger, ten times as long) or none")
      .shows_default(choice->still)
      .flag_off("--no-pages", options->pages, "Leave out report.html and still.png")
      .flag("--json", options->json, "Print result.json on stdout")
      .flag("--quiet", options->quiet, "No progress and no summary");
  add_opening(command, options->open);
}
