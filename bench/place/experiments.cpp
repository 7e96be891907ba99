#include "experiments.h"

#include "repose/base/stage_clock.h"
#include "repose/run/catalogue.h"
#include "repose/run/loop.h"

namespace repose {

namespace {

constexpr long kStepLimit = 400;
constexpr double kMilli = 1e-3;

class KeepStates : public RunObserver {
 public:
  KeepStates(bool keep, std::vector<State>& states) : keep_(keep), states_(states) {}
  Result<Done> frame(const Session& session, const Audit&) override {
    if (keep_) states_.push_back(session.state());
    return Done{};
  }

 private:
  bool keep_;
  std::vector<State>& states_;
};

}  // namespace

Result<World> world_of(const std::string& name, SettingValues& settings) {
  auto scene = open_scene("place/" + name, method_catalogue());
  if (!scene) return scene.error();
  for (const auto& [key, value] : scene->method.settings) settings.try_emplace(key, value);
  return build_world(*scene);
}

Result<Outcome> settle(const Problem& problem, const State& state, const SettingValues& settings,
                       bool keep_path) {
  const auto method = find_method("place");
  if (!method) return method.error();
  const double start = cpu_seconds();
  auto session = Session::start(problem, state, **method, settings);
  if (!session) return session.error();
  RunLimits limits;
  limits.steps = kStepLimit;
  Outcome out;
  KeepStates observer(keep_path, out.path);
  auto run = run_to_end(*session, limits, observer);
  if (!run) return run.error();
  out.milliseconds = (cpu_seconds() - start) / kMilli;
  out.status = to_text(run->status);
  out.why = run->why;
  out.steps = session->state().step;
  for (const auto& [name, value] : session->facts())
    if (name == "loop_failures") out.failures = value.line();
  out.problem = session->problem();
  out.state = session->state();
  return out;
}

}  // namespace repose
