#pragma once

#include "repose/world/method.h"

#include "memory.h"

namespace repose::place {

/// Contacts nearer than this many times the settling gap carry forces.
inline constexpr double kTouch = 2.0;

/// Where the bodies stand when a step begins, what is near them and what pulls them.
struct Standing {
  const Arena& arena;
  const Problem& problem;
  const PlaceSettings& settings;
  Places places;
  std::vector<Row> rows;
  Potential energy;
};

/// By row: its gap is no larger than `gap` over the pair's size.
std::vector<bool> touching(const Arena& arena, std::span<const Row> rows, double gap);

/// The forces of the rows that touch.
Balance balance_of(const Standing& here, const std::vector<bool>& touch);

/// The settling gap, or that of rest once bodies are balanced; bodies that stand nearer already are
/// not lifted.
double gap_kept(const Standing& here, const Memory& memory);

/// A load that presses the bodies along their contacts' normals alone, as hard as they bear.
Potential pressing(const Standing& here, const Balance& balance);

/// Friction would hold the bodies if the gaps that their last step kept were closed: shorter steps
/// keep smaller ones.
bool nearly_held(const Standing& here, double epsilon);

/// Contacts nearer than this carry forces, over the pair's size.
double touch_gap(const PlaceSettings& s, const Memory& memory);

/// Balanced bodies were moved often enough, and the contacts at the gap of rest still do not carry
/// them: they go on until those do.
bool bear_falsely(const Standing& here, const std::vector<bool>& touch, const Memory& memory);

/// Balanced bodies that need not come nearer: `proposal` would hardly move them, or they were moved
/// often enough; and the contacts at the gap of rest carry them by themselves.
bool near_enough(const Standing& here, const std::vector<bool>& touch, const Proposal& proposal,
                 const Memory& memory);

Stability stability_at(const Standing& here, const std::vector<bool>& touch,
                       const Balance& balance);

/// Rest, or metastable rest.
StepReport rest_report(const Balance& balance, const Stability& stability, double neutral,
                       StepReport report);

}  // namespace repose::place
