#pragma once

#include "pivoting_block.h"
#include "pivoting_dantzig.h"
#include "pivoting_homotopy.h"
#include "pivoting_interior.h"
#include "pivoting_lemke.h"
#include "sweeps.h"

namespace repose::mechanism {

/// Between attempts at one thing the proximal term shrinks by this.
inline constexpr double kStageRatio = 1e-2;
/// A residual above this, with all held rows held, is a wrong partition, not an inaccurate solve.
inline constexpr double kHopeless = 1e-3;

struct GroupAnswer {
  ForceStatus status = ForceStatus::not_converged;
  std::vector<double> f, a;  // scaled
  States states;
  double residual = kNoLimit;
  int pivots = 0;
  int linear_solves = 0;
  bool kept_partition = false;
  int failed_row = -1;
  std::vector<int> involved;
  const char* why = "";
};

/// Solves one group of coupled rows: the partition given, else pivoting, each answer verified by
/// its residual before it counts.
class GroupSolver {
 public:
  explicit GroupSolver(const ForceSettings& settings) : settings_(settings) {}
  /// `states` may hold unknowns; `prior` is one force per row. The answer stays valid until the
  /// next call.
  const GroupAnswer& solve(const ScaledProblem& problem, const States& states,
                           std::span<const double> prior);

 private:
  bool try_states(const States& states);
  void take_over(const States& states, const WorstRow& worst);
  bool take_as_found(const std::vector<double>& f, const States& states);
  bool search();
  bool search_dantzig();
  bool search_near_best();
  bool search_flips();
  bool search_orders();
  bool search_block(const States& start);
  bool search_stages();
  bool follow_path(const States& start, std::span<const double> f, int most);
  bool search_path(int most);
  bool search_interior();
  bool search_lemke();
  bool search_all();
  bool search_sweeps();
  void explain();
  bool joints_contradict();

  ForceSettings settings_;
  const ScaledProblem* problem_ = nullptr;
  States given_, states_;
  bool warm_ = false;                // some row came with a state
  std::vector<double> start_prior_;  // the forces given
  std::vector<double> prior_, f_, lemke_f_;
  PartitionSolver linear_, sparse_;
  PartitionSolver* trial_ = nullptr;  // of the two, the one that solves a given partition
  DantzigPivoting dantzig_;
  BlockPivoting block_;
  HomotopyPivoting homotopy_;
  InteriorPoint interior_;
  LemkePivoting lemke_;
  Sweeps sweeps_;
  std::vector<int> order_;  // normal rows as they are taken in
  PivotResult drive_;       // how the last Dantzig search ended
  bool searched_ = false, searched_dantzig_ = false;
  VerifyWork work_;
  GroupAnswer answer_;
};

}  // namespace repose::mechanism
