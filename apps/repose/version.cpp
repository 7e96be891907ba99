// repose version
#include "repose/base/version.h"

#include <fmt/format.h>

#include "command_line.h"
#include "commands.h"
#include "messages.h"

void add_version(CommandLine& program) {
  program.subcommand("version", "Print the version", [] {
    tell("repose {}\n", repose::kVersion);
    return static_cast<int>(kDone);
  });
}
