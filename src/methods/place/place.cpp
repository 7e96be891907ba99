#include "repose/place/place.h"

#include <algorithm>

#include "repose/base/change_settings.h"
#include "repose/world/out_of_steps.h"

#include "engines.h"
#include "guide_cells.h"
#include "move.h"
#include "program.h"
#include "room.h"
#include "start.h"
#include "support.h"

namespace repose::place {
namespace {

/// Bound on the steps of balanced bodies: they close gaps and do not travel.
constexpr double kPolishBound = 1e-3;
/// With friction: what the step bound shrinks to before contacts are closed.
constexpr double kLanding = 0.125;

class Place final : public Method {
 public:
  explicit Place(const PlaceSettings& settings) : settings_(settings) {}

  std::string name() const override { return "place"; }
  Result<Done> prepare(const Problem& problem, State& state) override;
  StepReport step(const Problem& problem, State& state) override;
  Audit audit(const Problem& problem, const State& state) override;
  Result<Done> change_settings(const SettingValues& values) override {
    auto done = repose::change_settings(settings_table(), values, settings_);
    if (done) {
      set_mesh();
      set_gaps();
    }
    return done;
  }
  Json::Object facts(const Problem& problem, const State& state) override;

 private:
  void set_mesh();
  void set_gaps();
  Standing stand(const Problem& problem, const State& state, const Memory& memory) const;
  Proposal next(const Standing& here, const Potential& pull, const Memory& memory) const;
  StepReport leave(const Standing& here, const Stability& stability, Memory& memory, State& state);
  StepReport open_again(const Balance& balance, Memory& memory, State& state);
  StepReport rest_or_move(const Standing& here, const std::vector<bool>& touch,
                          const Balance& balance, Memory& memory, State& state);

  PlaceSettings settings_;
  KnownSurfaces known_;
  Arena arena_;
};

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

/// Beside a mesh the gap of rest is that of meshes.
void Place::set_gaps() {
  const auto mesh = [&](int body) {
    const auto& features = arena_.surfaces[static_cast<std::size_t>(body)]->features();
    return std::any_of(features.begin(), features.end(),
                       [](const Feature& f) { return f.kind == FeatureKind::triangle; });
  };
  for (Pairing& pair : arena_.pairs)
    pair.least = mesh(pair.p) || mesh(pair.q) ? settings_.mesh_gap : 0.0;
}

Result<Done> Place::prepare(const Problem& problem, State& state) {
  auto arena = prepare_arena(problem, state, known_);
  if (!arena) return arena.error();
  arena_ = std::move(arena).value();
  set_mesh();
  set_gaps();
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

Standing Place::stand(const Problem& problem, const State& state, const Memory& memory) const {
  Standing here{arena_, problem, settings_, places_of(arena_, problem, state), {}, {}};
  std::vector<Seed> known = memory.warm;
  known.insert(known.end(), memory.extra.begin(), memory.extra.end());
  here.rows =
      gather_rows(arena_, here.places, settings_, memory.epsilon, known);  // where they touch
  here.energy = potential(arena_, problem, here.places);                   // what pulls them
  return here;
}

/// The best next place. Balanced bodies close their gaps and do not travel; bodies that nothing is
/// near fall until something might be.
Proposal Place::next(const Standing& here, const Potential& pull, const Memory& memory) const {
  if (here.rows.empty() && !memory.settled) {
    const auto fall = free_fall(arena_, here.problem, here.places, pull);
    if (fall && fall->lpNorm<Eigen::Infinity>() > memory.epsilon) {
      Proposal out;
      out.motion = *fall;
      return out;
    }
  }
  const double bound = memory.settled ? std::min(memory.epsilon, kPolishBound) : memory.epsilon;
  return propose(arena_, here.problem, here.places, here.rows, pull, settings_,
                 {bound, memory.gap, memory.settled && memory.closing == Closing::standing,
                  memory.cruising() && !memory.settled});
}

/// A nudge along the motion on which a metastable rest loses energy.
StepReport Place::leave(const Standing& here, const Stability& stability, Memory& memory,
                        State& state) {
  Proposal nudge;
  nudge.nudge = true;
  nudge.motion = settings_.nudge * stability.motion / stability.motion.lpNorm<Eigen::Infinity>();
  for (const Row& row : here.rows)
    nudge.ends.push_back({.keep = settings_.settle_gap * pair_size(arena_, row)});
  memory.settled = false;
  memory.closing = Closing::standing;
  memory.epsilon = std::max(memory.epsilon, settings_.nudge);
  return move_on(here, nudge, memory, state, {});
}

StepReport Place::rest_or_move(const Standing& here, const std::vector<bool>& touch,
                               const Balance& balance, Memory& memory, State& state) {
  StepReport report;
  report.residual = balance.worst();
  report.body = balance.body;
  const bool balanced = memory.settled;
  // what friction holds is brought to the gap of rest without a slide
  const Potential pull = balanced && settings_.friction ? pressing(here, balance) : here.energy;
  const Proposal proposal = next(here, pull, memory);
  const bool stays_open = memory.closing == Closing::never;
  if (balanced && !stays_open && bear_falsely(here, touch, memory)) {
    memory.firm = true;
    memory.settled = false;
    memory.open.clear();
    return report;
  }
  if (balanced && (stays_open || near_enough(here, touch, proposal, memory))) {
    const Stability stability = stability_at(here, touch, balance);
    report = rest_report(balance, stability, settings_.neutral, report);
    if (report.status == RunStatus::metastable && settings_.nudge > 0.0)
      report = leave(here, stability, memory, state);
    return report;
  }
  memory.polished += balanced ? 1 : 0;
  memory.open = balanced ? here.places : Places{};
  report = move_on(here, proposal, memory, state, report);
  // what is balanced needs no further step: one that fails leaves it where it is, at rest
  if (balanced && memory.failed)
    report = rest_report(balance, stability_at(here, touch, balance), settings_.neutral, report);
  return report;
}

/// Bodies whose balance was lost while they closed their gaps go back the way they came, where
/// shorter ways can be proven, and try otherwise.
StepReport Place::open_again(const Balance& balance, Memory& memory, State& state) {
  write_places(arena_, memory.open, state);
  memory.open.clear();
  memory.warm.clear();
  memory.closing = memory.closing == Closing::standing ? Closing::travelling : Closing::never;
  StepReport report;
  report.residual = balance.worst();
  report.body = balance.body;
  return report;
}

StepReport Place::step(const Problem& problem, State& state) {
  auto memory = std::make_shared<Memory>(*std::static_pointer_cast<const Memory>(state.memory));
  const Standing here = stand(problem, state, *memory);
  const std::vector<bool> touch = touching(arena_, here.rows, touch_gap(settings_, *memory));
  const Balance balance = balance_of(here, touch);
  state.contacts = contacts_of(here.rows, touch, balance);
  state.step += 1;
  memory->force = balance.force;
  memory->torque = balance.torque;
  const bool balanced = balance.worst() <= settings_.rest_force;
  if (settings_.friction && !balanced && nearly_held(here, memory->epsilon))
    memory->epsilon *= kLanding;
  if (balanced && !memory->settled) memory->polished = 0;
  const bool lost = memory->settled && !balanced && !memory->open.empty();
  memory->settled = balanced;
  memory->gap = gap_kept(here, *memory);
  StepReport report = lost ? open_again(balance, *memory, state)
                           : rest_or_move(here, touch, balance, *memory, state);
  if (report.status == RunStatus::moving && state.step >= settings_.max_steps)
    stop_out_of_steps("place", problem, state, settings_.friction, report);
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

Json::Object Place::facts(const Problem&, const State& state) {
  const auto memory = std::static_pointer_cast<const Memory>(state.memory);
  Json::Object failures;
  for (std::size_t i = 1; i < kFailures; ++i)
    failures.emplace_back(to_text(static_cast<Failure>(i)), memory->failures[i]);
  return {{"loop_failures", std::move(failures)},
          {"proof", Json::Object{{"pair_tests", memory->tests}}}};
}

Result<std::unique_ptr<Method>> make(const SettingValues& values) {
  auto settings = settings_table().read(values);
  if (!settings) return settings.error();
  return make_engines(std::make_unique<Place>(*settings), *settings);
}

}  // namespace

MethodInfo method_info() {
  MethodInfo out{"place",
                 "Sets curved bodies down on and in one another until they rest.",
                 settings_table().rows(),
                 make,
                 {EditKind::attach, EditKind::stick}};
  out.support = support();
  out.ways = ProvenWays::of_centers;
  return out;
}

}  // namespace repose::place
