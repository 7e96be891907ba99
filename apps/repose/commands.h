#pragma once

class CommandLine;

/// The exit codes are a contract.
enum ExitCode {
  kDone = 0,           // done and verified
  kPromiseMissed = 1,  // finished, but a promise was missed: which, by how much
  kBadInput = 2,       // with its place
  kOurFault = 3
};

// Each adds its subcommand to the program; one file each.
void add_demo(CommandLine& program);
void add_new(CommandLine& program);
void add_run(CommandLine& program);
void add_settle(CommandLine& program);
void add_studio(CommandLine& program);
void add_report(CommandLine& program);
void add_check(CommandLine& program);
void add_poses(CommandLine& program);
void add_list(CommandLine& program);
void add_describe(CommandLine& program);
void add_schema(CommandLine& program);
void add_render(CommandLine& program);
void add_measure(CommandLine& program);
void add_export(CommandLine& program);
void add_convert(CommandLine& program);
void add_repair(CommandLine& program);
void add_farm(CommandLine& program);
void add_bench(CommandLine& program);
void add_version(CommandLine& program);
