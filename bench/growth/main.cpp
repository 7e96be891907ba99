// bench_growth [NAME] [--quick]: cost and memory of every method against size. Each size runs in a
// process of its own, so that memory is its own, too.
#include <functional>

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <unistd.h>

#include "repose/base/random.h"
#include "repose/base/stage_clock.h"
#include "repose/check/verdict.h"
#include "repose/mechanism/mechanism.h"
#include "repose/run/catalogue.h"
#include "repose/run/loop.h"
#include "repose/scene/scene.h"

#include "bench/mechanism/models.h"
#include "bench/pile/scene.h"
#include "bench/sheet/sheet.h"
#include "check/items.h"

namespace {

using namespace repose;
using bench::Holds;

/// CPU seconds of one unit of work at a size; negative: it failed.
using Cost = std::function<double(int size)>;

struct Measured {
  double seconds = 0.0, megabytes = 0.0;
};

/// In a child: what it costs, and the most memory that it held.
Measured measure(const Cost& cost, int size) {
  int ends[2];
  if (pipe(ends) != 0) return {-1.0, 0.0};
  const pid_t child = fork();
  if (child == 0) {
    const double seconds = cost(size);
    const bool told = write(ends[1], &seconds, sizeof seconds) == sizeof seconds;
    _exit(told ? 0 : 1);
  }
  close(ends[1]);
  Measured out{-1.0, 0.0};
  if (read(ends[0], &out.seconds, sizeof out.seconds) != sizeof out.seconds) out.seconds = -1.0;
  close(ends[0]);
  rusage used{};
  int status = 0;
  wait4(child, &status, 0, &used);
  out.megabytes = static_cast<double>(used.ru_maxrss) * 1024.0 / 1e6;
  return out;
}

struct Series {
  const char* name;
  const char* what;   // of what the cost is
  const char* sizes;  // what sizes count
  std::vector<int> full, quick;
  Cost cost;
};

double pile_to_rest(int size) {
  const int k = static_cast<int>(std::lround(std::cbrt(size)));
  const bench_pile::Row row = bench_pile::run_repose(k, 1);
  return row.end == "rest" ? row.seconds : -1.0;
}

double pile_first_step(int size) {
  const int k = static_cast<int>(std::lround(std::cbrt(size)));
  return bench_pile::run_repose(k, 1, 1).seconds;
}

/// A step of a machine, on average over the first second.
double machine_step(const mechanism::Model& model, double step_time) {
  mechanism::World world = mechanism::world_of(model);
  auto method = mechanism::method_info().make({{"step_time", step_time}, {"end_at_rest", false}});
  if (!(*method)->prepare(world.problem, world.state)) return -1.0;
  const double before = cpu_seconds();
  const int steps = static_cast<int>(std::lround(1.0 / step_time));
  for (int k = 0; k < steps; ++k)
    if ((*method)->step(world.problem, world.state).status != RunStatus::moving) return -1.0;
  return (cpu_seconds() - before) / steps;
}

/// A body set down on many.
double place_on_many(int size) {
  const int side = static_cast<int>(std::lround(std::sqrt(size)));
  std::string bodies =
      R"({"name": "egg", "shape": {"kind": "ellipsoid", "radii": [0.9, 0.7, 0.5]},
 "position": [0.3, 0.2, 2.5], "roll_pitch_yaw_deg": [40, 20, 10]})";
  for (int i = 0; i < side * side; ++i)
    bodies += fmt::format(
        R"(, {{"name": "b{}", "shape": {{"kind": "ball", "radius": 0.5}}, "position": [{}, {}, 0], "fixed": true}})",
        i, i % side - side / 2, i / side - side / 2);
  const auto scene = scene_from_text(
      fmt::format(R"({{"repose": 1, "method": {{"kind": "place"}}, "bodies": [{}]}})", bodies),
      "growth.json", method_catalogue());
  if (!scene) return -1.0;
  const auto world = build_world(*scene);
  if (!world) return -1.0;
  const double before = cpu_seconds();
  auto session = Session::start(world->problem, world->state, **find_method("place"), {});
  if (!session) return -1.0;
  RunObserver observer;
  RunLimits limits;
  limits.steps = 400;
  const auto run = run_to_end(*session, limits, observer);
  return run && run->status == RunStatus::rest ? cpu_seconds() - before : -1.0;
}

/// A frame of two balls of so many surfels each that fly against each other.
double surfel_frame(int surfels) {
  constexpr double kPhyxels = 5.66, kCoarsest = 0.04;  // their spacing: of that of surfels; m
  const double spacing = 0.0038 * std::sqrt(10000.0 / surfels);
  const auto body = [&](const char* name, double at, double way) {
    return fmt::format(
        R"({{"name": "{}", "material": "gel", "position": [{}, 0.01, 0], "velocity": [{}, 0, 0],
 "shape": {{"kind": "sample", "spacing": {}, "phyxel_spacing": {}, "shape": {{"kind": "ball", "radius": 0.1}}}}}})",
        name, at, way, spacing, std::min(kPhyxels * spacing, kCoarsest));
  };
  const auto scene =
      scene_from_text(fmt::format(
                          R"({{"repose": 1, "method": {{"kind": "surfel"}}, "gravity": [0, 0, 0],
 "materials": {{"gel": {{"density": 1000, "young_modulus": 1e5, "poisson_ratio": 0.3, "friction": 0.3}}}},
 "bodies": [{}, {}]}})",
                          body("left", -0.11, 1.0), body("right", 0.11, -1.0)),
                      "growth.json", method_catalogue());
  if (!scene) return -1.0;
  auto world = build_world(*scene);
  if (!world) return -1.0;
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("surfel"), scene->method.settings);
  if (!session) return -1.0;
  constexpr double kFrame = 1.0 / 60.0;
  constexpr int kFrames = 3;
  const double before = cpu_seconds();
  while (session->state().time < kFrames * kFrame)
    if (!session->step()) return -1.0;
  return (cpu_seconds() - before) / kFrames;
}

/// Balls near to each other, judged.
double judge_balls(int size) {
  const int side = static_cast<int>(std::lround(std::cbrt(size)));
  check::Input input;
  constexpr double kPitch = 2.0 + 1e-9;
  const auto one = check::ball(1.0);
  for (int i = 0; i < side * side * side; ++i)
    input.bodies.push_back(
        check::at(one, kPitch * Vec3(i % side, i / side % side, i / side / side)));
  const double before = cpu_seconds();
  const auto verdict = check::check(input);
  (void)verdict;
  return cpu_seconds() - before;
}

std::vector<Series> all_series() {
  const auto chain = [](int n) { return machine_step(mechanism::chain_model(n), 0.004); };
  const auto bin = [](int n) { return machine_step(mechanism::bin_model(n, 1), 0.01); };
  return {{"pile-rest",
           "pile: balls in a box to rest",
           "balls",
           {27, 64, 216, 729, 2744},
           {27, 64, 125},
           pile_to_rest},
          {"pile-step",
           "pile: the first step",
           "balls",
           {125, 1000, 4913, 13824},
           {125, 343},
           pile_first_step},
          {"place",
           "place: one body set down on many",
           "bodies below",
           {9, 100, 900},
           {9, 49},
           place_on_many},
          {"chain",
           "mechanism: a step of a chain, mean of a second",
           "links",
           {3, 10, 30, 100, 300},
           {3, 10, 30},
           chain},
          {"bin",
           "mechanism: a step of boxes in a bin, mean of a second",
           "boxes",
           {3, 15, 75, 300},
           {3, 15},
           bin},
          {"surfel",
           "surfel: a frame of two balls that meet",
           "surfels each",
           {1000, 3000, 10000, 30000, 100000},
           {1000, 2000},
           surfel_frame},
          {"judge",
           "judge: balls that nearly touch",
           "balls",
           {1000, 8000, 27000, 103823},
           {1000, 3375},
           judge_balls}};
}

void grow(bench::Sheet& sheet, const Series& series) {
  auto& table =
      sheet.table(series.name, series.what,
                  {{series.sizes, Holds::count}, {"CPU s", Holds::time}, {"MB", Holds::time}});
  bench::Growth out{series.name, series.what, {}, {}, {}};
  for (const int size : sheet.quick() ? series.quick : series.full) {
    const Measured m = measure(series.cost, size);
    if (m.seconds < 0.0) {
      table.note(fmt::format("{} {}: did not come to its end", size, series.sizes));
      continue;
    }
    table.row({1.0 * size, m.seconds, m.megabytes});
    out.sizes.push_back(size);
    out.seconds.push_back(m.seconds);
    out.megabytes.push_back(m.megabytes);
  }
  if (out.sizes.size() > 1)
    table.note(fmt::format("Exponent {:.2f} over a factor of {:.0f}.",
                           bench::exponent(out.sizes, out.seconds),
                           out.sizes.back() / out.sizes.front()));
  sheet.growth(out);
}

}  // namespace

int main(int count, char** words) {
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  bench::Sheet sheet("growth", count, words);
  for (const Series& series : all_series())
    if (std::string(series.name).starts_with(sheet.word(0))) grow(sheet, series);
  return sheet.finish();
}
