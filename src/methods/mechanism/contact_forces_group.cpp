#include "contact_forces_group.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

/// Up to this many rows a dense factorisation is cheaper than one on the bodies' freedoms.
constexpr int kFewRows = 12;
/// Attempts at one partition's linear system, each with a smaller proximal term.
constexpr int kLinearStages = 3;
/// Held rows' accelerations this small beside their scale are small enough: a further step would
/// magnify their rounding by 1/proximal along the redundant directions, and with sliding friction
/// those move bodies.
constexpr double kEnough = 1e-13;
/// Held rows count as held at this share of their scale.
constexpr double kHeld = 1e-12;
/// A row takes part in a contradiction if its force grows at least this share of the fastest.
constexpr double kInvolved = 1e-3;

}  // namespace

const GroupAnswer& GroupSolver::solve(const ScaledProblem& problem, const States& states,
                                      std::span<const double> prior) {
  problem_ = &problem;
  given_ = states;
  answer_.status = ForceStatus::not_converged;
  answer_.f.assign(problem.rows(), 0.0);
  answer_.a = problem.b;
  answer_.residual = kNoLimit;
  answer_.pivots = answer_.linear_solves = 0;
  answer_.kept_partition = false;
  answer_.failed_row = -1;
  answer_.involved.clear();
  answer_.why = "";
  drive_ = {};
  searched_ = searched_dantzig_ = false;

  // one partition's system is factored on the bodies' freedoms unless the rows are few; the dense
  // matrix is for searches
  const bool few = problem.rows() <= std::min(kFewRows, settings_.dense_rows);
  trial_ = few ? &linear_ : &sparse_;
  trial_->prepare(problem, few);
  const auto is_known = [](RowState state) { return state != RowState::unknown; };
  warm_ = std::any_of(states.begin(), states.end(), is_known);
  const bool all_known = std::all_of(states.begin(), states.end(), is_known);
  repair_states(problem, given_);
  answer_.states = given_;
  start_prior_.assign(prior.begin(), prior.end());
  prior_ = start_prior_;
  // rows of which nothing is known are held at first
  if (try_states(given_)) {
    answer_.kept_partition = all_known;
  } else if (!search()) {
    explain();
  }
  answer_.linear_solves += trial_->factorisations();
  if (trial_ != &linear_ && searched_) answer_.linear_solves += linear_.factorisations();
  return answer_;
}

/// Takes over the forces of a partition if they are the best so far; true if they solve the group.
bool GroupSolver::try_states(const States& states) {
  // rows that are nearly redundant, not quite, need a smaller proximal term to be told apart
  double proximal = settings_.redundancy;
  for (int stage = 0; stage < kLinearStages; ++stage, proximal *= kStageRatio) {
    f_ = prior_;
    const double enough = stage == 0 ? kEnough : 0.0;
    const double worst = trial_->solve(states, proximal, enough, f_, work_);
    if (!std::isfinite(worst)) break;
    const WorstRow found = verify(*problem_, f_, work_);
    if (found.residual < answer_.residual) take_over(states, found);
    const bool held = worst <= kHeld;
    const bool wrong = held && !(found.residual <= kHopeless);
    if ((held && found.residual <= settings_.residual) || wrong) break;
  }
  return answer_.status == ForceStatus::solved;
}

void GroupSolver::take_over(const States& states, const WorstRow& worst) {
  answer_.f = f_;
  answer_.a = work_.a;
  answer_.states = states;
  answer_.residual = worst.residual;
  const bool solved = worst.residual <= settings_.residual;
  answer_.failed_row = solved ? -1 : worst.row;
  if (solved) answer_.status = ForceStatus::solved;
}

/// Forces as good as a partition's, whichever partition they are of.
bool GroupSolver::take_as_found(const std::vector<double>& f, const States& states) {
  f_ = f;
  measure(*problem_, f_, work_);
  const WorstRow worst = verify(*problem_, f_, work_);
  if (!(worst.residual <= settings_.residual)) return false;
  take_over(states, worst);
  return true;
}

/// Names the reason for which no forces were found.
void GroupSolver::explain() {
  if (answer_.residual == kNoLimit) {
    measure(*problem_, answer_.f, work_);
    answer_.residual = verify(*problem_, answer_.f, work_).residual;
  }
  if (joints_contradict()) return;
  const bool sliding = std::any_of(problem_->laws.begin(), problem_->laws.end(),
                                   [](const auto& l) { return l.slides && l.mu > 0.0; });
  const bool ray = searched_dantzig_ && drive_.end == PivotEnd::ray;
  if (ray) answer_.failed_row = drive_.row;
  const bool on_friction =
      answer_.failed_row >= 0 && problem_->laws[answer_.failed_row].kind == RowKind::friction;
  if (on_friction) answer_.failed_row = problem_->laws[answer_.failed_row].partner;
  if (sliding) {
    answer_.status = ForceStatus::impulse_needed;
    answer_.why = "sliding friction presses the contact in faster than its normal force parts it";
  } else if (ray) {
    answer_.status = ForceStatus::contradictory;
    answer_.why = "no forces keep the contacts from overlapping and the joints together";
  } else {
    answer_.status = ForceStatus::not_converged;
    answer_.why = "no partition satisfied every row";
  }
}

/// The joints alone: if no forces satisfy them, their forces grow without end along the combination
/// of rows that contradict.
bool GroupSolver::joints_contradict() {
  const int rows = problem_->rows();
  states_.assign(rows, RowState::open);
  for (int i = 0; i < rows; ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.kind == RowKind::bilateral) {
      states_[i] = unlimited(law) ? RowState::held : RowState::open;
    }
  }
  f_.assign(rows, 0.0);
  const double worst = trial_->solve(states_, settings_.redundancy, kEnough, f_, work_);
  if (trial_->held().empty() || worst <= settings_.residual) return false;
  double largest = 0.0;
  for (const int row : trial_->held()) {
    if (std::abs(work_.a[row]) <= largest) continue;
    largest = std::abs(work_.a[row]);
    answer_.failed_row = row;
  }
  // what is left of a after all forces is the contradiction itself
  for (const int row : trial_->held()) {
    if (std::abs(work_.a[row]) >= kInvolved * largest) answer_.involved.push_back(row);
  }
  answer_.status = ForceStatus::contradictory;
  answer_.why = "the joints cannot all hold";
  return true;
}

}  // namespace repose::mechanism
