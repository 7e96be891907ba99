#pragma once

#include <functional>

#include <CLI/CLI.hpp>

/// The exit codes are a contract.
enum ExitCode {
  kDone = 0,           // done and verified
  kPromiseMissed = 1,  // finished, but a promise was missed: which, by how much
  kBadInput = 2,       // with its place
  kOurFault = 3
};

/// What the chosen subcommand wants done; answers the exit code.
using Action = std::function<int()>;

// Each adds its subcommand to the program and sets `action` if it is chosen; one file each.
void add_demo(CLI::App& program, Action& action);
void add_run(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_check(CLI::App& program, Action& action);
void add_poses(CLI::App& program, Action& action);
void add_list(CLI::App& program, Action& action);
void add_describe(CLI::App& program, Action& action);
void add_schema(CLI::App& program, Action& action);
void add_render(CLI::App& program, Action& action);
void add_measure(CLI::App& program, Action& action);
void add_export(CLI::App& program, Action& action);
void add_bench(CLI::App& program, Action& action);
void add_version(CLI::App& program, Action& action);
