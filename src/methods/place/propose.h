#pragma once

#include "arena.h"
#include "loads.h"

namespace repose::place {

/// What a step may do.
struct StepBounds {
  double epsilon = 0.0;  // bound on every scaled freedom
  double gap = 0.0;      // kept free, over the pair's size
  bool stay = false;     // balanced bodies: no travel along motions that hardly change the energy
  bool cruise = false;   // steps were cut short: wider gaps at the end, so that the next is longer
};

/// The step that lowers the energy most within the rows, to second order.
struct Proposal {
  /// What one row must keep at the end, so that the way is free and its proof affordable.
  struct End {
    double keep = 0.0;    // m, in any case
    double start = 0.0;   // m, gap at the start
    double travel = 0.0;  // m, eases the proof; shrinks with the square of the step's length
    double cruise = 0.0;  // m, eases the next step; shrinks with the step's length
    double slope = 0.0;   // m, first derivative of the gap along the whole motion
    double bend = 0.0;    // m, second derivative
    double force = 0.0;   // energy units per m; what the row bears
    double gap(double share, bool low) const;
    /// What the row must be raised by at the end, m; `travel` does not count.
    double lift(double share) const;
  };
  Eigen::VectorXd motion;  // scaled freedoms
  double share = 1.0;      // of the motion that is taken
  bool low = false;        // without the gaps that only ease the proof
  std::vector<End> ends;   // by row
  bool nudge = false;      // need not lower the energy
};
Proposal propose(const Arena& arena, const Problem& problem, const Places& places,
                 std::span<const Row> rows, const Potential& potential, const PlaceSettings& s,
                 const StepBounds& bounds);

/// The same for a motion that is given, in place of `like`, whose rows bear as much.
Proposal propose_motion(const Arena& arena, const Places& places, std::span<const Row> rows,
                        const Potential& potential, const PlaceSettings& s,
                        const StepBounds& bounds, const Eigen::VectorXd& motion,
                        const Proposal& like);

/// From a place that a step led to, back to the bottom of the valley that it left.
struct Correction {
  Eigen::VectorXd motion;  // to the least of the energy within the rows, but not along the valley
  Eigen::MatrixXd across;  // one row a direction across it, by the root of its curvature
  bool found = false;
};
Correction correct(const Arena& arena, const Problem& problem, const Places& places,
                   std::span<const Row> rows, const Potential& potential, const PlaceSettings& s,
                   const StepBounds& bounds);

}  // namespace repose::place
