// repose studio [SCENE]
#include "repose/serve/studio.h"

#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "command_line.h"
#include "commands.h"
#include "interrupt.h"
#include "messages.h"
#include "open_browser.h"

namespace {

constexpr auto kLookForInterrupt = std::chrono::milliseconds(50);
constexpr int kLargestPort = 65535;

constexpr const char* kClosing =
    "\nclosing; what was recorded or exported stands in its folder (Ctrl-C again: end at once)\n";

struct Options : repose::serve::StudioOptions {
  bool open = true;
};

int studio(const Options& options) {
  const std::atomic<bool>& interrupted = catch_interrupts(kClosing);
  const auto studio = repose::serve::Studio::start(options);
  if (!studio) return bad_input(studio.error(), false);
  tell("The studio is open at {}\n", (*studio)->address());
  tell("Ctrl-C closes it. Recordings go to {}.\n", options.out.string());
  std::fflush(stdout);
  if (options.open && !open_browser((*studio)->address()))
    tell("No browser was found here: open the address in one on this machine.\n");
  std::fflush(stdout);
  while (!interrupted.load(std::memory_order_relaxed))
    std::this_thread::sleep_for(kLookForInterrupt);
  return kDone;
}

}  // namespace

void add_studio(CommandLine& program) {
  auto options = std::make_shared<Options>();
  program
      .subcommand("studio", "Run a scene live in a browser: pull, place, edit, undo, judge",
                  [options] { return studio(*options); })
      .text("SCENE", options->scene, "A path or a gallery name; else one is chosen there")
      .whole("--port", options->port, {0, kLargestPort}, "Port on this machine; 0: any free one")
      .path("--out", options->out, "Folder for saved recordings")
      .shows_default("studio-out")
      .flag("--record", options->record, "Record every state as it comes, in OUT/live")
      .flag_off("--no-open", options->open, "Only print the address");
}
