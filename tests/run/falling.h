#pragma once

#include <limits>
#include <memory>

#include "repose/world/method.h"

#include "record/balls.h"

namespace repose::testing {

struct FallingSettings {
  double speed = 0.5;    // m a step
  double floor = 0.0;    // height at which a body rests, m
  int poison_step = -1;  // the step that makes a NaN
  int fewest = 0;        // bodies below which it refuses the problem
};

inline const SettingsTable<FallingSettings>& falling_table() {
  static const auto table =
      SettingsTable<FallingSettings>()
          .number("speed", &FallingSettings::speed, {.min = 0.0}, "m", "Fall of one step.")
          .number("floor", &FallingSettings::floor, {}, "m", "Height of rest.")
          .integer("poison_step", &FallingSettings::poison_step, {}, "Makes a NaN.")
          .integer("fewest", &FallingSettings::fewest, {}, "Refuses fewer bodies.");
  return table;
}

/// A small method that moves: every free body falls by `speed` a step until it reaches the floor.
class Falling final : public Method {
 public:
  explicit Falling(const FallingSettings& settings) : settings_(settings) {}
  std::string name() const override { return "falling"; }
  Result<Done> prepare(const Problem& problem, State&) override {
    if (static_cast<int>(problem.bodies.size()) < settings_.fewest)
      return InputError{"", 0, 0, "/bodies", "", "too few bodies", "more bodies"};
    prepared_bodies_ = problem.bodies.size();
    return Done{};
  }
  StepReport step(const Problem& problem, State& state) override {
    REPOSE_CHECK(prepared_bodies_ == problem.bodies.size(), "prepare was not called again");
    state.step += 1;
    state.time += 0.1;
    StepReport report;
    report.status = RunStatus::rest;
    for (std::size_t i = 0; i < state.bodies.size(); ++i) {
      double& z = state.bodies[i].world_from_body.position.z();
      if (problem.bodies[i].fixed || z <= settings_.floor) continue;
      z = std::max(settings_.floor, z - settings_.speed);
      report.status = RunStatus::moving;
    }
    if (state.step == settings_.poison_step)
      state.bodies[0].velocity.x() = std::numeric_limits<double>::quiet_NaN();
    return report;
  }
  Audit audit(const Problem& problem, const State& state) override {
    Audit out;
    for (std::size_t i = 0; i < state.bodies.size(); ++i)
      out.energy += problem.bodies[i].mass * 9.81 * state.bodies[i].world_from_body.position.z();
    out.series = {
        {"height", state.bodies.empty() ? 0.0 : state.bodies[0].world_from_body.position.z()}};
    return out;
  }
  Result<Done> apply(const Edit& edit, Problem& problem, State& state) override {
    if (edit.kind != EditKind::release) return Method::apply(edit, problem, state);
    for (BodyState& body : state.bodies) body.world_from_body.position.z() += 1.0;
    return Done{};
  }
  Result<Done> change_settings(const SettingValues& values) override {
    auto read = falling_table().read(values);
    if (!read) return read.error();
    settings_ = *read;
    return Done{};
  }

 private:
  FallingSettings settings_;
  std::size_t prepared_bodies_ = 0;
};

inline MethodInfo falling() {
  return {"falling",
          "Bodies fall to a floor.",
          falling_table().rows(),
          [](const SettingValues& values) -> Result<std::unique_ptr<Method>> {
            auto settings = falling_table().read(values);
            if (!settings) return settings.error();
            return std::unique_ptr<Method>(std::make_unique<Falling>(*settings));
          },
          {EditKind::release}};
}

}  // namespace repose::testing
