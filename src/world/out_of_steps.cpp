#include "repose/world/out_of_steps.h"

#include <fmt/format.h>

namespace repose {

void stop_out_of_steps(const std::string& method, const Problem& problem, const State& state,
                       bool friction, StepReport& report) {
  report.status = RunStatus::stopped;
  report.why = fmt::format("not at rest after {} steps", state.step);
  if (report.body >= 0)
    report.why += fmt::format("; farthest from it is {}",
                              problem.bodies[static_cast<std::size_t>(report.body)].name);
  report.remedy = fmt::format("more steps (--set {}.max_steps=...)", method);
  if (!friction)
    report.remedy = fmt::format(
        "friction (--set {}.friction=true): without any, bodies may creep on for ever; or {}",
        method, report.remedy);
}

}  // namespace repose
