// The experiments of Snyder 1995, figure 9, from their scene files and from random starts: steps,
// CPU time and the judge's verdict beside the paper's iterations and the paper's loop; then the
// same bodies as triangle meshes in Bullet.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "repose/run/judge.h"

#include "bullet.h"
#include "experiments.h"
#include "starts.h"

namespace repose {
namespace {

constexpr const char* kBesideBullet[] = {"torus-on-cone", "teapot-on-ground", "spoon-in-bowl"};

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

void print_experiment(const Experiment& e, const char* engine) {
  const auto out = settle_scene(e.scene, {{"engine", std::string(engine)}});
  if (!out) {
    fmt::print("{:<24} {:<8} {}\n", e.scene, engine, out.error().text());
    return;
  }
  const Judgement verdict = judge(out->problem, out->state);
  fmt::print(
      "{:<24} {:<8} {:>6} {:>6} {:>9.1f}  {:<11} {:<10} {:<10} {:>8}  {}\n", e.scene, engine,
      e.paper_iterations, out->steps, out->milliseconds, out->status, to_text(verdict.overlap),
      to_text(verdict.balanced),
      verdict.penetration_relative ? fmt::format("{:.0e}", *verdict.penetration_relative) : "-",
      out->failures);
  std::fflush(stdout);
}

void print_table() {
  fmt::print("{:<24} {:<8} {:>6} {:>6} {:>9}  {:<11} {:<10} {:<10} {:>8}  {}\n", "experiment",
             "engine", "paper", "steps", "CPU ms", "status", "overlap", "balance", "deepest",
             "loop failures");
  for (const Experiment& e : kExperiments)
    for (const char* engine : {"default", "paper"}) print_experiment(e, engine);
  // eight bodies at once, judged as a pile
  print_experiment({"eight-fruits", 0}, "default");
}

/// Largest way of a point of the body between two poses, over its size.
double apart(const Body& body, const Pose& a, const Pose& b) {
  const double turn = a.rotation.angularDistance(b.rotation);
  return ((a * body.center_body - b * body.center_body).norm() +
          turn * body.shape->bounding_radius) /
         body.size();
}

void print_engine(const char* scene, const char* engine, const Problem& problem, const State& state,
                  int body, const std::string& end, double seconds) {
  const Judgement verdict = judge(problem, state);
  // the exact rest next to where the engine left the body
  auto exact = settle(problem, state, {});
  if (!exact) exact = settle(problem, state, {{"extricate", true}});
  const auto i = static_cast<std::size_t>(body);
  const bool found = exact && (exact->status == "rest" || exact->status == "metastable");
  fmt::print(
      "{:<20} {:<8} {:<11} {:>9.3f} {:>10} {:>12}  {}\n", scene, engine, end, seconds,
      verdict.penetration_relative ? fmt::format("{:.1e}", *verdict.penetration_relative) : "-",
      found ? fmt::format("{:.1e}", apart(problem.bodies[i], state.bodies[i].world_from_body,
                                          exact->state.bodies[i].world_from_body))
            : "-",
      to_text(verdict.overlap));
  std::fflush(stdout);
}

/// The last body that may move, and where it began.
int mover_of(const Problem& problem) {
  int out = -1;
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    if (!problem.bodies[i].fixed) out = static_cast<int>(i);
  return out;
}

State start_of(const World& world, const Outcome& end, int body) {
  State out = end.state;
  out.contacts.clear();
  out.memory.reset();
  out.step = 0;
  const std::string& name = end.problem.bodies[static_cast<std::size_t>(body)].name;
  const int at_first = world.problem.find_body(name);
  if (at_first >= 0)
    out.bodies[static_cast<std::size_t>(body)] =
        world.state.bodies[static_cast<std::size_t>(at_first)];
  for (const TimedEvent& event : world.problem.events)
    if (event.edit.kind == EditKind::add && event.edit.target == name)
      out.bodies[static_cast<std::size_t>(body)] = event.edit.body_state;
  return out;
}

void print_beside_bullet() {
  fmt::print("\n{:<20} {:<8} {:<11} {:>9} {:>10} {:>12}  {}\n", "beside Bullet", "engine", "end",
             "CPU s", "overlap", "off its rest", "judge");
  for (const char* scene : kBesideBullet) {
    SettingValues settings;
    auto world = world_of(scene, settings);
    if (!world) continue;
    const auto end = settle(world->problem, world->state, settings);
    if (!end) {
      fmt::print("{:<20} {}\n", scene, end.error().text());
      continue;
    }
    const int body = mover_of(end->problem);
    Problem problem = end->problem;
    problem.events.clear();
    const State start = start_of(*world, *end, body);
    const auto own = settle(problem, start, settings);
    if (!own) continue;
    print_engine(scene, "Repose", problem, own->state, body, own->status, 1e-3 * own->milliseconds);
    const OtherEngine bullet = settle_with_bullet(problem, start, body);
    if (bullet.built)
      print_engine(scene, "Bullet", problem, bullet.state, body, bullet.end, bullet.seconds);
  }
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
  repose::print_table();
  repose::print_beside_bullet();
  return 0;
}
