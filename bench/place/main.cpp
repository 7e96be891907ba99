// The experiments of Snyder 1995, figure 9, from their scene files and from random starts: steps,
// CPU time and the judge's verdict beside the paper's iterations and the paper's loop; then the
// same bodies as triangle meshes in Bullet.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "repose/base/random.h"
#include "repose/base/stage_clock.h"
#include "repose/run/catalogue.h"
#include "repose/run/loop.h"
#include "repose/run/verdict.h"
#include "repose/scene/gallery.h"

#include "bullet.h"

namespace repose {
namespace {

struct Experiment {
  const char* scene;
  int paper_iterations;
};
constexpr Experiment kExperiments[] = {
    {"torus-on-cone", 13},    {"block-into-goblet", 25},    {"goblet-sideways", 28},
    {"knot-on-ground", 12},   {"jack-on-ground", 36},       {"bumpy-sphere-on-ground", 14},
    {"torus-on-ground", 37},  {"cone-on-ground", 23},       {"teapot-on-ground", 20},
    {"lid-on-teapot", 29},    {"straw-in-glass", 40},       {"ice-cube-in-glass", 39},
    {"44th-ball-in-bowl", 9}, {"bumpy-sphere-on-cone", 50}, {"apple-on-ground", 12}};
constexpr const char* kBesideBullet[] = {"torus-on-cone", "teapot-on-ground", "spoon-in-bowl"};
constexpr long kMostSteps = 400;

struct Outcome {
  std::string status, why;
  long steps = 0;
  double milliseconds = 0.0;
  std::string failures;
  Problem problem;
  State state;
};

Result<World> world_of(const std::string& name, SettingValues& settings) {
  auto scene = open_scene("place/" + name, method_catalogue());
  if (!scene) return scene.error();
  for (const auto& [key, value] : scene->method.settings) settings.try_emplace(key, value);
  return build_world(*scene);
}

/// CPU time holds everything from the prepared scene on: surfaces, start, steps.
Result<Outcome> settle(const Problem& problem, const State& state, const SettingValues& settings) {
  const auto method = find_method("place");
  if (!method) return method.error();
  const double start = cpu_seconds();
  auto session = Session::start(problem, state, **method, settings);
  if (!session) return session.error();
  RunLimits limits;
  limits.steps = kMostSteps;
  RunObserver nobody;
  auto run = run_to_end(*session, limits, nobody);
  if (!run) return run.error();
  Outcome out;
  out.milliseconds = 1e3 * (cpu_seconds() - start);
  out.status = to_text(run->status);
  out.why = run->why;
  out.steps = session->state().step;
  for (const auto& [name, text] : session->facts())
    if (name == "loop_failures") out.failures = text;
  out.problem = session->problem();
  out.state = session->state();
  return out;
}

Result<Outcome> settle_scene(const std::string& name, SettingValues settings) {
  auto world = world_of(name, settings);
  if (!world) return world.error();
  return settle(world->problem, world->state, settings);
}

void print_experiment(const Experiment& e, const char* engine) {
  const auto out = settle_scene(e.scene, {{"engine", std::string(engine)}});
  if (!out) {
    fmt::print("{:<24} {:<8} {}\n", e.scene, engine, out.error().text());
    return;
  }
  const Verdict verdict = judge(out->problem, out->state);
  fmt::print(
      "{:<24} {:<8} {:>6} {:>6} {:>9.1f}  {:<11} {:<10} {:<10} {:>8}  {}\n", e.scene, engine,
      e.paper_iterations, out->steps, out->milliseconds, out->status, to_text(verdict.overlap),
      to_text(verdict.rest),
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
}

/// Uniform rotations, lifted clear by the body's size.
void turn_at_random(Random& random, Problem& problem, State& state) {
  for (std::size_t i = 0; i < problem.bodies.size(); ++i)
    if (!problem.bodies[i].fixed) {
      BodyState& body = state.bodies[i];
      body.world_from_body.rotation = random_rotation(random);
      body.world_from_body.position.z() += problem.bodies[i].size();
    }
}

void print_random_starts(int starts, const char* engine) {
  fmt::print("\n{:<24} {:<8} {:>7} {:>5} {:>11} {:>10} {:>9} {:>10} {:>9}\n", "random starts",
             "engine", "at rest", "of", "overlapping", "unbalanced", "refused", "median ms",
             "median it");
  for (const Experiment& e : kExperiments) {
    int rest = 0, overlap = 0, unbalanced = 0, refused = 0;
    std::vector<double> spent;
    std::vector<long> steps;
    for (int k = 0; k < starts; ++k) {
      Random random(90001 + static_cast<std::uint64_t>(k));
      SettingValues settings{{"engine", std::string(engine)}};
      auto world = world_of(e.scene, settings);
      if (!world) continue;
      turn_at_random(random, world->problem, world->state);
      const auto out = settle(world->problem, world->state, settings);
      if (!out) {
        ++refused;
        continue;
      }
      const Verdict verdict = judge(out->problem, out->state);
      const bool ended = out->status == "rest" || out->status == "metastable";
      rest += ended ? 1 : 0;
      overlap += verdict.overlap == Answer::missed ? 1 : 0;
      unbalanced += ended && verdict.rest == Answer::missed ? 1 : 0;
      spent.push_back(out->milliseconds);
      steps.push_back(out->steps);
    }
    std::sort(spent.begin(), spent.end());
    std::sort(steps.begin(), steps.end());
    fmt::print("{:<24} {:<8} {:>7} {:>5} {:>11} {:>10} {:>9} {:>10.1f} {:>9}\n", e.scene, engine,
               rest, starts, overlap, unbalanced, refused,
               spent.empty() ? 0.0 : spent[spent.size() / 2],
               steps.empty() ? 0 : steps[steps.size() / 2]);
    std::fflush(stdout);
  }
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
  const Verdict verdict = judge(problem, state);
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
    if (event.edit.kind == "add" && event.edit.target == name)
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

/// bench_place [STARTS] [paper]: a table of random starts as well, of the paper's loop if asked.
int main(int argc, char** argv) {
  const int starts = argc > 1 ? std::atoi(argv[1]) : 0;
  const bool paper = argc > 2 && std::strcmp(argv[2], "paper") == 0;
  if (starts > 0) {
    repose::print_random_starts(starts, paper ? "paper" : "default");
    return 0;
  }
  repose::print_table();
  repose::print_beside_bullet();
  return 0;
}
