// The experiments of Snyder 1995, figure 9, from their scene files and from random starts: steps,
// CPU time and the judge's verdict beside the paper's iterations.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include "repose/base/random.h"
#include "repose/base/stage_clock.h"
#include "repose/run/catalogue.h"
#include "repose/run/loop.h"
#include "repose/run/verdict.h"
#include "repose/scene/gallery.h"

namespace repose {
namespace {

struct Experiment {
  const char* scene;
  int paper_iterations;
};
constexpr Experiment kExperiments[] = {
    {"torus-on-cone", 13},   {"block-into-goblet", 25}, {"goblet-sideways", 28},
    {"knot-on-ground", 12},  {"jack-on-ground", 36},    {"bumpy-sphere-on-ground", 14},
    {"torus-on-ground", 37}, {"cone-on-ground", 23},    {"teapot-on-ground", 20},
    {"lid-on-teapot", 29},   {"ice-cube-in-glass", 39}, {"bumpy-sphere-on-cone", 50},
    {"apple-on-ground", 12}};
constexpr long kMostSteps = 400;

struct Outcome {
  std::string status;
  long steps = 0;
  double milliseconds = 0.0;
  Verdict verdict;
};

Result<Outcome> settle(const std::string& name, Random* random) {
  auto scene = open_scene("place/" + name, method_catalogue());
  if (!scene) return scene.error();
  auto world = build_world(*scene);
  if (!world) return world.error();
  if (random != nullptr)
    for (std::size_t i = 0; i < world->problem.bodies.size(); ++i)
      if (!world->problem.bodies[i].fixed) {
        BodyState& body = world->state.bodies[i];
        body.world_from_body.rotation = random_rotation(*random);
        body.world_from_body.position.z() += world->problem.bodies[i].size();
      }
  const auto method = find_method("place");
  if (!method) return method.error();
  const double start = cpu_seconds();
  auto session = Session::start(std::move(world->problem), std::move(world->state), **method,
                                scene->method.settings);
  if (!session) return session.error();
  RunLimits limits;
  limits.steps = kMostSteps;
  RunObserver nobody;
  auto run = run_to_end(*session, limits, nobody);
  if (!run) return run.error();
  Outcome out;
  out.milliseconds = 1e3 * (cpu_seconds() - start);
  out.status = to_text(run->status);
  out.steps = session->state().step;
  out.verdict = judge(session->problem(), session->state());
  return out;
}

void print_table() {
  fmt::print("{:<24} {:>6} {:>6} {:>9}  {:<11} {:<10} {:<10}\n", "experiment", "paper", "steps",
             "CPU ms", "status", "overlap", "balance");
  for (const Experiment& e : kExperiments) {
    const auto out = settle(e.scene, nullptr);
    if (!out) {
      fmt::print("{:<24} {}\n", e.scene, out.error().text());
      continue;
    }
    fmt::print("{:<24} {:>6} {:>6} {:>9.1f}  {:<11} {:<10} {:<10}\n", e.scene, e.paper_iterations,
               out->steps, out->milliseconds, out->status, to_text(out->verdict.overlap),
               to_text(out->verdict.rest));
  }
}

/// Uniform rotations, lifted clear by the body's size.
void print_random_starts(int starts) {
  fmt::print("\n{:<24} {:>8} {:>8} {:>10} {:>10}\n", "random starts", "at rest", "of",
             "overlapping", "median ms");
  for (const Experiment& e : kExperiments) {
    int rest = 0, overlap = 0;
    std::vector<double> spent;
    for (int k = 0; k < starts; ++k) {
      Random random(90001 + static_cast<std::uint64_t>(k));
      const auto out = settle(e.scene, &random);
      if (!out) continue;
      rest += out->status == "rest" || out->status == "metastable" ? 1 : 0;
      overlap += out->verdict.overlap == Answer::missed ? 1 : 0;
      spent.push_back(out->milliseconds);
    }
    std::sort(spent.begin(), spent.end());
    fmt::print("{:<24} {:>8} {:>8} {:>10} {:>10.1f}\n", e.scene, rest, starts, overlap,
               spent.empty() ? 0.0 : spent[spent.size() / 2]);
  }
}

}  // namespace
}  // namespace repose

int main(int argc, char** argv) {
  repose::print_table();
  const int starts = argc > 1 ? std::atoi(argv[1]) : 0;
  if (starts > 0) repose::print_random_starts(starts);
  return 0;
}
