// Figure 5 of Keiser 2004 measured: two elastic bodies of 10 000 surfels and 390 phyxels fly
// against each other and part again. A row a frame of 1/60 s: all CPU time, that of contact
// handling, and the contacts; once with the proven engine, once with the paper's.
// Then what contact handling costs against the number of surfels on the contact surface.
// bench_surfel [SPEED [ENGINE]]: one engine alone, or `growth`: the cost alone, or `million`: a
// body of a million surfels, which is measured only when it is asked for.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"
#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

#include "bench/sheet/sheet.h"
#include "growth.h"
#include "million.h"

namespace {

using namespace repose;

constexpr double kFrame = 1.0 / 60.0;  // s
constexpr int kFrames = 24, kQuickFrames = 8;
constexpr double kLeastTold = 0.01;  // ms

std::string scene_text(const char* engine, double modulus, double speed, double spacing) {
  const auto body = [&](const char* name, double at, double way) {
    return fmt::format(
        R"({{"name": "{}", "material": "gel", "position": [{}, 0.01, 0], "velocity": [{}, 0, 0],
 "shape": {{"kind": "sample", "spacing": {}, "phyxel_spacing": 0.0227, "shape": {{"kind": "ball", "radius": 0.1}}}}}})",
        name, at, way, spacing);
  };
  return fmt::format(
      R"({{"repose": 1, "method": {{"kind": "surfel", "engine": "{}"}}, "gravity": [0, 0, 0],
 "materials": {{"gel": {{"density": 1000, "young_modulus": {}, "poisson_ratio": 0.3, "friction": 0.3}}}},
 "bodies": [{}, {}]}})",
      engine, modulus, body("left", -0.11, speed), body("right", 0.11, -speed));
}

/// ms of the stages that move phyxels.
double animation(const Session& session) {
  double out = 0.0;
  for (const auto& [stage, seconds] : session.clock().seconds())
    if (stage == "elastic_forces" || stage == "push_freely" || stage == "flow")
      out += 1e3 * seconds;
  return out;
}

/// What each stage took of a frame, the longest first: "stage 1.2, ...", ms.
std::string by_stage(const std::map<std::string, double>& before,
                     const std::map<std::string, double>& after) {
  std::vector<std::pair<double, std::string>> stages;
  for (const auto& [stage, seconds] : after) {
    const auto known = before.find(stage);
    stages.emplace_back(-1e3 * (seconds - (known == before.end() ? 0.0 : known->second)), stage);
  }
  std::ranges::sort(stages);
  std::string out;
  for (const auto& [ms, stage] : stages)
    if (-ms > kLeastTold) out += fmt::format("{}{} {:.2f}", out.empty() ? "" : ", ", stage, -ms);
  return out;
}

/// Rounds in which contacts were solved, or looks for them in the paper's engine, so far.
double rounds_of(Session& session) {
  Json facts(session.facts());
  return std::atof(facts["surfel"]["rounds"].line().c_str());
}

int run(bench::Sheet& sheet, const char* engine, double modulus, double speed, double spacing) {
  using bench::Holds;
  const auto scene = scene_from_text(scene_text(engine, modulus, speed, spacing), "bench.json",
                                     method_catalogue());
  if (!scene) return std::printf("%s\n", scene.error().text().c_str()), 2;
  auto world = build_world(*scene);
  if (!world) return std::printf("%s\n", world.error().text().c_str()), 2;
  const auto& points = std::get<shape::PointSet>(world->problem.bodies[0].shape->geometry);
  auto& table = sheet.table(
      fmt::format("figure5-{}-{:.0e}", engine, modulus),
      fmt::format("Figure 5 of Keiser 2004, frames of 1/60 s: engine {}, E = {:.0e} Pa, {:.3g} m/s "
                  "each, {} surfels and {} phyxels each",
                  engine, modulus, speed, points.surfels.size(), points.phyxels.size()),
      {{"frame", Holds::count},
       {"all, ms", Holds::time},
       {"contact handling, ms", Holds::time},
       {"contacts", Holds::count},
       {"steps", Holds::count},
       {"rounds", Holds::count}});
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("surfel"), scene->method.settings);
  if (!session) return std::printf("%s\n", session.error().text().c_str()), 2;
  double most = 0.0, idle = std::numeric_limits<double>::infinity();
  std::string stages;  // of the worst frame
  const int frames = sheet.quick() ? kQuickFrames : kFrames;
  for (int frame = 1; frame <= frames; ++frame) {
    const double before = cpu_seconds(), moving = animation(*session);
    const long steps = session->state().step;
    const double rounds = rounds_of(*session);
    const auto clock = session->clock().seconds();
    std::size_t contacts = 0;
    while (session->state().time < frame * kFrame) {
      const auto done = session->step();
      if (!done) return std::printf("%s\n", done.error().text().c_str()), 3;
      contacts = std::max(contacts, session->state().contacts.size());
    }
    const double all = 1e3 * (cpu_seconds() - before);
    if (all > most) stages = by_stage(clock, session->clock().seconds());
    most = std::max(most, all);
    idle = std::min(idle, all);
    table.row({1.0 * frame, all, all - (animation(*session) - moving),
               static_cast<double>(contacts), static_cast<double>(session->state().step - steps),
               rounds_of(*session) - rounds});
  }
  table.note(fmt::format("Worst frame {:.1f} ms, best {:.1f}; state {}.", most, idle,
                         state_hash(session->state())));
  table.note(fmt::format("Stages of the worst frame, those within others too, ms: {}.", stages));
  sheet.figure(
      {.id = fmt::format("frame-{}-{:.0e}", engine, modulus),
       .what = fmt::format("worst frame of figure 5, engine {}, E = {:.0e} Pa", engine, modulus),
       .unit = "ms",
       .ours = most});
  return 0;
}

}  // namespace

int main(int count, char** words) {
  constexpr double kSpacing = 0.00375;  // m: 10 000 surfels
  constexpr double kQuickSpacing = 0.008;
  bench::Sheet sheet("surfel", count, words);
  const double speed = std::atof(sheet.word(0, "1").c_str());
  const std::string only = sheet.word(1, "");
  for (const char* engine : {"proven", "paper"})
    for (const double modulus : {1e5, 1e6}) {
      if (!only.empty() && only != engine) continue;
      if (sheet.quick() && modulus > 1e5) continue;
      if (const int code =
              run(sheet, engine, modulus, speed, sheet.quick() ? kQuickSpacing : kSpacing);
          code != 0)
        return code;
    }
  if (only == "million")
    if (const int code = measure_million(sheet); code != 0) return code;
  if (only.empty() || only == "growth")
    if (const int code = measure_growth(sheet); code != 0) return code;
  return sheet.finish();
}
