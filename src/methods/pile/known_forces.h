#pragma once

#include <span>
#include <utility>
#include <vector>

#include "separations.h"

namespace repose::pile {

/// The multipliers of a step's program, kept for the next one.
struct KnownForces {
  /// By the pair it belongs to: (b, a) of movers, or (b, -1 - n-th cut of a wall).
  struct OfPair {
    std::pair<int, int> key;
    double multiplier = 0.0;
    friend bool operator<(const OfPair& l, const OfPair& r) { return l.key < r.key; }
  };
  std::vector<OfPair> pairs;   // ordered by key
  std::vector<double> bounds;  // of the step's bounds, six by mover
};

/// What is worth knowing of the multipliers `y` of a program whose first rows are `separations`.
KnownForces known_forces(std::span<const Separation> separations, std::span<const double> y);

/// Multipliers of a new program of so many rows as far as the last one knew them; 0 elsewhere.
std::vector<double> known_multipliers(const KnownForces& known,
                                      std::span<const Separation> separations, int rows);

}  // namespace repose::pile
