#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "program.h"

namespace repose::pile {

/// A multiplier of the last program, by the pieces that it keeps apart.
struct PieceForce {
  int a = -1, b = -1, piece_a = -1, piece_b = -1;
  double multiplier = 0.0;  // mean of the rows of the two pieces

  friend bool operator<(const PieceForce& l, const PieceForce& r) {
    return std::tie(l.a, l.b, l.piece_a, l.piece_b) < std::tie(r.a, r.b, r.piece_a, r.piece_b);
  }
};
/// The mean multiplier of each two pieces that push, in order.
std::vector<PieceForce> piece_forces(std::span<const Separation> separations,
                                     std::span<const double> multipliers);

/// Adds to the program the convex part of minus multiplier times second derivative of each gap that
/// carried force: what turning and sliding over curved or cornered surfaces costs, which the rows
/// do not show. It vanishes with the motion, so it does not falsify the balance.
void add_curvature(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                   std::span<const PieceForce> forces, solve::LinearProgram& lp);

/// The second derivative of the gap along `s` between two pieces by (x_a, w_a, x_b, w_b): ways in
/// metres, rotation vectors in rad about the centres of mass.
Eigen::Matrix<double, 12, 12> gap_curvature(const Arena& arena, const Placement& at,
                                            const Separation& s);

/// ... in the program's variables; zero for those that are held.
Eigen::Matrix<double, 12, 12> scaled_curvature(const Arena& arena, const Placement& at,
                                               const Separation& s);
/// A symmetric matrix without its negative eigenvalues.
Eigen::Matrix<double, 12, 12> convex_part(const Eigen::Matrix<double, 12, 12>& m);

}  // namespace repose::pile
