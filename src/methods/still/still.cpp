#include "repose/still/still.h"

#include <limits>

#include "repose/base/change_settings.h"
#include "repose/base/fault.h"
#include "repose/base/stage_clock.h"

namespace repose::still {

namespace {

constexpr double kMaxSteps = 1e9;
constexpr double kMaxStepTime = 1e6;  // s
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

class Still final : public Method {
 public:
  explicit Still(const StillSettings& settings) : settings_(settings) {}

  std::string name() const override { return "still"; }

  Result<Done> prepare(const Problem& problem, State&) override {
    for (const TimedEvent& event : problem.events)
      if (auto done = check_event(event); !done) return done;
    return Done{};
  }

  StepReport step(const Problem&, State& state) override {
    const StageScope timed("step");
    state.step += 1;
    state.time += settings_.step_time;
    StepReport report;
    report.progress = static_cast<double>(state.step) / settings_.steps;
    if (state.step >= settings_.steps) {
      report.status = RunStatus::finished;
      report.why = "nothing moves in this method";
    }
    return report;
  }

  // the method claims nothing of gaps and balance: it has not looked
  Audit audit(const Problem& problem, const State& state) override {
    const StageScope timed("audit");
    Audit out;
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) {
      const Body& body = problem.bodies[i];
      if (body.fixed) continue;
      const Vec3 center_world = state.bodies[i].world_from_body * body.center_body;
      out.energy -= body.mass * problem.gravity.dot(center_world);
    }
    out.force_residual = out.torque_residual = kUnknown;
    out.worst_gap = out.worst_gap_relative = kUnknown;
    return out;
  }

  Result<Done> change_settings(const SettingValues& values) override {
    return repose::change_settings(settings_table(), values, settings_);
  }

 private:
  /// Refuses an event that can never happen.
  Result<Done> check_event(const TimedEvent& event) const {
    const std::string at = event.pointer.substr(0, event.pointer.find("/edits"));
    if (std::holds_alternative<AtRest>(event.when))
      return fault(at + "/at_rest", "", "nothing comes to rest where nothing moves", "at_step");
    const auto* by_time = std::get_if<AtTime>(&event.when);
    if (by_time == nullptr || by_time->time <= 0.0 || settings_.step_time > 0.0) return Done{};
    return fault(at + "/at_time", "", "no time passes", "a still.step_time above 0, or at_step");
  }

  StillSettings settings_;
};

Result<std::unique_ptr<Method>> make(const SettingValues& values) {
  auto settings = settings_table().read(values);
  if (!settings) return settings.error();
  return std::unique_ptr<Method>(std::make_unique<Still>(*settings));
}

}  // namespace

const SettingsTable<StillSettings>& settings_table() {
  static const SettingsTable<StillSettings> table =
      SettingsTable<StillSettings>()
          .integer("steps", &StillSettings::steps, {.min = 1.0, .max = kMaxSteps},
                   "Steps until the run is finished; larger: more frames of the same picture.")
          .number("step_time", &StillSettings::step_time, {.min = 0.0, .max = kMaxStepTime}, "s",
                  "Simulated time of one step; larger: timed events come after fewer steps.");
  return table;
}

MethodInfo method_info() {
  MethodInfo out{"still", "Looks at a scene as it stands: draws it and judges it.",
                 settings_table().rows(), make};
  out.support.moves = false;
  out.support.soft = true;
  out.support.forces = {ForceKind::push, ForceKind::connect, ForceKind::spring, ForceKind::attract};
  return out;
}

}  // namespace repose::still
