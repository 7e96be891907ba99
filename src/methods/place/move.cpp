#include "move.h"

#include <algorithm>

#include <fmt/format.h>

#include "program.h"
#include "way.h"

namespace repose::place {
namespace {

/// A step that used this share of its bound used all of it.
constexpr double kWholeStep = 0.9;
/// What the proof of a longer way would cost too much for: the next bound is this many steps.
constexpr double kRoomOfBudget = 2.0;
/// A bound follows a step that did not use it down to this many times its length, and no further
/// than to the least bound.
constexpr double kRoom = 16.0, kLeastBound = 1e-3;
/// A motion that fails is shortened this often within the step, by this factor, or to this share of
/// the way to where it is blocked; ways blocked earlier than the last share are not followed at
/// all.
constexpr int kShortenings = 3;
constexpr double kShorter = 0.5, kBeforeBlock = 0.8, kLateBlock = 0.3;

struct Taken {
  Failure failure = Failure::none;
  double time = 0.0;   // share of the way at which it is blocked
  double moved = 0.0;  // length units, what became of the motion
};

bool lower(const Standing& here, const Places& places) {
  return potential(here.arena, here.problem, places).energy < here.energy.energy;
}

Proof prove_way(const Standing& here, const Restored& there, Memory& memory) {
  Proof proof = prove_way(here.arena, here.problem, here.places, there.places, here.rows,
                          there.rows, here.settings, memory.gap);
  memory.tests += proof.tests;
  return proof;
}

void arrive(const Standing& here, const Restored& there, Memory& memory, State& state) {
  write_places(here.arena, there.places, state);
  note_gaps(here.arena, there.rows, memory);
  memory.warm.clear();
  const auto near = touching(here.arena, there.rows, kTouch * here.settings.settle_gap);
  for (std::size_t i = 0; i < near.size(); ++i)
    if (near[i] && !there.rows[i].at.samples) memory.warm.push_back(there.rows[i].at);
}

/// Restores, compares and proves a proposed step; takes it if all is well.
Taken take_straight(const Standing& here, const Proposal& proposal, Memory& memory, State& state) {
  const Restored straight = restore(here.arena, here.problem, here.places, here.rows, proposal,
                                    here.settings, memory.gap);
  if (!straight.kept) return {Failure::restore};
  // a nudge off a metastable rest keeps its height at best
  Restored there = proposal.nudge ? straight : down_at_end(here, proposal, straight, memory);
  if (!proposal.nudge && !lower(here, there.places)) return {Failure::energy};
  Proof proof = prove_way(here, there, memory);
  if (proof.passage == Passage::blocked && there.bent && lower(here, straight.places)) {
    there = straight;
    proof = prove_way(here, there, memory);
  }
  // what is not proven free is not taken
  if (proof.passage == Passage::out_of_budget) return {Failure::budget};
  if (proof.passage == Passage::blocked) {
    memory.extra.insert(memory.extra.end(), proof.seeds.begin(), proof.seeds.end());
    return {Failure::blocked, proof.time};
  }
  arrive(here, there, memory, state);
  return {.moved = longest_move(here.arena, here.places, there.places) / here.arena.length_unit};
}

/// The same along the valley, or else as proposed.
Taken take(const Standing& here, const Proposal& proposal, Memory& memory, State& state) {
  if (!proposal.nudge)
    if (const auto bent = along_valley(here, proposal, memory)) {
      const std::size_t known = memory.extra.size();
      const Taken taken = take_straight(here, *bent, memory, state);
      if (taken.failure == Failure::none || taken.failure == Failure::budget) return taken;
      memory.extra.resize(known);
    }
  return take_straight(here, proposal, memory, state);
}

/// The motion, or as much of it as can be had; `part` holds what was tried last.
Taken take_part(const Standing& here, Proposal& part, Memory& memory, State& state) {
  Taken taken;
  for (int k = 0; k <= kShortenings; ++k) {
    taken = take(here, part, memory, state);
    memory.failures[static_cast<std::size_t>(taken.failure)] += 1;
    if (taken.failure == Failure::none) break;
    if (taken.failure == Failure::blocked && taken.time < kLateBlock) break;
    // what is balanced needs no nearer contact than can be proven
    if (taken.failure == Failure::budget && memory.settled) break;
    if (taken.failure == Failure::energy && !part.low) {
      part.low = true;
      continue;
    }
    if (k < kShortenings)
      part.share *= taken.failure == Failure::blocked ? kBeforeBlock * taken.time : kShorter;
  }
  return taken;
}

/// The next bound follows the last step, so that contacts are sought no farther than needed, and
/// what was undone to keep the gaps is not asked for again.
double next_bound(double epsilon, double gone, const PlaceSettings& s) {
  if (gone > kWholeStep * epsilon) return std::min(s.lambda * epsilon, s.epsilon_max);
  return std::clamp(kRoom * gone, std::min(kLeastBound, epsilon), epsilon);
}

StepReport stuck(const Problem& problem, const State& state, Failure failure, StepReport report) {
  report.status = RunStatus::stuck;
  report.why = fmt::format("no step is left: {}", to_text(failure));
  const auto most = std::max_element(
      state.contacts.begin(), state.contacts.end(), [](const Contact& l, const Contact& r) {
        return l.force_on_b.squaredNorm() < r.force_on_b.squaredNorm();
      });
  if (most != state.contacts.end())
    report.why += fmt::format("; the contact of {} and {} blocks",
                              problem.bodies[static_cast<std::size_t>(most->body_a)].name,
                              problem.bodies[static_cast<std::size_t>(most->body_b)].name);
  return report;
}

}  // namespace

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

StepReport move_on(const Standing& here, const Proposal& proposal, Memory& memory, State& state,
                   StepReport report) {
  const std::size_t known = memory.extra.size();
  Proposal part = proposal;
  const int over_budget = memory.failures[static_cast<std::size_t>(Failure::budget)];
  const Taken taken = take_part(here, part, memory, state);
  const double used = part.share * proposal.motion.lpNorm<Eigen::Infinity>();
  memory.failed = taken.failure != Failure::none;
  memory.cut = part.share < kWholeStep ? memory.cut + 1 : 0;
  if (!memory.failed) {
    memory.extra.clear();
    const double gone = std::min(used, taken.moved);
    const bool costly = memory.failures[static_cast<std::size_t>(Failure::budget)] > over_budget;
    memory.epsilon = costly ? std::min(memory.epsilon, kRoomOfBudget * gone)
                            : next_bound(memory.epsilon, gone, here.settings);
    return report;
  }
  // a contact that was missed: the same step once more with its row; else a shorter one
  const bool learned = known == 0 && memory.extra.size() > known;
  if (!learned) {
    memory.extra.clear();
    memory.epsilon = 0.5 * std::min(used, memory.epsilon);
  }
  if (memory.epsilon < here.settings.epsilon_min)
    return stuck(here.problem, state, taken.failure, report);
  return report;
}

}  // namespace repose::place
