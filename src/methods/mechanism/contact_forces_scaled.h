#pragma once

#include <span>
#include <vector>

#include "repose/base/disjoint_sets.h"
#include "repose/mechanism/contact_forces.h"

namespace repose::mechanism {

/// Where a row acts: J_i W^(1/2) / sqrt(A_ii), a vector of length 1 on at most two bodies. A side
/// without a body points at the idle body `ScaledProblem::bodies` with zero coefficients.
struct RowGeometry {
  int body_a, body_b;
  RowPart part_a, part_b;
};

/// What a row must satisfy, in scaled units.
struct RowLaw {
  RowKind kind = RowKind::bilateral;
  /// Friction whose force follows from its normal's whatever its acceleration: dynamic, or mu = 0.
  bool slides = false;
  RowState slide_state = RowState::at_high;  // which limit a sliding row follows
  int partner = -1;  // normal: its friction row; friction: its normal row; -1: none
  double mu = 0.0;   // limit of the scaled friction over the scaled normal force
  double low = -kNoLimit, high = kNoLimit;
};

inline bool unlimited(const RowLaw& law) {
  return law.low == -kNoLimit && law.high == kNoLimit;
}

/// Coupled rows in units that make every A_ii = 1: f sqrt(A_ii) and a / sqrt(A_ii), both of the
/// dimension sqrt(energy)/time whatever the row measures. A = J J', a = J (J' f) + b.
struct ScaledProblem {
  int bodies = 0;
  std::vector<RowGeometry> geometry;
  std::vector<RowLaw> laws;
  std::vector<double> b;
  std::vector<double> root;  // sqrt(A_ii)
  double drive = 0.0;        // the largest |b| or force limit

  int rows() const { return static_cast<int>(b.size()); }
};

/// Rows that are coupled through bodies that can move. Rows and bodies ascend.
struct RowGroup {
  std::vector<int> rows, bodies;
};

/// Splits a problem into groups; reuses its memory.
class Grouping {
 public:
  /// Rows without any movable freedom (A_ii = 0) belong to no group and are listed in `idle_rows`.
  void split(const ForceProblem& problem);
  int groups() const { return groups_; }
  const RowGroup& group(int index) const { return storage_[index]; }
  const std::vector<int>& idle_rows() const { return idle_rows_; }
  /// Writes the scaled form of a group.
  void scale(const ForceProblem& problem, const RowGroup& group, ScaledProblem& scaled);

 private:
  int groups_ = 0;
  DisjointSets together_;  // bodies
  std::vector<RowGroup> storage_;
  std::vector<int> group_of_, local_body_, local_row_, idle_rows_;
  std::vector<double> diagonal_;    // A_ii
  std::vector<RowPart> body_root_;  // square roots of the group's inverse inertias
};

/// A_ii = J_i W J_i'
double diagonal_of(const ForceProblem& problem, const ForceRow& row);

/// y = J' f on all bodies, the idle one included.
void spread_forces(const ScaledProblem& problem, std::span<const double> f, std::vector<double>& y);
/// a = J y + b
void gather_accelerations(const ScaledProblem& problem, std::span<const double> y,
                          std::span<double> a);

struct VerifyWork {
  std::vector<double> y, magnitude, a, scale;
};
/// A f + b in work.a.
void accelerate(const ScaledProblem& problem, std::span<const double> f, VerifyWork& work);
/// The same, and (|A| |f| + |b|)_i within kScaleFloor and kScaleCap in work.scale.
void measure(const ScaledProblem& problem, std::span<const double> f, VerifyWork& work);

/// The largest violation of any row's law, as residual_of measures it, and where it is.
struct WorstRow {
  double residual = 0.0;
  int row = -1;
};
/// `work` holds accelerations and scales of f.
WorstRow verify(const ScaledProblem& problem, std::span<const double> f, const VerifyWork& work);

}  // namespace repose::mechanism
