// The same machines in Repose and in Box2D 2.4: CPU per step and per simulated second, joint drift,
// worst overlap, energy, time to rest. Metres, g = 10, density 1; all is measured by one and the
// same code from poses and speeds alone (Watch).
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "repose/base/stage_clock.h"
#include "repose/mechanism/mechanism.h"

#include "bench.h"
#include "peer.h"

namespace repose::mechanism {
namespace {

using bench::Cell;
using bench::Figure;
using bench::Holds;

struct Measured {
  double cpu = 0.0;  // s, all steps
  long steps = 0;
  double time = 0.0;                                                  // s, simulated
  double drift = 0.0, overlap = 0.0, energy_error = 0.0, rest = 0.0;  // of Watch
  std::string end;

  double per_second() const { return 1e3 * cpu / time; }  // ms a simulated second
  /// What machines are compared by, ms: until they rest, or a simulated second.
  double cost(const Model& model) const { return model.settles ? 1e3 * cpu : per_second(); }
};

/// Steps and looks after each; `step` answers whether to go on.
template <class Step, class Places>
Measured follow(const Model& model, double step_time, double seconds, Step&& step,
                Places&& places) {
  Measured out;
  Watch watch(model);
  watch.look(places(), 0.0);
  const long steps = std::lround(seconds / step_time);
  bool going = true;
  while (going && out.steps < steps && !(model.settles && !std::isnan(watch.rest_time()))) {
    going = step(static_cast<double>(out.steps) * step_time, out);
    ++out.steps;
    watch.look(places(), static_cast<double>(out.steps) * step_time);
  }
  out.time = static_cast<double>(out.steps) * step_time;
  out.drift = watch.drift();
  out.overlap = watch.overlap();
  out.energy_error = watch.energy_error();
  out.rest = watch.rest_time();
  return out;
}

Measured run_repose(const Model& model, double step_time, double seconds) {
  World world = world_of(model);
  auto method = method_info().make({{"step_time", step_time}, {"end_at_rest", false}});
  const auto prepared = (*method)->prepare(world.problem, world.state);
  if (!prepared) {
    Measured none;
    none.end = prepared.error().text();
    return none;
  }
  const auto step = [&](double time, Measured& out) {
    if (model.drive) drag_repose(model, **method, world, time);
    const double before = cpu_seconds();
    const StepReport report = (*method)->step(world.problem, world.state);
    out.cpu += cpu_seconds() - before;
    if (report.status != RunStatus::moving) out.end = report.why;
    return report.status == RunStatus::moving;
  };
  const auto places = [&] {
    std::vector<Place> out;
    for (const BodyState& b : world.state.bodies) out.push_back(place_of(b));
    return out;
  };
  return follow(model, step_time, seconds, step, places);
}

Measured run_box2d(const Model& model, const Box2dSetting& setting, double seconds) {
  const auto machine = make_box2d(model, setting);
  if (!machine) {
    Measured none;
    none.end = "not installed: libbox2d-dev";
    return none;
  }
  const auto step = [&](double time, Measured& out) {
    const double before = cpu_seconds();
    machine->step(time);
    out.cpu += cpu_seconds() - before;
    return true;
  };
  return follow(model, setting.step, seconds, step, [&] { return machine->places(); });
}

void tell(bench::Table& table, const char* machine, const char* engine, const std::string& setting,
          const Measured& m) {
  const bool ran = m.steps > 0;
  const auto number = [&](double v) { return ran ? Cell(v) : Cell(); };
  table.row({std::string(machine), std::string(engine), setting,
             number(static_cast<double>(m.steps)),
             number(1e6 * m.cpu / static_cast<double>(m.steps)), number(m.per_second()),
             number(m.drift), number(m.overlap), number(m.energy_error), number(m.rest), m.end});
}

/// Which of Box2D's settings to compare with: where machines must come to rest, the quickest that
/// does; else the one whose joints hold best, for drift is what its users raise the rate for.
std::size_t best_of(const Model& model, const std::vector<Measured>& rows) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const bool rests = !std::isnan(rows[i].rest), did = !std::isnan(rows[best].rest);
    const bool better = model.settles ? (rests != did ? rests : rows[i].cpu < rows[best].cpu)
                                      : rows[i].drift < rows[best].drift;
    if (better) best = i;
  }
  return best;
}

void compare(bench::Sheet& sheet, bench::Table& table, const char* name, const Model& model,
             double seconds, std::initializer_list<double> ours) {
  Figure figure{.id = name,
                .what = fmt::format("{}: CPU {}", name,
                                    model.settles ? "until it rests" : "for a simulated second"),
                .unit = "ms",
                .ours = std::numeric_limits<double>::infinity()};
  for (const double h : ours) {
    const Measured m = run_repose(model, h, seconds);
    tell(table, name, "Repose", fmt::format("{:.3g} ms", 1e3 * h), m);
    if (m.end.empty()) figure.ours = std::min(figure.ours, m.cost(model));
  }
  std::vector<Measured> rows;
  for (const Box2dSetting& setting : kBox2dSettings)
    rows.push_back(run_box2d(model, setting, seconds));
  const std::size_t best = best_of(model, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Box2dSetting& setting = kBox2dSettings[i];
    tell(table, name, "Box2D",
         fmt::format("{}: {}{}", setting.name, setting.words, i == best ? " (best)" : ""), rows[i]);
    if (rows[i].steps == 0) continue;
    figure.peers.push_back(
        {"Box2D", setting.name, rows[i].per_second(),
         fmt::format("drift {:.1e} m, overlap {:.1e} m", rows[i].drift, rows[i].overlap),
         i == best});
  }
  sheet.figure(figure);
}

}  // namespace

void bench_machines(bench::Sheet& sheet, const std::string& only) {
  auto& table = sheet.table("machines", "Machines of the plane: metres, g = 10, density 1",
                            {{"machine", Holds::word},
                             {"engine", Holds::word},
                             {"setting", Holds::word},
                             {"steps", Holds::count},
                             {"us a step", Holds::time},
                             {"ms a simulated s", Holds::time},
                             {"joint drift, m", Holds::measure},
                             {"overlap, m", Holds::measure},
                             {"energy error", Holds::measure},
                             {"rests at, s", Holds::measure},
                             {"end", Holds::word}});
  const auto asked = [&](const char* name) { return only.empty() || only == name; };
  const double share = sheet.quick() ? 0.2 : 1.0;
  if (asked("four-bar"))
    compare(sheet, table, "four-bar", four_bar_model(), 60.0 * share, {0.02, 0.01, 0.005, 0.001});
  if (asked("feeder")) compare(sheet, table, "feeder", feeder_model(), 25.0 * share, {0.01, 0.005});
  if (asked("pyramid"))
    compare(sheet, table, "pyramid", pyramid_model(20), 3.0, {1.0 / 60.0, 0.005});
  if (asked("chain"))
    compare(sheet, table, "chain", chain_model(100), 5.0 * share, {0.01, 0.004, 0.002});
  if (asked("bin"))
    compare(sheet, table, "bin", bin_model(sheet.quick() ? 50 : 100, 1), 20.0, {0.01});
  table.note(
      "energy error: largest change of energy over the largest fall, where nothing drives or rubs. "
      "rests at: when no body had averaged more than 1e-3 m/s for 0.5 s, by the same rule for all; "
      "machines that settle are run until then.");
}

}  // namespace repose::mechanism
