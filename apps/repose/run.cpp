// repose run SCENE --out DIR
#include <thread>

#include <fmt/format.h>
#include <tbb/global_control.h>

#include "repose/scene/scene.h"

#include "command_line.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "run_scene.h"

namespace {

constexpr int kMostThreads = 1024;

std::string summary(const RunReport& report, const std::filesystem::path& out) {
  const repose::RunResult& r = report.result;
  std::string text =
      fmt::format("{}: {} after {} steps", r.scene, to_text(r.outcome.status), r.steps);
  if (!r.outcome.why.empty()) text += " (" + r.outcome.why + ")";
  text += fmt::format(
      "\n{} bodies, {} contacts, {} frames, {:.3g} s CPU ({:.3g} s with verdict and pages), "
      "state {}\n",
      r.bodies, r.contacts, r.outcome.frames, r.seconds.solve(), r.seconds.total, r.hash);
  text += fmt::format("no overlap: {}; balance: {}. {}\n", to_text(r.verdict.overlap),
                      to_text(r.verdict.balanced), r.verdict.why);
  return text + fmt::format("written to {}\n", out.string());
}

int run(RunOptions options) {
  if (options.threads == 0) options.threads = std::max(1U, std::thread::hardware_concurrency());
  const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(options.threads));
  options.interrupt = &catch_interrupts();
  const auto report = run_scene(options);
  if (!report) return bad_input(report.error(), options.json);
  if (options.json)
    tell("{}", report->json);
  else if (!options.quiet)
    tell("{}", summary(*report, options.out));
  if (!report->broken.empty()) return our_fault(report->broken, false);
  for (const repose::Promise& promise : promises(report->result))
    if (!promise.kept)
      fmt::print(stderr, "repose: promise missed: {}: {}\n", promise.name, promise.measured);
  return exit_code(report->result);
}

}  // namespace

void add_run(CommandLine& program) {
  auto options = std::make_shared<RunOptions>();
  program
      .subcommand("run", "Run a scene and record, judge and show it",
                  [options] { return run(*options); })
      .text("SCENE", options->scene, "A path or a gallery name (see repose list)")
      .required()
      .path("--out", options->out, "Folder for recording.repose, result.json, report.html")
      .required()
      .texts("--set", options->set, "A setting, as METHOD.NAME=VALUE; may be repeated")
      .texts("--at", options->at,
             "A change to the scene, as POINTER=VALUE: /bodies/1/position=[0,0,1]; may be repeated")
      .whole("--threads", options->threads, {1, kMostThreads},
             "Threads to use; the result does not change")
      .whole("--seed", options->seed, {0, repose::kLargestSeed}, "Seed, instead of the scene's")
      .whole("--steps", options->steps, {0, repose::kMostSteps}, "Most steps to take")
      .flag("--prove", options->prove, "Judge every recorded frame, not the last alone")
      .flag_off("--no-pages", options->pages, "Leave out report.html and still.png")
      .flag("--json", options->json, "Print result.json on stdout")
      .flag("--quiet", options->quiet, "No progress and no summary");
}
