#include "repose/pile/pile.h"

#include <algorithm>
#include <cmath>

#include "repose/world/out_of_steps.h"

#include "ball_report.h"
#include "ball_step.h"
#include "container.h"
#include "repair.h"
#include "support.h"
#include "turning.h"

namespace repose::pile {
namespace {

const PileMemory& memory_of(const State& state) {
  return static_cast<const PileMemory&>(*state.memory);
}

/// Puts what the solvers keep for the next step into the state's memory.
template <class Memory>
void remember(const Solvers& solvers, State& state) {
  auto next = std::make_shared<Memory>(static_cast<const Memory&>(*state.memory));
  solvers.remember(*next);
  state.memory = std::move(next);
}

class Pile final : public Method {
 public:
  explicit Pile(const PileSettings& settings) { use(settings); }

  std::string name() const override { return "pile"; }
  Result<Done> prepare(const Problem& problem, State& state) override;
  StepReport step(const Problem& problem, State& state) override;
  Audit audit(const Problem& problem, const State& state) override;
  Result<Done> change_settings(const SettingValues& values) override {
    auto read = settings_table().read(values);  // not over what `paper` stood for
    if (!read) return read.error();
    use(*read);
    return Done{};
  }

 private:
  void use(const PileSettings& settings) {
    settings_ = as_meant(settings);
    solvers_.programs =
        settings_.solver == Solver::simplex ? solve::make_simplex() : solve::make_interior_point();
  }
  PileSettings settings_;
  Arena arena_;
  Solvers solvers_;
};

Result<Done> Pile::prepare(const Problem& problem, State& state) {
  auto arena = prepare_arena(problem, state);
  if (!arena) return arena.error();
  arena_ = std::move(arena).value();
  if (settings_.solver == Solver::simplex && !arena_.potentials.links.empty()) {
    InputError error;
    error.pointer = "/method/solver";
    error.wrong = "the simplex method knows no potentials between bodies";
    error.right = "solver interior_point, or gravity and pushes alone";
    return error;
  }
  if (settings_.repair_start)
    repair_start(arena_, settings_, state);  // check_start says if it failed
  auto container = check_container(problem, state, arena_);
  if (!container) return container.error();
  auto start = check_start(problem, state, arena_, settings_.repair_start);
  if (!start) return start.error();
  if (arena_.all_balls)
    state.memory = first_ball_memory(arena_, settings_);
  else
    state.memory = first_turning_memory(arena_, settings_);
  return Done{};
}

StepReport Pile::step(const Problem& problem, State& state) {
  solvers_.resume(memory_of(state));
  arena_.force_unit = memory_of(state).force_unit;
  StepReport report;
  if (arena_.all_balls) {
    report = ball_step(problem, arena_, settings_, solvers_, state);
    remember<BallMemory>(solvers_, state);
  } else {
    report = turning_step(arena_, settings_, solvers_, state);
    remember<TurningMemory>(solvers_, state);
    if (report.status == RunStatus::moving)
      name_endless_fall(problem, arena_, placement_of(arena_, state), {}, report);
  }
  if (report.status == RunStatus::moving && state.step >= settings_.max_steps)
    stop_out_of_steps("pile", problem, state, settings_.friction, report);
  return report;
}

Audit Pile::audit(const Problem&, const State& state) {
  Audit out;
  out.worst_gap = std::numeric_limits<double>::infinity();
  const Placement at = placement_of(arena_, state);
  out.energy = energy_of(arena_.potentials, at.centers);
  std::vector<double> travel;
  for (const Mover& m : arena_.movers) travel.push_back(kTouchGap * m.radius);
  for (const Separation& s : find_separations(arena_, at, travel)) {
    double size = 2.0 * arena_.movers[s.b].radius;
    if (s.a >= 0) size = std::min(size, 2.0 * arena_.movers[s.a].radius);
    out.worst_gap = std::min(out.worst_gap, s.gap);
    out.worst_gap_relative = std::min(out.worst_gap_relative, s.gap / size);
  }
  if (!std::isfinite(out.worst_gap)) out.worst_gap = 0.0;
  out.series = {{"contacts", static_cast<double>(state.contacts.size())},
                {"lp iterations", static_cast<double>(memory_of(state).cost.iterations)},
                {"lp rows", static_cast<double>(memory_of(state).cost.rows_used)}};
  return out;
}

Result<std::unique_ptr<Method>> make(const SettingValues& values) {
  auto settings = settings_table().read(values);
  if (!settings) return settings.error();
  return std::unique_ptr<Method>(std::make_unique<Pile>(*settings));
}

}  // namespace

MethodInfo method_info() {
  MethodInfo out{"pile", "Brings many bodies to rest in a heap, at least energy.",
                 settings_table().rows(), make};
  out.support = support();
  out.ways = ProvenWays::of_origins;
  return out;
}

}  // namespace repose::pile
