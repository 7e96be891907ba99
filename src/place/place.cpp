#include "repose/place/place.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "repose/base/change_settings.h"
#include "repose/base/stage_clock.h"

#include "engines.h"
#include "guide_cells.h"
#include "program.h"
#include "room.h"
#include "start.h"
#include "step.h"

namespace repose::place {
namespace {

/// Contacts nearer than this many times the settling gap carry forces.
constexpr double kTouch = 2.0;
/// Balanced bodies are brought to the gap of rest in at most this many steps; shorter ones than
/// this (scaled freedoms) are none.
constexpr int kPolishSteps = 4;
/// Then contacts nearer than this many times the gap of rest must carry the bodies by themselves,
/// or polishing goes on, at most so long.
constexpr double kFirm = 20.0;
constexpr int kMostPolishSteps = 20;
constexpr double kPolished = 1e-10;
/// Bound on those steps: they close gaps and do not travel.
constexpr double kPolishBound = 1e-3;
/// A step that used this share of its bound used all of it.
constexpr double kWholeStep = 0.9;
/// A bound follows a step that did not use it down to this many times its length, and no further
/// than to the least bound.
constexpr double kRoom = 4.0, kLeastBound = 1e-3;
/// A motion that fails is shortened this often within the step, by this factor, or to this share of
/// the way to where it is blocked; ways blocked earlier than the last share are not followed at
/// all.
constexpr int kShortenings = 3;
constexpr double kShorter = 0.5, kBeforeBlock = 0.8, kLateBlock = 0.3;
/// Steps longer than this are corrected across their valley, so often, by motions that are more
/// than slight against them.
constexpr double kLongStep = 1e-3, kSlight = 0.01;
constexpr int kCorrections = 2;
/// With friction: contacts within this share of the step bound are as good as closed, and what the
/// bound shrinks to before they are.
constexpr double kNear = 0.05, kLanding = 0.125;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// What the next step must know of the last ones.
struct Memory : MethodMemory {
  double epsilon = 0.0;
  double gap = 0.0;         // kept by the next step, over the pair's size
  bool settled = false;     // balanced at the settling gap: goes on with the gap of rest
  int polished = 0;         // steps since then
  bool failed = false;      // the last step was not taken
  std::vector<Seed> extra;  // where the last proof failed
  std::vector<Seed> warm;   // isolated contacts of the last place: none is lost between steps
  std::array<int, kFailures> failures{};
  double worst_gap = kUnknown, worst_relative = kUnknown;
  double force = kUnknown, torque = kUnknown;
  long tests = 0;
  int rows = 0;
};

class Place final : public Method {
 public:
  explicit Place(const PlaceSettings& settings) : settings_(settings) {}

  std::string name() const override { return "place"; }
  Result<Done> prepare(const Problem& problem, State& state) override;
  StepReport step(const Problem& problem, State& state) override;
  Audit audit(const Problem& problem, const State& state) override;
  Result<Done> change_settings(const SettingValues& values) override {
    auto done = repose::change_settings(settings_table(), values, settings_);
    if (done) set_mesh();
    return done;
  }
  std::vector<std::pair<std::string, std::string>> facts(const Problem& problem,
                                                         const State& state) override;

 private:
  double gap_kept(const Memory& memory, std::span<const Row> rows) const;
  Proposal next(const Problem& problem, const Places& places, std::span<const Row> rows,
                const Potential& pull, const Memory& memory) const;
  std::vector<bool> touching(std::span<const Row> rows, double gap) const;
  void set_mesh();
  Potential pressing(const Places& places, std::span<const Row> rows, const Balance& balance,
                     const Potential& energy) const;
  bool nearly_held(const Problem& problem, const Places& places, std::span<const Row> rows,
                   const Potential& energy, const Memory& memory) const;
  Stability stability_at(const Problem& problem, const Places& places, std::span<const Row> rows,
                         const std::vector<bool>& touch, const Balance& balance,
                         const Potential& energy) const;
  StepReport rest_report(const Balance& balance, const Stability& stability,
                         StepReport report) const;
  StepReport leave(const Problem& problem, const Places& places, std::span<const Row> rows,
                   const Potential& energy, const Stability& stability, Memory& memory,
                   State& state);
  bool lower(const Problem& problem, const Places& places, const Potential& before) const;
  Restored back_in_valley(const Problem& problem, const Places& places, std::span<const Row> rows,
                          const Potential& before, const Proposal& proposal, Restored there,
                          const Memory& memory) const;
  struct Taken {
    Failure failure = Failure::none;
    double time = 0.0;   // share of the way at which it is blocked
    double moved = 0.0;  // length units, what became of the motion
  };
  Taken take(const Problem& problem, const Places& places, std::span<const Row> rows,
             const Potential& before, const Proposal& proposal, Memory& memory, State& state);
  StepReport move_on(const Problem& problem, const Places& places, std::span<const Row> rows,
                     const Potential& energy, const Proposal& proposal, Memory& memory,
                     State& state, StepReport report);

  PlaceSettings settings_;
  KnownSurfaces known_;
  Arena arena_;
};

void write_places(const Arena& arena, const Places& places, State& state) {
  for (const Active& a : arena.active)
    for (const int m : a.members) {
      const auto i = static_cast<std::size_t>(m);
      Pose& pose = state.bodies[i].world_from_body;
      pose.rotation = Quat(places[i].rotation).normalized();
      pose.position = places[i].center - pose.rotation * arena.center_body[i];
    }
}

void note_gaps(const Arena& arena, std::span<const Row> rows, Memory& memory) {
  memory.worst_gap = arena.length_unit;
  memory.worst_relative = 1.0;
  for (const Row& row : rows) {
    memory.worst_gap = std::min(memory.worst_gap, row.gap);
    memory.worst_relative = std::min(memory.worst_relative, row.gap / pair_size(arena, row));
  }
  memory.rows = static_cast<int>(rows.size());
}

std::vector<Contact> contacts_of(std::span<const Row> rows, const std::vector<bool>& touching,
                                 const Balance& balance) {
  std::vector<Contact> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!touching[i]) continue;
    const Row& row = rows[i];
    out.push_back(
        {row.at.q, row.at.p, 0.5 * (row.point + row.foot), row.normal, row.gap, balance.forces[i]});
  }
  return out;
}

/// A mesh of so many triangles says how long the cells are that contacts are sought from, besides
/// the usual ones: a coarser one is subdivided, a finer one adds what those have missed.
void Place::set_mesh() {
  arena_.mesh_length = 0.0;
  if (settings_.mesh_triangles <= 0 || arena_.active.empty()) return;
  const auto body = static_cast<std::size_t>(arena_.active.front().body);
  arena_.mesh_length = cell_length_for(*arena_.surfaces[body], settings_.mesh_triangles);
}

Result<Done> Place::prepare(const Problem& problem, State& state) {
  auto arena = prepare_arena(problem, state, known_);
  if (!arena) return arena.error();
  arena_ = std::move(arena).value();
  set_mesh();
  Places places = places_of(arena_, problem, state);
  auto start = free_start(arena_, problem, places, settings_);
  if (!start) return start.error();
  if (start->moved) write_places(arena_, start->places, state);
  auto memory = std::make_shared<Memory>();
  memory->epsilon = settings_.epsilon_start;
  // counts go on over edits
  if (const auto before = std::dynamic_pointer_cast<const Memory>(state.memory)) {
    memory->failures = before->failures;
    memory->tests = before->tests;
  }
  note_gaps(arena_, start->rows, *memory);
  state.memory = memory;
  return Done{};
}

std::vector<bool> Place::touching(std::span<const Row> rows, double gap) const {
  std::vector<bool> out;
  for (const Row& row : rows) out.push_back(row.gap <= gap * pair_size(arena_, row));
  return out;
}

/// The settling gap, or that of rest once bodies are balanced; bodies that stand nearer already are
/// not lifted.
double Place::gap_kept(const Memory& memory, std::span<const Row> rows) const {
  double out = memory.settled ? settings_.rest_gap : settings_.settle_gap;
  for (const Row& row : rows) out = std::min(out, row.gap / pair_size(arena_, row));
  return std::max(out, settings_.rest_gap);
}

/// The best next place. Balanced bodies close their gaps and do not travel; bodies that nothing is
/// near fall until something might be.
Proposal Place::next(const Problem& problem, const Places& places, std::span<const Row> rows,
                     const Potential& pull, const Memory& memory) const {
  if (rows.empty() && !memory.settled) {
    const auto fall = free_fall(arena_, problem, places, pull);
    if (fall && fall->lpNorm<Eigen::Infinity>() > memory.epsilon) {
      Proposal out;
      out.motion = *fall;
      return out;
    }
  }
  const double bound = memory.settled ? std::min(memory.epsilon, kPolishBound) : memory.epsilon;
  return propose(arena_, problem, places, rows, pull, settings_, {bound, memory.gap});
}

/// A load that presses the bodies along their contacts' normals alone, as hard as they bear.
Potential Place::pressing(const Places& places, std::span<const Row> rows, const Balance& balance,
                          const Potential& energy) const {
  Potential out = energy;
  out.gradient.setZero();
  out.hessian.setZero();
  for (std::size_t i = 0; i < rows.size(); ++i)
    out.gradient += balance.forces[i].dot(rows[i].normal) / arena_.energy_unit() *
                    gradient(arena_, places, rows[i]);
  return out;
}

/// Friction would hold the bodies if the gaps that their last step kept were closed: shorter steps
/// keep smaller ones.
bool Place::nearly_held(const Problem& problem, const Places& places, std::span<const Row> rows,
                        const Potential& energy, const Memory& memory) const {
  std::vector<bool> near;
  for (const Row& row : rows)
    near.push_back(row.gap <= kNear * memory.epsilon * pair_size(arena_, row));
  return balance_of(arena_, problem, places, rows, near, energy, true).worst() <=
         settings_.rest_force;
}

Stability Place::stability_at(const Problem& problem, const Places& places,
                              std::span<const Row> rows, const std::vector<bool>& touch,
                              const Balance& balance, const Potential& energy) const {
  // friction holds what it holds: no second-order question is left
  if (settings_.friction) return {0.0, Eigen::VectorXd::Zero(arena_.freedoms())};
  const SearchSettings search = search_settings(arena_, arena_.pairs.front(), settings_, 0.0);
  return stability_of(arena_, problem, places, rows, touch, balance, energy, search.valley);
}

StepReport Place::rest_report(const Balance& balance, const Stability& stability,
                              StepReport report) const {
  report.why =
      fmt::format("contact forces balance every body to {:.1e} of its weight", balance.worst());
  report.status = RunStatus::rest;
  if (stability.lowest < -settings_.neutral) {
    report.status = RunStatus::metastable;
    report.why += ", but a small push moves them off";
  }
  return report;
}

/// A nudge along the motion on which a metastable rest loses energy.
StepReport Place::leave(const Problem& problem, const Places& places, std::span<const Row> rows,
                        const Potential& energy, const Stability& stability, Memory& memory,
                        State& state) {
  Proposal nudge;
  nudge.nudge = true;
  nudge.motion = settings_.nudge * stability.motion / stability.motion.lpNorm<Eigen::Infinity>();
  for (const Row& row : rows)
    nudge.ends.push_back({.keep = settings_.settle_gap * pair_size(arena_, row)});
  memory.settled = false;
  memory.epsilon = std::max(memory.epsilon, settings_.nudge);
  return move_on(problem, places, rows, energy, nudge, memory, state, {});
}

bool Place::lower(const Problem& problem, const Places& places, const Potential& before) const {
  return potential(arena_, problem, places).energy < before.energy;
}

/// A long step along a bent valley ends on its side: the same step with corrections across, while
/// they lower the energy.
Restored Place::back_in_valley(const Problem& problem, const Places& places,
                               std::span<const Row> rows, const Potential& before,
                               const Proposal& proposal, Restored there,
                               const Memory& memory) const {
  const StepBounds bounds{memory.epsilon, memory.gap};
  Eigen::VectorXd motion = proposal.share * proposal.motion;
  const double length = motion.lpNorm<Eigen::Infinity>();
  if (rows.empty()) return there;  // no valley yet
  for (int k = 0; k < kCorrections && length >= kLongStep && !memory.settled; ++k) {
    const Potential end = potential(arena_, problem, there.places);
    const Eigen::VectorXd back =
        correct(arena_, problem, there.places, there.rows, end, settings_, bounds);
    if (back.lpNorm<Eigen::Infinity>() < kSlight * length) break;
    motion = one_after_other(arena_, motion, back);
    Proposal bent = propose_motion(arena_, places, rows, before, settings_, bounds, motion);
    bent.low = proposal.low;
    Restored again = restore(arena_, problem, places, rows, bent, settings_, memory.gap);
    if (!again.kept || !lower(problem, again.places, end)) break;
    there = std::move(again);
    there.bent = true;
  }
  return there;
}

/// Restores, compares and proves a proposed step; takes it if all is well.
Place::Taken Place::take(const Problem& problem, const Places& places, std::span<const Row> rows,
                         const Potential& before, const Proposal& proposal, Memory& memory,
                         State& state) {
  const double gap = memory.gap;
  Restored straight = restore(arena_, problem, places, rows, proposal, settings_, gap);
  if (!straight.kept) return {Failure::restore};
  // a nudge off a metastable rest keeps its height at best
  Restored restored =
      proposal.nudge ? straight
                     : back_in_valley(problem, places, rows, before, proposal, straight, memory);
  if (!proposal.nudge && !lower(problem, restored.places, before)) return {Failure::energy};
  Proof proof =
      prove_way(arena_, problem, places, restored.places, rows, restored.rows, settings_, gap);
  memory.tests += proof.tests;
  if (proof.passage == Passage::blocked && restored.bent &&
      lower(problem, straight.places, before)) {
    restored = std::move(straight);
    proof =
        prove_way(arena_, problem, places, restored.places, rows, restored.rows, settings_, gap);
    memory.tests += proof.tests;
  }
  // what is not proven free is not taken
  if (proof.passage == Passage::out_of_budget) return {Failure::budget};
  if (proof.passage == Passage::blocked) {
    memory.extra.insert(memory.extra.end(), proof.seeds.begin(), proof.seeds.end());
    return {Failure::blocked, proof.time};
  }
  write_places(arena_, restored.places, state);
  note_gaps(arena_, restored.rows, memory);
  memory.warm.clear();
  const std::vector<bool> near = touching(restored.rows, kTouch * settings_.settle_gap);
  for (std::size_t i = 0; i < near.size(); ++i)
    if (near[i] && !restored.rows[i].at.samples) memory.warm.push_back(restored.rows[i].at);
  return {.moved = longest_move(arena_, places, restored.places) / arena_.length_unit};
}

StepReport Place::move_on(const Problem& problem, const Places& places, std::span<const Row> rows,
                          const Potential& energy, const Proposal& proposal, Memory& memory,
                          State& state, StepReport report) {
  const std::size_t known = memory.extra.size();
  Proposal part = proposal;
  Failure failure = Failure::none;
  double moved = 0.0;
  // the motion, or as much of it as can be had
  for (int k = 0; k <= kShortenings; ++k) {
    const Taken taken = take(problem, places, rows, energy, part, memory, state);
    failure = taken.failure;
    moved = taken.moved;
    memory.failures[static_cast<std::size_t>(failure)] += 1;
    if (failure == Failure::none || (failure == Failure::blocked && taken.time < kLateBlock)) break;
    // what is balanced needs no nearer contact than can be proven
    if (failure == Failure::budget && memory.settled) break;
    if (failure == Failure::energy && !part.low) {
      part.low = true;
      continue;
    }
    if (k < kShortenings)
      part.share *= failure == Failure::blocked ? kBeforeBlock * taken.time : kShorter;
  }
  const double used = part.share * proposal.motion.lpNorm<Eigen::Infinity>();
  memory.failed = failure != Failure::none;
  if (failure == Failure::none) {
    memory.extra.clear();
    // the next bound follows the last step, so that contacts are sought no farther than needed, and
    // what was undone to keep the gaps is not asked for again
    const double gone = std::min(used, moved);
    if (gone > kWholeStep * memory.epsilon)
      memory.epsilon = std::min(settings_.lambda * memory.epsilon, settings_.epsilon_max);
    else
      memory.epsilon =
          std::clamp(kRoom * gone, std::min(kLeastBound, memory.epsilon), memory.epsilon);
    return report;
  }
  // a contact that was missed: the same step once more with its row; else a shorter one
  const bool learned = known == 0 && memory.extra.size() > known;
  if (!learned) {
    memory.extra.clear();
    memory.epsilon = 0.5 * std::min(used, memory.epsilon);
  }
  if (memory.epsilon < settings_.epsilon_min) {
    report.status = RunStatus::stuck;
    const auto most = std::max_element(
        state.contacts.begin(), state.contacts.end(), [](const Contact& l, const Contact& r) {
          return l.force_on_b.squaredNorm() < r.force_on_b.squaredNorm();
        });
    report.why = fmt::format("no step is left: {}", to_text(failure));
    if (most != state.contacts.end())
      report.why += fmt::format("; the contact of {} and {} blocks",
                                problem.bodies[static_cast<std::size_t>(most->body_a)].name,
                                problem.bodies[static_cast<std::size_t>(most->body_b)].name);
  }
  return report;
}

StepReport Place::step(const Problem& problem, State& state) {
  auto memory = std::make_shared<Memory>(*std::static_pointer_cast<const Memory>(state.memory));
  const Places places = places_of(arena_, problem, state);
  std::vector<Seed> known = memory->warm;
  known.insert(known.end(), memory->extra.begin(), memory->extra.end());
  const std::vector<Row> rows =
      gather_rows(arena_, places, settings_, memory->epsilon, known);  // where they touch
  const Potential energy = potential(arena_, problem, places);         // what pulls them
  const std::vector<bool> touch = touching(rows, kTouch * settings_.settle_gap);
  const Balance balance =
      balance_of(arena_, problem, places, rows, touch, energy, settings_.friction);
  state.contacts = contacts_of(rows, touch, balance);
  state.step += 1;
  memory->force = balance.force;
  memory->torque = balance.torque;
  StepReport report;
  report.residual = balance.worst();
  report.body = balance.body;
  const bool balanced = balance.worst() <= settings_.rest_force;
  if (!balanced) memory->settled = false;
  if (settings_.friction && !balanced && nearly_held(problem, places, rows, energy, *memory))
    memory->epsilon *= kLanding;
  if (balanced && !memory->settled) {
    memory->settled = true;
    memory->polished = 0;
  }
  memory->gap = gap_kept(*memory, rows);
  // what friction holds is brought to the gap of rest without a slide
  const Potential pull =
      balanced && settings_.friction ? pressing(places, rows, balance, energy) : energy;
  const Proposal proposal = next(problem, places, rows, pull, *memory);
  const bool along_curve = curve_contact(arena_, rows, touch);
  bool polished = along_curve || memory->polished >= kPolishSteps ||
                  proposal.motion.lpNorm<Eigen::Infinity>() <= kPolished;
  if (balanced && polished && !along_curve && memory->polished < kMostPolishSteps) {
    const std::vector<bool> near = touching(rows, kFirm * settings_.rest_gap);
    polished =
        balance_of(arena_, problem, places, rows, near, energy, settings_.friction).worst() <=
        settings_.rest_force;
  }
  if (balanced && polished) {
    const Stability stability = stability_at(problem, places, rows, touch, balance, energy);
    report = rest_report(balance, stability, report);
    if (report.status == RunStatus::metastable && settings_.nudge > 0.0)
      report = leave(problem, places, rows, energy, stability, *memory, state);
  } else {
    memory->polished += memory->settled ? 1 : 0;
    report = move_on(problem, places, rows, energy, proposal, *memory, state, report);
    // what is balanced needs no further step: one that fails leaves it where it is, at rest
    if (balanced && memory->failed)
      report =
          rest_report(balance, stability_at(problem, places, rows, touch, balance, energy), report);
  }
  if (report.status == RunStatus::moving && state.step >= settings_.max_steps) {
    report.status = RunStatus::stopped;
    report.why = fmt::format("not at rest after {} steps", state.step);
  }
  state.memory = memory;
  return report;
}

Audit Place::audit(const Problem& problem, const State& state) {
  Audit out;
  const auto memory = std::static_pointer_cast<const Memory>(state.memory);
  out.energy = energy(arena_, problem, places_of(arena_, problem, state));
  out.force_residual = memory->force;
  out.torque_residual = memory->torque;
  out.worst_gap = memory->worst_gap;
  out.worst_gap_relative = memory->worst_relative;
  out.series = {{"contacts", static_cast<double>(state.contacts.size())},
                {"epsilon", memory->epsilon},
                {"rows", static_cast<double>(memory->rows)},
                {"residual", std::max(memory->force, memory->torque)}};
  return out;
}

std::vector<std::pair<std::string, std::string>> Place::facts(const Problem&, const State& state) {
  const auto memory = std::static_pointer_cast<const Memory>(state.memory);
  std::string failures;
  for (std::size_t i = 1; i < kFailures; ++i)
    failures += fmt::format("{}\"{}\": {}", i > 1 ? ", " : "", to_text(static_cast<Failure>(i)),
                            memory->failures[i]);
  return {{"loop_failures", "{" + failures + "}"},
          {"proof", fmt::format("{{\"pair_tests\": {}}}", memory->tests)}};
}

Result<std::unique_ptr<Method>> make(const SettingValues& values) {
  auto settings = settings_table().read(values);
  if (!settings) return settings.error();
  return make_engines(std::make_unique<Place>(*settings), *settings);
}

}  // namespace

MethodInfo method_info() {
  return {"place", "Curved bodies set down one on another, balanced and without interpenetration.",
          settings_table().rows(), make};
}

}  // namespace repose::place
