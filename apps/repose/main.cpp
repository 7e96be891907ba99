// repose: the command-line tool.
#include <cstdio>
#include <exception>
#include <system_error>

#include <fmt/format.h>

#include "repose/base/version.h"
#include "repose/base/work.h"

#include "command_line.h"
#include "commands.h"

namespace {

constexpr const char* kAbout =
    "Repose places, piles and moves bodies that do not pass through each other, and proves it.";

constexpr const char* kExamples = R"(Examples:
  repose list                                     the gallery, a sentence each
  repose run still/torus-on-cone --out out        run a scene; out/report.html shows it
  repose new pile my.json                         a scene of your own to start from
  repose run my.json --out out --steps 100        a scene of your own, at most 100 steps
  repose settle table.xml                         a scene of MuJoCo, ROS or Gazebo brought to rest
  repose studio pile/fruit-bowl                   run it live, with hands, in a browser
  repose describe my.json                         bodies, masses and volumes of a scene
  repose repair my.obj --out mended.obj           what is wrong with a mesh, and mending it
  repose farm job.json --out farm                 many runs: a grid of settings, seeds, random starts

Exit codes: 0 done and verified, 1 finished but a promise was missed,
            2 bad input (with its place), 3 our fault.)";

int run_program(int argc, char** argv) {
  CommandLine program(kAbout, kExamples, fmt::format("repose {}", repose::kVersion));
  for (const auto add : {add_demo, add_new, add_run, add_settle, add_farm, add_studio, add_check,
                         add_poses, add_report, add_render, add_export, add_convert, add_repair,
                         add_measure, add_list, add_describe, add_schema, add_bench, add_version})
    add(program);
  return program.run(argc, argv);
}

/// What the program said has reached where standard output leads.
bool output_went_well() {
  return std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run_program(argc, argv);
    if (output_went_well()) return code;
    fmt::print(stderr, "repose: standard output cannot be written (is the disk full?)\n");
    return kPromiseMissed;
  } catch (const repose::Interrupted&) {
    fmt::print(stderr, "repose: interrupted while loading\n");
    return kPromiseMissed;
  } catch (const std::system_error& error) {
    if (output_went_well()) {
      fmt::print(stderr, "repose: our fault: {}\n", error.what());
      return kOurFault;
    }
    fmt::print(stderr, "repose: standard output cannot be written (is the disk full?)\n");
    return kPromiseMissed;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "repose: out of memory\n");
  } catch (const std::exception& error) {
    fmt::print(stderr, "repose: our fault: {}\n", error.what());
  }
  return kOurFault;
}
