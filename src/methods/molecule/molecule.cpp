#include "repose/molecule/molecule.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "repose/base/at.h"
#include "repose/base/change_settings.h"
#include "repose/base/fault.h"
#include "repose/base/stage_clock.h"
#include "repose/world/quiet.h"

#include "elasticity.h"
#include "motion.h"
#include "skin_start.h"
#include "step.h"
#include "support.h"

namespace repose::molecule {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// Overlap of a first state that is taken for touching, of the sum of the radii.
constexpr double kTouching = 1e-9;

class Molecule final : public Method {
 public:
  explicit Molecule(const MoleculeSettings& settings) : settings_(settings) {}

  std::string name() const override { return "molecule"; }
  Result<Done> prepare(const Problem& problem, State& state) override;
  StepReport step(const Problem& problem, State& state) override;
  Audit audit(const Problem& problem, const State& state) override;
  Result<Done> change_settings(const SettingValues& values) override;
  Json::Object facts(const Problem& problem, const State& state) override;

 private:
  Result<Done> check_start(const Problem& problem, const Motion& motion);
  Result<Done> check_skins(const Problem& problem, const Motion& motion);
  Result<Done> check_settings(const MoleculeSettings& settings) const;

  MoleculeSettings settings_;
  Arena arena_;
  StepCache cache_;
  std::vector<double> body_mass_;   // kg
  std::vector<std::string> names_;  // of bodies
  double rest_scale_ = 0.0;         // J; weight times size, all bodies together
};

std::string what_is(const Arena& arena, const Problem& problem, int point) {
  const int body = point >= 0 ? arena.body_of[at(point)] : arena.rigids[at(-1 - point)].body;
  const std::string& name = problem.bodies[at(body)].name;
  if (point < 0) return fmt::format("'{}'", name);
  return fmt::format("molecule {} of '{}'", point - arena.first_point[at(body)], name);
}

/// Nothing may overlap at the start.
Result<Done> Molecule::check_start(const Problem& problem, const Motion& motion) {
  const Near& near = cache_.search.update(arena_, motion, {.broad = settings_.broad_phase});
  const RowSettings s{1.0, settings_.contact_gap, settings_.least_length};
  const auto refuse = [&](int body, const std::string& one, const std::string& other,
                          double depth) {
    return fault(fmt::format("/bodies/{}", body), problem.bodies[at(body)].name,
                 fmt::format("{} overlaps {} by {:.3g} m", one, other, depth),
                 "bodies moved apart, smaller radii, or molecules of one body joined");
  };
  for (const PointList* list : near.points)
    for (const PointPair& pair : list->pairs) {
      const double apart = arena_.radius[at(pair.i)] + arena_.radius[at(pair.j)];
      const double gap = (motion.x[at(pair.j)] - motion.x[at(pair.i)]).norm() - apart;
      if (gap < -kTouching * apart)
        return refuse(arena_.body_of[at(pair.j)], what_is(arena_, problem, pair.j),
                      what_is(arena_, problem, pair.i), -gap);
    }
  for (const SolidList* list : near.solids)
    for (const SolidPair& pair : list->pairs) {
      const Row row = solid_row(arena_, motion, pair, s);
      if (row.gap < -kTouching * arena_.most_radius)
        return refuse(bodies_of(arena_, row)[1], what_is(arena_, problem, pair.point),
                      what_is(arena_, problem, -1 - pair.rigid), -row.gap);
    }
  for (const rigid::RigidPair& pair : near.rigids)
    if (pair.parting.gap < -kTouching * arena_.rigids[at(pair.upper)].reach)
      return refuse(arena_.rigids[at(pair.upper)].body, what_is(arena_, problem, -1 - pair.upper),
                    what_is(arena_, problem, -1 - pair.lower), -pair.parting.gap);
  return Done{};
}

/// Where they are to be kept apart, no skin holds or meets another body.
Result<Done> Molecule::check_skins(const Problem& problem, const Motion& motion) {
  if (!keeps_skins(settings_)) return Done{};
  const Near& near =
      cache_.search.update(arena_, motion, {.skins = true, .broad = settings_.broad_phase});
  const auto found = find_skin_fault(arena_, motion, near);
  if (!found) return Done{};
  const std::string& name = problem.bodies[at(found->other)].name;
  return fault(fmt::format("/bodies/{}", found->other), name,
               fmt::format("the skin of '{}' {} '{}'", problem.bodies[at(found->body)].name,
                           found->holds ? "holds" : "crosses", name),
               "bodies moved apart, or the detection spheres");
}

/// Two solids of which one is free, as bodies; nothing where there are none.
std::optional<std::array<int, 2>> solids_that_meet(const Arena& arena) {
  for (const Rigid& one : arena.rigids)
    for (const Rigid& other : arena.rigids)
      if (&one != &other && one.is_free() && one.collides && other.collides)
        return std::array{one.body, other.body};
  return std::nullopt;
}

/// Skins are of lattices, and the engine `paper` knows nothing of them. It takes the step that it
/// is given: one that would swing up is refused.
Result<Done> Molecule::check_settings(const MoleculeSettings& settings) const {
  const bool skin = settings.detection == Detection::skin;
  for (std::size_t b = 0; skin && b < names_.size(); ++b)
    if (arena_.first_point[b + 1] - arena_.first_point[b] > 1 && arena_.surface[b].empty())
      return fault("/method/detection", "skin",
                   fmt::format("'{}' is no lattice of at least two molecules in two directions, so "
                               "it has no skin",
                               names_[b]),
                   "spheres, or a body made by lattice or fill");
  if (settings.engine != Engine::paper) return Done{};
  if (skin)
    return fault("/method/detection", "skin", "the engine paper keeps molecules apart, not skins",
                 "spheres, or the engine proven");
  if (const auto pair = solids_that_meet(arena_))
    return fault("/method/engine", "paper",
                 fmt::format("it keeps solids and soft bodies apart, no two solids: '{}' may meet "
                             "'{}'",
                             names_[at((*pair)[0])], names_[at((*pair)[1])]),
                 "the engine proven, or one free solid and no other");
  const double stable = stable_step_of_paper(arena_, body_mass_, settings);
  if (settings.iterations_per_second * stable >= 1.0) return Done{};
  return fault("/method/iterations_per_second", fmt::format("{:g}", settings.iterations_per_second),
               "steps of this length swing up until everything flies apart",
               fmt::format("at least {:.0f} with the engine paper, or the engine proven, which "
                           "divides its steps itself",
                           std::ceil(1.0 / stable)));
}

Result<Done> Molecule::prepare(const Problem& problem, State& state) {
  auto arena = prepare_arena(problem, state);
  if (!arena) return arena.error();
  arena_ = std::move(arena).value();
  cache_.clear();
  body_mass_.clear();
  names_.clear();
  for (const Body& body : problem.bodies) {
    body_mass_.push_back(body.mass);
    names_.push_back(body.name);
  }
  if (auto done = check_settings(settings_); !done) return done;
  const Motion motion = read_motion(arena_, state);
  const auto before = std::dynamic_pointer_cast<const Memory>(state.memory);
  // where the paper's engine let bodies in, a run goes on from there, also after an edit
  const auto start = check_start(problem, motion);
  const bool let_in = !start && before && before->let_in;
  if (!start && !let_in) return start;
  const auto skins = check_skins(problem, motion);
  // a run that came to keep skins apart while they were not stops at its next step
  if (!skins && (!before || before->skins_apart)) return skins;
  rest_scale_ = fall_energy(problem);
  auto memory = std::make_shared<Memory>();
  memory->skins_apart = skins && keeps_skins(settings_);
  memory->let_in = let_in;
  // counts go on over edits
  if (before) memory->effort = before->effort;
  memory->worst_gap = memory->worst_gap_relative = kUnknown;
  memory->force.assign(problem.bodies.size(), Vec3::Zero());
  state.memory = memory;
  return Done{};
}

Result<Done> Molecule::change_settings(const SettingValues& values) {
  MoleculeSettings next = settings_;
  if (auto done = repose::change_settings(settings_table(), values, next); !done) return done;
  if (auto done = check_settings(next); !done) return done;
  settings_ = next;
  return Done{};
}

/// The gaps along the planes at the step's end are what the proof rests on; true gaps are no
/// smaller.
void note_gaps(const Arena& arena, const std::vector<Row>& rows, double h, const Motion& motion,
               Memory& memory) {
  memory.worst_gap = memory.worst_gap_relative = kUnknown;
  for (const Row& row : rows) {
    if (!row.proves()) continue;
    const double gap = row.gap + h * speed(row, motion);
    if (!(memory.worst_gap <= gap)) memory.worst_gap = gap;
    const double relative = gap / (2.0 * arena.least_radius);
    if (!(memory.worst_gap_relative <= relative)) memory.worst_gap_relative = relative;
  }
}

StepReport Molecule::step(const Problem& problem, State& state) {
  auto memory = std::make_shared<Memory>(*std::static_pointer_cast<const Memory>(state.memory));
  const double h = 1.0 / settings_.iterations_per_second;
  const Stage stage{arena_, problem, settings_, cache_};
  Motion motion = read_motion(arena_, state);
  if (!keeps_skins(settings_)) {
    memory->skins_apart = false;
  } else if (!memory->skins_apart) {
    if (const auto apart = check_skins(problem, motion); !apart) {
      StepReport report;
      report.status = RunStatus::stopped;
      report.why = apart.error().wrong + "; they were to be kept apart from now on";
      return report;
    }
    memory->skins_apart = true;
  }
  const StepOutcome outcome = settings_.engine == Engine::proven
                                  ? step_proven(stage, state.time, h, motion, *memory)
                                  : step_paper(stage, state.time, h, motion, *memory);
  memory->let_in |= settings_.engine == Engine::paper;
  note_gaps(arena_, cache_.rows, outcome.h, motion, *memory);
  state.contacts.clear();
  if (!outcome.stuck) state.contacts = contacts_of(arena_, cache_.rows, outcome.h);
  memory->force.assign(problem.bodies.size(), Vec3::Zero());
  for (const Contact& contact : state.contacts) {
    memory->force[at(contact.body_b)] += contact.force_on_b;
    memory->force[at(contact.body_a)] -= contact.force_on_b;
  }
  write_motion(arena_, motion, state);
  state.step += 1;
  state.time += outcome.h;
  StepReport report;
  const double kinetic = kinetic_energy(arena_, motion);
  report.residual = rest_scale_ > 0.0 ? kinetic / rest_scale_ : kinetic;
  if (outcome.stuck) {
    report.status = RunStatus::stuck;
    report.body = outcome.stuck_body;
    report.why = "a led body cannot go on: nothing gives way before it";
  } else if (settings_.rest_energy > 0.0 &&
             is_quiet(problem, state.time, outcome.h, kinetic, settings_.rest_energy * rest_scale_,
                      memory->quiet)) {
    report.status = RunStatus::rest;
    report.why =
        fmt::format("the kinetic energy stays below {:g} J", settings_.rest_energy * rest_scale_);
  }
  state.memory = memory;
  return report;
}

/// Lowest and highest coordinate along `up`, of balls or of a solid's bounding ball.
std::array<double, 2> extent_of(const Arena& arena, const Problem& problem, const Motion& motion,
                                std::size_t b, const Vec3& up) {
  constexpr double kEndless = std::numeric_limits<double>::infinity();
  std::array<double, 2> out{kEndless, -kEndless};
  const auto add = [&](const Vec3& center, double radius) {
    out[0] = std::min(out[0], up.dot(center) - radius);
    out[1] = std::max(out[1], up.dot(center) + radius);
  };
  for (int i = arena.first_point[b]; i < arena.first_point[b + 1]; ++i)
    add(motion.x[at(i)], arena.radius[at(i)]);
  if (const int r = arena.rigid_of[b]; r >= 0)
    if (const shape::Shape& shape = *problem.bodies[b].shape; std::isfinite(shape.bounding_radius))
      add(motion.rigids[at(r)].world_from_body * shape.bounding_center, shape.bounding_radius);
  return out;
}

Audit Molecule::audit(const Problem& problem, const State& state) {
  const StageScope timed("audit");
  const auto memory = std::static_pointer_cast<const Memory>(state.memory);
  const Motion motion = read_motion(arena_, state);
  const double kinetic = kinetic_energy(arena_, motion);
  const double elastic = spring_energy(arena_, motion.x);
  Audit out;
  out.energy = kinetic + elastic + gravity_energy(arena_, motion);
  out.force_residual = out.torque_residual = kUnknown;
  out.worst_gap = memory->worst_gap;
  out.worst_gap_relative = memory->worst_gap_relative;
  out.series = {{"kinetic energy", kinetic},
                {"elastic energy", elastic},
                {"contacts", static_cast<double>(state.contacts.size())}};
  const double pull = arena_.gravity.norm();
  const Vec3 up = pull > 0.0 ? Vec3(-arena_.gravity / pull) : Vec3::UnitZ();
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const auto [low, high] = extent_of(arena_, problem, motion, b, up);
    if (!(low <= high)) continue;
    const std::string& name = problem.bodies[b].name;
    out.series.emplace_back("force " + name, memory->force[b].norm());
    out.series.emplace_back("lowest " + name, low);
    out.series.emplace_back("highest " + name, high);
  }
  return out;
}

Json::Object Molecule::facts(const Problem&, const State& state) {
  const auto memory = std::static_pointer_cast<const Memory>(state.memory);
  const Effort& effort = memory->effort;
  Json::Object out{{"molecules", arena_.size()},
                   {"springs", arena_.springs.size()},
                   {"stiffness_error", arena_.stiffness_error},
                   {"effort", Json::Object{{"steps", effort.steps},
                                           {"sweeps", effort.sweeps},
                                           {"rows", effort.rows},
                                           {"most_rows", effort.most_rows},
                                           {"merged", effort.merged},
                                           {"held", effort.held}}}};
  if (keeps_skins(settings_)) out.emplace_back("skins_kept", true);
  if (std::isfinite(arena_.stable_step)) out.emplace_back("stable_step", arena_.stable_step);
  return out;
}

Result<std::unique_ptr<Method>> make(const SettingValues& values) {
  auto settings = settings_table().read(values);
  if (!settings) return settings.error();
  return std::unique_ptr<Method>(std::make_unique<Molecule>(*settings));
}

}  // namespace

MethodInfo method_info() {
  MethodInfo out{"molecule", "Moves soft bodies made of balls and springs.",
                 settings_table().rows(), make};
  out.support = support();
  return out;
}

}  // namespace repose::molecule
