// Forces and impulses: how often they are found, how exactly, and how long it takes.
#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <string>

#include <fmt/format.h>

#include "repose/mechanism/impulses.h"

#include "bench/sheet/sheet.h"
#include "methods/mechanism/forces_scenes.h"

namespace repose::mechanism {
namespace {

constexpr int kRandomProblems = 10000;
constexpr int kRods = 500;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Least CPU time of one call, in microseconds.
double microseconds(int calls, const std::function<void()>& call) {
  double least = 1e9;
  for (int repeat = 0; repeat < 10; ++repeat) {
    const double begin = cpu_seconds();
    for (int k = 0; k < calls; ++k) call();
    least = std::min(least, (cpu_seconds() - begin) / calls);
  }
  return 1e6 * least;
}

/// Counts by status, the worst residual of what counts as solved, and the slowest solve.
struct Tally {
  std::map<std::string, int> counts;
  double worst = 0.0, slowest_ms = 0.0, total_s = 0.0;

  void solve(ForceSolver& solver, const ForceProblem& problem) {
    const double begin = cpu_seconds();
    const Forces& forces = solver.solve(problem);
    const double seconds = cpu_seconds() - begin;
    total_s += seconds;
    slowest_ms = std::max(slowest_ms, 1e3 * seconds);
    ++counts[to_text(forces.status)];
    if (forces.status == ForceStatus::solved) {
      worst = std::max(worst, residual_of(problem, forces.f));
    }
  }
  void tell(bench::Table& table, const char* name) const {
    std::string all;
    for (const auto& [status, count] : counts)
      all += fmt::format("{}{} {}", all.empty() ? "" : ", ", count, status);
    table.row({std::string(name), all, worst, slowest_ms, total_s});
  }
};

void bench_random(bench::Sheet& sheet) {
  using bench::Holds;
  auto& table = sheet.table("random", "Random force problems: what became of them",
                            {{"problems", Holds::word},
                             {"ends", Holds::word},
                             {"worst residual", Holds::measure},
                             {"slowest, ms", Holds::time},
                             {"CPU s in all", Holds::time}});
  const int problems = sheet.quick() ? kRandomProblems / 10 : kRandomProblems;
  for (const double sliding : {0.0, 0.3}) {
    Tally tally;
    ForceSolver solver;
    for (int seed = 0; seed < problems; ++seed) {
      Random random(static_cast<std::uint64_t>(seed) * 7919 + 13);
      tally.solve(solver, random_scene(random, sliding).problem);
    }
    tally.tell(table,
               sliding > 0.0 ? "random, 30 % of contacts sliding" : "random, static friction");
  }
  Tally rods;
  ForceSolver solver;
  for (int seed = 0; seed < kRods; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const double angle = random.between(0.1, 1.5), mu = random.between(0.1, 3.0);
    const int slip = random.unit() < 0.5 ? 1 : -1;
    rods.solve(solver, painleve_rod(angle, mu, slip, random.between(0.0, 5.0)).problem);
  }
  rods.tell(table, "Painleve's rods");
}

PlaneScene four_bar() {
  PlaneScene scene;
  scene.add_body(0.5, 0.0, 1.0, 0.1);
  scene.add_body(2.0, 1.5, 3.0, 1.0);
  scene.add_body(3.5, 1.4, 2.0, 1.0);
  scene.add_pin(0, -1, 0.0, 0.0);
  scene.add_pin(0, 1, 1.0, 0.3);
  scene.add_pin(1, 2, 3.0, 2.8);
  scene.add_pin(2, -1, 4.0, 0.0);
  return scene;
}

/// From scratch, from forces a little off, and from its own answer.
void bench_scene(bench::Table& table, const char* name, const PlaneScene& scene, int calls) {
  ForceSolver solver;
  const Forces first = solver.solve(scene.problem);
  PlaneScene pushed = scene;
  for (auto& body : pushed.bodies) body.acceleration[0] += 1e-4;
  ForceProblem moved = scene.problem;
  for (ForceRow& row : moved.rows) row.b = pushed.along(row, false);
  const ForceStart start{first.states, first.f};
  const double cold = microseconds(calls, [&] { solver.solve(scene.problem); });
  const double warm = microseconds(calls, [&] { solver.solve(moved, start); });
  const bool kept = solver.solve(moved, start).kept_partition;
  const double rest = microseconds(calls, [&] { solver.solve(scene.problem, start); });
  table.row({std::string(name), static_cast<double>(scene.problem.rows.size()), cold, warm,
             std::string(kept ? "kept" : "changed"), rest});
}

/// A pyramid whose floor is tilted past its friction angle, step by step.
void bench_tilt(bench::Sheet& sheet) {
  PlaneScene scene = box_pyramid(20, 0.5);
  ForceSolver solver;
  std::vector<RowState> states;
  std::vector<double> f;
  const int steps = 200;
  int kept = 0, solved = 0;
  double slowest = 0.0, total = 0.0;
  for (int k = 0; k <= steps; ++k) {
    const double tilt = 0.6 * k / steps;
    for (auto& body : scene.bodies) {
      body.acceleration = {9.81 * std::sin(tilt), -9.81 * std::cos(tilt), 0.0};
    }
    for (ForceRow& row : scene.problem.rows) row.b = scene.along(row, false);
    const double begin = cpu_seconds();
    const Forces& forces = solver.solve(scene.problem, {states, f});
    const double seconds = cpu_seconds() - begin;
    total += seconds;
    slowest = std::max(slowest, seconds);
    kept += forces.kept_partition;
    solved += forces.status == ForceStatus::solved;
    states = forces.states;
    f = forces.f;
  }
  using bench::Holds;
  auto& table = sheet.table("tilt", "A pyramid of 210 tilted to 0.6 rad in 200 steps",
                            {{"solves", Holds::count},
                             {"solved", Holds::count},
                             {"partitions kept", Holds::count},
                             {"mean, ms", Holds::time},
                             {"slowest, ms", Holds::time}});
  table.row(
      {1.0 * (steps + 1), 1.0 * solved, 1.0 * kept, 1e3 * total / (steps + 1), 1e3 * slowest});
}

}  // namespace
}  // namespace repose::mechanism

int main(int count, char** words) {
  using namespace repose::mechanism;
  using repose::bench::Holds;
  repose::bench::Sheet sheet("mechanism_forces", count, words);
  bench_random(sheet);
  auto& table = sheet.table("solves", "One force problem solved, us",
                            {{"problem", Holds::word},
                             {"rows", Holds::count},
                             {"from scratch", Holds::time},
                             {"moved a little", Holds::time},
                             {"its partition", Holds::word},
                             {"at rest", Holds::time}});
  bench_scene(table, "four-bar", four_bar(), 20000);
  bench_scene(table, "pyramid of 3", box_pyramid(2, 0.5), 2000);
  bench_scene(table, "pyramid of 55", box_pyramid(10, 0.5), 50);
  if (!sheet.quick()) {
    bench_scene(table, "pyramid of 210", box_pyramid(20, 0.5), 10);
    bench_scene(table, "pyramid of 210, frictionless", box_pyramid(20, 0.0), 10);
    bench_tilt(sheet);
  }
  return sheet.finish();
}
