// The experiments of Snyder 1995, figure 9, from their scene files and from random starts: steps,
// CPU time and the judge's verdict beside the paper's iterations and the paper's loop; then the
// same bodies as triangle meshes in Bullet.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "repose/run/judge.h"

#include "beside_bullet.h"
#include "experiments.h"
#include "starts.h"

namespace repose {
namespace {

/// A settling is a few milliseconds, of which noise is a large part: the time is the median of so
/// many.
constexpr int kSettlings = 5;
constexpr double kLongMilliseconds = 1000.0;  // what takes so long is settled once

Result<Outcome> settle_scene(const std::string& name, SettingValues settings) {
  auto world = world_of(name, settings);
  if (!world) return world.error();
  auto out = settle(world->problem, world->state, settings);
  if (!out || out->milliseconds > kLongMilliseconds) return out;
  std::vector<double> times{out->milliseconds};
  for (int k = 1; k < kSettlings; ++k) {
    const auto again = settle(world->problem, world->state, settings);
    if (!again) return again.error();
    times.push_back(again->milliseconds);
  }
  std::sort(times.begin(), times.end());
  out->milliseconds = times[times.size() / 2];
  return out;
}

void tell_experiment(bench::Sheet& sheet, bench::Table& table, const Experiment& e,
                     const char* engine) {
  using bench::Cell;
  const auto paper = e.paper_iterations > 0 ? Cell(1.0 * e.paper_iterations) : Cell();
  const auto out = settle_scene(e.scene, {{"engine", std::string(engine)}});
  if (!out) {
    table.row({std::string(e.scene),
               std::string(engine),
               paper,
               {},
               {},
               out.error().text(),
               {},
               {},
               {},
               {}});
    return;
  }
  const Judgement verdict = judge(out->problem, out->state);
  table.row({std::string(e.scene), std::string(engine), paper, static_cast<double>(out->steps),
             out->milliseconds, out->status, std::string(to_text(verdict.overlap)),
             std::string(to_text(verdict.balanced)),
             verdict.penetration_relative ? Cell(*verdict.penetration_relative) : Cell(),
             state_hash(out->state)});
  if (e.paper_iterations > 0 && std::string(engine) == "default")
    sheet.figure({.id = fmt::format("steps-{}", e.scene),
                  .what = fmt::format("steps to rest, {}", e.scene),
                  .unit = "steps",
                  .holds = bench::Holds::count,
                  .published = e.paper_iterations,
                  .source = "Snyder 1995, figure 9",
                  .ours = static_cast<double>(out->steps)});
}

void tell_experiments(bench::Sheet& sheet) {
  using bench::Holds;
  auto& table = sheet.table("experiments", "Figure 9 of Snyder 1995: steps to rest",
                            {{"experiment", Holds::word},
                             {"engine", Holds::word},
                             {"paper", Holds::measure},
                             {"steps", Holds::count},
                             {"CPU ms", Holds::time},
                             {"status", Holds::word},
                             {"no overlap", Holds::word},
                             {"balance", Holds::word},
                             {"deepest, of size", Holds::measure},
                             {"hash", Holds::word}});
  for (const Experiment& e : kExperiments)
    for (const char* engine : {"default", "paper"})
      if (!sheet.quick() || engine == std::string("default"))
        tell_experiment(sheet, table, e, engine);
  // eight bodies at once, judged as a pile
  if (!sheet.quick()) tell_experiment(sheet, table, {"eight-fruits", 0}, "default");
}

}  // namespace
}  // namespace repose

/// bench_place                                  the experiments beside the paper's loop and Bullet
/// bench_place starts [--seed S] [--from A] [--to B] [--scenes experiments|knots|all|NAME]
///                    [--between N] [--engine default|paper]    a line for each random start
/// bench_place merge                            those lines, from standard input, as a table
int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  if (mode == "merge") {
    repose::merge_starts();
    return 0;
  }
  if (mode == "starts") {
    repose::StartsOptions options;
    for (int i = 2; i + 1 < argc; i += 2) {
      const std::string key = argv[i], value = argv[i + 1];
      if (key == "--seed") options.seed = std::strtoull(value.c_str(), nullptr, 10);
      if (key == "--from") options.from = std::atoi(value.c_str());
      if (key == "--to") options.to = std::atoi(value.c_str());
      if (key == "--scenes") options.scenes = value;
      if (key == "--between") options.between = std::atoi(value.c_str());
      if (key == "--engine") options.engine = value;
    }
    repose::print_starts(options);
    return 0;
  }
  repose::bench::Sheet sheet("place", argc, argv);
  repose::tell_experiments(sheet);
  repose::tell_beside_bullet(sheet);
  return sheet.finish();
}
