#include "million.h"

#include <cstdio>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"
#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/scene.h"

namespace {

using namespace repose;
using bench::Holds;

constexpr double kFrame = 1.0 / 60.0;                  // s
constexpr double kSpacing = 0.0037, kPhyxels = 0.047;  // m
constexpr double kQuickSpacing = 0.03, kQuickPhyxels = 0.15;
constexpr int kFrames = 6, kQuickFrames = 2;

/// A ball of one metre a hand's breadth above the ground.
std::string scene_text(double spacing, double phyxel_spacing) {
  return fmt::format(
      R"({{"repose": 1, "method": {{"kind": "surfel"}},
 "materials": {{"gel": {{"density": 1000, "young_modulus": 1e6, "poisson_ratio": 0.3, "friction": 0.3}}}},
 "bodies": [
  {{"name": "ground", "shape": {{"kind": "half_space"}}, "fixed": true}},
  {{"name": "ball", "material": "gel", "position": [0, 0, 1.02], "velocity": [0, 0, -1],
   "shape": {{"kind": "sample", "spacing": {}, "phyxel_spacing": {}, "shape": {{"kind": "ball", "radius": 1}}}}}}]}})",
      spacing, phyxel_spacing);
}

}  // namespace

int measure_million(bench::Sheet& sheet) {
  const std::string text =
      sheet.quick() ? scene_text(kQuickSpacing, kQuickPhyxels) : scene_text(kSpacing, kPhyxels);
  const double start = cpu_seconds();
  const auto scene = scene_from_text(text, "million.json", method_catalogue());
  if (!scene) return std::printf("%s\n", scene.error().text().c_str()), 2;
  auto world = build_world(*scene);
  if (!world) return std::printf("%s\n", world.error().text().c_str()), 2;
  const double sampled = cpu_seconds();
  const auto& points = std::get<shape::PointSet>(world->problem.bodies[1].shape->geometry);
  const std::string sizes =
      fmt::format("{} surfels and {} phyxels", points.surfels.size(), points.phyxels.size());
  auto session = Session::start(std::move(world->problem), std::move(world->state),
                                **find_method("surfel"), scene->method.settings);
  if (!session) return std::printf("%s\n", session.error().text().c_str()), 2;
  const double prepared = cpu_seconds();
  auto& table = sheet.table("million", "A ball of " + sizes + " falls on a plane, engine proven",
                            {{"frame", Holds::count},
                             {"all, s", Holds::time},
                             {"contacts", Holds::count},
                             {"steps", Holds::count},
                             {"memory, MB", Holds::time}});
  for (int frame = 1; frame <= (sheet.quick() ? kQuickFrames : kFrames); ++frame) {
    const double before = cpu_seconds();
    const long steps = session->state().step;
    std::size_t contacts = 0;
    while (session->state().time < frame * kFrame) {
      if (!session->step()) return 3;
      contacts = std::max(contacts, session->state().contacts.size());
    }
    table.row({1.0 * frame, cpu_seconds() - before, static_cast<double>(contacts),
               static_cast<double>(session->state().step - steps), bench::megabytes_so_far()});
  }
  table.note(fmt::format("Sampled in {:.1f} s, prepared in {:.1f} s of CPU.", sampled - start,
                         prepared - sampled));
  return 0;
}
