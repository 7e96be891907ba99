// Table 2.1 of Benedetti 2002 measured: penalty, constraint and impulse on one scene.
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"
#include "repose/molecule/molecule.h"
#include "repose/run/catalogue.h"
#include "repose/run/session.h"
#include "repose/scene/gallery.h"
#include "repose/scene/scene.h"

#include "bench/sheet/sheet.h"

namespace {

using namespace repose;

constexpr double kDuration = 1.5, kQuickDuration = 0.2;  // s, simulated

struct Measured {
  double cpu = 0.0;  // s
  long steps = 0;
  double deepest = 0.0;  // m; overlap of the two bodies by the method's own word
  double peak = 0.0;     // N; largest contact force
  double sum = 0.0;      // N s; what the ground gave in all
  double kinetic = 0.0;  // J, at the end
  std::string hash;      // of the end
  std::string why;
};

Measured measure(const World& world, double duration, const SettingValues& settings) {
  Measured out;
  auto session = Session::start(world.problem, world.state, molecule::method_info(), settings);
  if (!session) {
    out.why = session.error().text();
    return out;
  }
  double time = 0.0;
  while (session->state().time < duration) {
    const double before = cpu_seconds();
    if (!session->step()) break;
    out.cpu += cpu_seconds() - before;
    ++out.steps;
    const Audit audit = session->audit();
    if (!std::isnan(audit.worst_gap)) out.deepest = std::max(out.deepest, -audit.worst_gap);
    for (const auto& [name, value] : audit.series) {
      if (name == "force box") {
        out.peak = std::max(out.peak, value);
        out.sum += value * (session->state().time - time);
      }
      if (name == "kinetic energy") out.kinetic = value;
    }
    time = session->state().time;
  }
  out.hash = state_hash(session->state());
  return out;
}

}  // namespace

int main(int count, char** words) {
  using bench::Holds;
  bench::Sheet sheet("response", count, words);
  auto scene = open_scene("molecule/box-on-ground-spheres", method_catalogue());
  if (!scene) return std::printf("%s\n", scene.error().text().c_str()), 2;
  const auto world = build_world(*scene);
  if (!world) return std::printf("%s\n", world.error().text().c_str()), 2;
  const double duration = sheet.quick() ? kQuickDuration : kDuration;
  auto& table = sheet.table(
      "families",
      fmt::format(
          "Table 2.1 of Benedetti 2002 measured: the paper's box on its ground, {} s simulated",
          duration),
      {{"response", Holds::word},
       {"CPU s", Holds::time},
       {"steps", Holds::count},
       {"deepest overlap, m", Holds::measure},
       {"peak force, N", Holds::measure},
       {"impulse over weight * time", Holds::measure},
       {"kinetic energy at the end, J", Holds::measure},
       {"hash", Holds::word},
       {"note", Holds::word}});
  const double weight = world->problem.bodies[1].mass * world->problem.gravity.norm();
  const auto row = [&](const char* name, const SettingValues& settings) {
    const Measured m = measure(*world, duration, settings);
    table.row({std::string(name), m.cpu, static_cast<double>(m.steps), m.deepest, m.peak,
               m.sum / (weight * duration), m.kinetic, m.hash, m.why});
  };
  const std::string paper = "paper";
  row("penalty, from the material", {{"engine", paper}});
  row("penalty, 100 times stiffer", {{"engine", paper},
                                     {"penalty_from", std::string("mass")},
                                     {"penalty_constant", 3e4},
                                     {"iterations_per_second", 10000.0}});
  row("constraint", {});
  row("impulse", {{"response", std::string("impulse")}});
  return sheet.finish();
}
