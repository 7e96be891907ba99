#pragma once

#include <span>

#include "repose/mechanism/contact_forces.h"

namespace repose::mechanism {

/// How several contacts that strike at once share the blow.
///   simultaneous  one solve for all: at every normal row v+ >= -e v-, p >= 0, p (v+ + e v-) = 0
///                 (Baraff 1989). A struck row of balls moves off together.
///   sequential    the fastest approach is resolved alone, again and again, until nothing
///                 approaches: a blow travels through a row of balls, and only the last one leaves.
enum class BlowLaw : std::uint8_t { simultaneous, sequential };

struct ImpulseSettings {
  BlowLaw law = BlowLaw::simultaneous;
  /// sequential: blows allowed for each normal row; then the rest is resolved in one simultaneous
  /// solve without restitution. >= 1.
  int blows_per_row = 200;
  /// Approach slower than this fraction of the fastest at the start is resolved without
  /// restitution: infinitely many ever smaller blows come to an end. (0, 0.1].
  double quiet_fraction = 1e-6;
  ForceSettings forces{};
};

struct Impulses {
  ForceStatus status = ForceStatus::solved;
  std::vector<double> p;         // impulse of each row
  std::vector<double> velocity;  // relative velocity of each row afterwards
  std::vector<RowState> states;
  double residual = 0.0;       // the largest of its solves
  double energy_change = 0.0;  // J; negative: lost
  /// Share of the given restitution that was used; below 1 where friction and Newton's law together
  /// would have gained energy (sequential: 0 if any blow would have).
  double restitution_used = 1.0;
  int blows = 0;
  int failed_row = -1;
  std::string why;
};

/// Impulses of a collision. In `problem` each row's b is its relative velocity before the blow;
/// friction rows are read as static whatever their slip: |p_t| <= mu p_n, and p_t opposes the
/// sliding that remains. `restitution` holds e in [0, 1] for each row (read at normal rows); empty:
/// all 0.
Impulses solve_impulses(const ForceProblem& problem, std::span<const double> restitution,
                        const ImpulseSettings& settings = {});

/// Impulses that free a problem with the status impulse_needed: the impact without collision of
/// Painleve's rod. `velocity` is each row's relative velocity (normal rows about 0). The answer
/// makes at least one sliding contact stick, turn or part; a status other than `solved` says why
/// none does.
Impulses solve_inconsistent(const ForceProblem& problem, std::span<const double> velocity,
                            const ImpulseSettings& settings = {});

}  // namespace repose::mechanism
