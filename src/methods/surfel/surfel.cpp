#include "repose/surfel/surfel.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <fmt/format.h>

#include "repose/base/at.h"
#include "repose/base/change_settings.h"
#include "repose/base/fault.h"
#include "repose/base/json.h"
#include "repose/base/stage_clock.h"
#include "repose/world/quiet.h"
#include "repose/world/refuse.h"

#include "elasticity.h"
#include "fracture.h"
#include "motion.h"
#include "resample.h"
#include "step.h"
#include "step_paper.h"
#include "support.h"
#include "surface.h"

namespace repose::surfel {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// Surfaces are looked at for holes so often, s.
constexpr double kLookEvery = 0.01;
/// Overlap of a first state that is taken for touching, of the least radius.
constexpr double kTouching = 1e-9;

class Surfel final : public Method {
 public:
  explicit Surfel(const SurfelSettings& settings) : settings_(settings) {}

  std::string name() const override { return "surfel"; }
  Result<Done> prepare(const Problem& problem, State& state) override;
  StepReport step(const Problem& problem, State& state) override;
  Audit audit(const Problem& problem, const State& state) override;
  Result<Done> change_settings(const SettingValues& values) override;
  Json::Object facts(const Problem& problem, const State& state) override;

 private:
  Result<Done> check_start(const Problem& problem, const Motion& motion);
  std::vector<Contact> contacts(double h) const;
  std::vector<BodyChange> changes(const Problem& problem, const Motion& motion, State& state,
                                  Memory& memory) const;

  SurfelSettings settings_;
  Arena arena_;
  StepCache cache_;
  double rest_scale_ = 0.0;  // J; weight times size, all bodies together
};

/// Nothing may overlap at the start.
Result<Done> Surfel::check_start(const Problem& problem, const Motion& motion) {
  cache_.search.begin(arena_, motion, 0.0, 0.0);
  cache_.search.look(arena_, motion);
  for (std::size_t k = 0; k < cache_.search.pairs().size(); ++k) {
    const Pair& pair = cache_.search.pairs()[k];
    const double gap = cache_.search.partings()[k].gap;
    if (!(gap < -kTouching * arena_.least_radius)) continue;
    const int body = arena_.ball_body[at(pair.ball)];
    const int other =
        pair.other >= 0 ? arena_.ball_body[at(pair.other)] : arena_.solids[at(pair.solid)].body;
    return fault(fmt::format("/bodies/{}", body), problem.bodies[at(body)].name,
                 fmt::format("a ball of its surface overlaps '{}' by {:.3g} m",
                             problem.bodies[at(other)].name, -gap),
                 "bodies moved apart, or a smaller spacing");
  }
  cache_.search.end(motion);
  cache_.solids.look(arena_, motion, 0.0, kTouching * arena_.least_radius);
  for (const rigid::RigidPair& pair : cache_.solids.pairs())
    if (const double gap = pair.parting.gap; gap < -kTouching * arena_.solids[at(pair.upper)].reach)
      return refuse_body(
          problem, at(arena_.solids[at(pair.upper)].body),
          fmt::format("it overlaps '{}' by {:.3g} m",
                      problem.bodies[at(arena_.solids[at(pair.lower)].body)].name, -gap),
          "bodies moved apart");
  return Done{};
}

Result<Done> Surfel::prepare(const Problem& problem, State& state) {
  auto arena = prepare_arena(problem, settings_, arena_.carried ? &arena_ : nullptr);
  if (!arena) return arena.error();
  arena_ = std::move(arena).value();
  cache_.clear();
  if (settings_.engine == Engine::paper)
    for (std::size_t b = 0; b < problem.bodies.size(); ++b)
      if (const int solid = arena_.solid_of[b]; solid >= 0 && arena_.solids[at(solid)].is_free())
        return refuse_body(problem, b, "is a free solid, which the paper's engine does not move",
                           "a soft body, or the engine `proven`");
  Motion motion = read_motion(arena_, state);
  const auto before = std::dynamic_pointer_cast<const Memory>(state.memory);
  // where the paper's engine let bodies in, a run goes on from there, also after an edit
  const auto start = check_start(problem, motion);
  const bool let_in = !start && before && before->let_in;
  if (!start && !let_in) return start;
  rest_scale_ = fall_energy(problem);
  auto memory = std::make_shared<Memory>();
  memory->let_in = let_in;
  // counts go on over edits
  if (before)
    std::tie(memory->effort, memory->next_look) = std::tie(before->effort, before->next_look);
  memory->worst_gap = kUnknown;
  state.memory = memory;
  return Done{};
}

Result<Done> Surfel::change_settings(const SettingValues& values) {
  SurfelSettings next = settings_;
  if (auto done = repose::change_settings(settings_table(), values, next); !done) return done;
  if (next.engine == Engine::paper &&
      std::any_of(arena_.solids.begin(), arena_.solids.end(),
                  [](const auto& solid) { return solid.is_free(); }))
    return fault("/method/engine", "paper", "it does not move free solids",
                 "the engine proven, or soft bodies alone");
  settings_ = next;
  return Done{};
}

std::vector<Contact> Surfel::contacts(double h) const {
  std::vector<Contact> out;
  for (const Row& row : cache_.rows.rows) {
    if (!(row.impulse > 0.0)) continue;
    Contact contact;
    const auto [upper, lower] = bodies_of(arena_, row.key);
    contact.body_b = upper;
    contact.body_a = lower;
    if (contact.body_a == contact.body_b) continue;
    contact.point_world = row.point;
    contact.normal_a_to_b = row.parting.normal;
    contact.gap = row.parting.gap;
    contact.force_on_b = (row.impulse * row.parting.normal + row.drag) / h;
    out.push_back(contact);
  }
  return out;
}

/// Bodies that tore, and surfaces that got new balls.
std::vector<BodyChange> Surfel::changes(const Problem& problem, const Motion& motion, State& state,
                                        Memory& memory) const {
  std::vector<BodyChange> out = part_bodies(arena_, problem, settings_, motion, state);
  for (const BodyChange& change : out)
    memory.effort.parted += static_cast<int>(change.parts.size()) - 1;
  if (!out.empty()) return out;
  if (state.time < memory.next_look && !came_loose(arena_, motion, memory.last_step)) return out;
  memory.next_look = state.time + kLookEvery;
  out = resample_surfaces(arena_, problem, settings_, motion, state);
  for (const BodyChange& change : out)
    memory.effort.resampled += static_cast<int>(
        std::count(change.points_before[0].begin(), change.points_before[0].end(), -1));
  return out;
}

StepReport Surfel::step(const Problem& problem, State& state) {
  auto memory = std::make_shared<Memory>(*std::static_pointer_cast<const Memory>(state.memory));
  const Stage stage{arena_, problem, settings_, cache_};
  Motion motion = read_motion(arena_, state);
  const bool paper = settings_.engine == Engine::paper;
  const StepOutcome outcome = paper ? step_paper(stage, state.time, motion, *memory)
                                    : step_proven(stage, state.time, motion, *memory);
  memory->let_in |= paper;
  StepReport report;
  state.step += 1;
  if (outcome.stuck_body >= 0) {
    report.status = RunStatus::stuck;
    report.body = outcome.stuck_body;
    report.why = "it cannot go on: nothing gives way before it";
    state.memory = memory;
    return report;
  }
  state.contacts = paper ? cache_.paper_contacts : contacts(outcome.h);
  write_motion(arena_, motion, state);
  state.time += outcome.h;
  const double kinetic = kinetic_energy(arena_, motion);
  report.residual = rest_scale_ > 0.0 ? kinetic / rest_scale_ : kinetic;
  if (settings_.rest_energy > 0.0 && is_quiet(problem, state.time, outcome.h, kinetic,
                                              settings_.rest_energy * rest_scale_, memory->quiet)) {
    report.status = RunStatus::rest;
    report.why =
        fmt::format("the kinetic energy stays below {:g} J", settings_.rest_energy * rest_scale_);
  }
  report.changes = changes(problem, motion, state, *memory);
  state.memory = memory;
  return report;
}

Audit Surfel::audit(const Problem&, const State& state) {
  const StageScope timed("audit");
  const auto memory = std::static_pointer_cast<const Memory>(state.memory);
  const Motion motion = read_motion(arena_, state);
  const double kinetic = kinetic_energy(arena_, motion);
  const double elastic = elastic_energy(arena_, settings_.stress, motion);
  Audit out;
  out.energy = kinetic + elastic + gravity_energy(arena_, motion);
  out.force_residual = out.torque_residual = kUnknown;
  out.worst_gap = memory->worst_gap;
  out.worst_gap_relative = memory->worst_gap / (2.0 * arena_.least_radius);
  out.series = {{"kinetic energy", kinetic},
                {"elastic energy", elastic},
                {"contacts", static_cast<double>(state.contacts.size())},
                {"step", memory->last_step},
                {"colliding surfels", static_cast<double>(memory->colliding)},
                {"inverted phyxels", static_cast<double>(memory->inverted)}};
  return out;
}

Json::Object Surfel::facts(const Problem&, const State& state) {
  const auto memory = std::static_pointer_cast<const Memory>(state.memory);
  const Effort& effort = memory->effort;
  const double stable = std::isfinite(arena_.stable_step) ? arena_.stable_step : 0.0;
  return {{"surfel", Json::Object{{"phyxels", arena_.phyxels()},
                                  {"balls", arena_.balls()},
                                  {"stable_step", stable},
                                  {"steps", effort.steps},
                                  {"rounds", effort.rounds},
                                  {"sweeps", effort.sweeps},
                                  {"rows", effort.rows},
                                  {"most_rows", effort.most_rows},
                                  {"slowed", effort.slowed},
                                  {"parted", effort.parted},
                                  {"resampled", effort.resampled},
                                  {"inverted", effort.inverted}}}};
}

Result<std::unique_ptr<Method>> make(const SettingValues& values) {
  auto settings = settings_table().read(values);
  if (!settings) return settings.error();
  return std::unique_ptr<Method>(std::make_unique<Surfel>(*settings));
}

}  // namespace

MethodInfo method_info() {
  MethodInfo out{"surfel", "Moves soft bodies that squash, keep dents and tear.",
                 settings_table().rows(), make};
  out.support = support();
  return out;
}

}  // namespace repose::surfel
