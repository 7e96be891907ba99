// repose version
#include "repose/base/version.h"

#include <fmt/format.h>

#include "commands.h"

void add_version(CLI::App& program, Action& action) {
  program.add_subcommand("version", "Print the version")->callback([&action] {
    action = [] {
      fmt::print("repose {}\n", repose::kVersion);
      return static_cast<int>(kDone);
    };
  });
}
