// repose report DIR
#include "repose/report/report.h"

#include <fmt/format.h>

#include "repose/run/catalogue.h"

#include "command_line.h"
#include "commands.h"
#include "messages.h"
#include "run_pages.h"

namespace {

namespace fs = std::filesystem;

int report(const fs::path& folder, fs::path out) {
  const auto recording = repose::Recording::open(folder / "recording.repose");
  if (!recording) return bad_input(recording.error(), false);
  if (out.empty()) out = folder / "report.html";
  const auto method = repose::find_method(recording->head().method);
  // a recording that names a scene this program cannot read is shown from the default view
  const auto scene = repose::scene_from_text(recording->head().scene_text, recording->head().scene,
                                             repose::method_catalogue());
  repose::report::ReportSettings settings;
  if (scene) settings = page_settings(*scene);
  if (scene)
    if (const auto world = repose::build_world(*scene); world)
      settings.ties = repose::report::ties_of(world->problem);
  const auto done = repose::report::write_report(
      *recording, out, method ? (*method)->settings : std::vector<repose::SettingInfo>{}, settings);
  if (!done) return bad_input(done.error(), false);
  tell("written to {}\n", out.string());
  return kDone;
}

}  // namespace

void add_report(CommandLine& program) {
  struct Options {
    fs::path folder, out;
  };
  auto options = std::make_shared<Options>();
  program
      .subcommand("report", "Write the page of a run, finished or cut short",
                  [options] { return report(options->folder, options->out); })
      .path("DIR", options->folder, "Folder of a run")
      .required()
      .path("--out", options->out, "The page; DIR/report.html if not given");
}
