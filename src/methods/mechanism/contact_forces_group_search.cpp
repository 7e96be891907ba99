// The searches for a partition, in the order in which they are tried.
#include <algorithm>
#include <cmath>

#include "contact_forces_group.h"

namespace repose::mechanism {
namespace {

/// Largest group for which dense pivoting is tried after sparse pivoting failed.
constexpr int kDenseLastResort = 320;
/// Least proximal term of a search, over A_ii = 1: below it rounding decides which of two redundant
/// rows carries.
constexpr double kSearchProximal = 1e-6;
/// Other orders in which contacts are taken in, where the given one failed.
constexpr int kMaxOrders = 16;
/// Groups with no more partitions than this are searched through before they count as unsolvable.
constexpr long kMaxPartitions = 2500;
/// Pivots along a path, over the rows, and from scratch.
constexpr double kPathPivotsPerRow = 0.5, kScratchPivotsPerRow = 6.0;
constexpr int kLeastPathPivots = 100;
/// Along the path tried before anything else.
constexpr int kFewPathPivots = 20;
/// The interior point goes on to this share of the residual asked for.
constexpr double kInteriorShare = 1e-2;
/// Searches with one method, each with a smaller proximal term.
constexpr int kSearchStages = 3;
/// Lemke's method with so many proximal terms, on the problem and on so many less one beside it;
/// how far beside over the largest |b|.
constexpr int kLemkeStages = 4;
constexpr double kShift = 1e-6;
/// Times that the search begins again from the best forces it has come to.
constexpr int kRoundsNearBest = 3;
/// Sweeps before the partition they have come to is tried, and how often; each time there are twice
/// as many.
constexpr int kFirstSweeps = 500, kSweepRounds = 6;
/// Rows whose state is changed one after the other from the best forces.
constexpr int kMaxFlips = 60;

/// The state that a row takes which its own state does not suit.
RowState across_the_border(const ScaledProblem& problem, int row, RowState state,
                           std::span<const double> f) {
  const RowLaw& law = problem.laws[row];
  if (state != RowState::held) return RowState::held;
  if (law.kind == RowKind::normal) return RowState::open;
  const double high = law.kind == RowKind::friction ? law.mu * f[law.partner] : law.high;
  return f[row] > high ? RowState::at_high : RowState::at_low;
}

}  // namespace

bool GroupSolver::search() {
  const int rows = problem_->rows();
  // from a partition of the step before the path is short, and the forces change continuously
  if (rows <= settings_.dense_rows && warm_ && follow_path(given_, start_prior_, kFewPathPivots))
    return true;
  searched_ = true;
  if (trial_ != &linear_) linear_.prepare(*problem_, rows <= settings_.dense_rows);
  if (rows <= settings_.dense_rows) {
    answer_.linear_solves += trial_ == &linear_ ? 0 : trial_->factorisations();
    trial_ = &linear_;
    return search_dantzig() || search_path(kLeastPathPivots) || search_interior() ||
           search_lemke() || search_near_best() || search_flips() || search_orders() ||
           search_stages() || search_all() || search_sweeps() || search_flips();
  }
  if (!warm_ && settings_.centre && search_interior()) return true;
  if (search_block(given_)) return true;
  if (warm_ && search_path(kLeastPathPivots)) return true;
  const int most = static_cast<int>(kPathPivotsPerRow * rows) + kLeastPathPivots;
  if (search_interior() || search_path(most) || search_stages()) return true;
  if (search_flips()) return true;
  if (rows > kDenseLastResort) return search_sweeps() || search_flips();
  answer_.linear_solves += linear_.factorisations();
  linear_.prepare(*problem_, true);
  return search_dantzig() || search_lemke() || search_near_best() || search_sweeps() ||
         search_flips();
}

bool GroupSolver::search_dantzig() {
  const int limit = settings_.pivots_per_row * problem_->rows();
  searched_dantzig_ = true;
  order_.clear();
  for (int i = 0; i < problem_->rows(); ++i) {
    if (problem_->laws[i].kind == RowKind::normal) order_.push_back(i);
  }
  double proximal = std::max(kSearchProximal, settings_.redundancy);
  for (int stage = 0; stage < kSearchStages; ++stage, proximal *= kStageRatio) {
    drive_ = dantzig_.run(*problem_, linear_, proximal, prior_, limit, order_);
    answer_.pivots += drive_.pivots;
    if (drive_.end == PivotEnd::found && try_states(dantzig_.states())) return true;
  }
  return false;
}

/// Near the best forces so far the proximal term hides less of what is wrong with them.
bool GroupSolver::search_near_best() {
  for (int round = 0; round < kRoundsNearBest && answer_.residual <= kHopeless; ++round) {
    const double before = answer_.residual;
    prior_ = answer_.f;
    const States best = answer_.states;
    if (search_block(best) || follow_path(best, prior_, kLeastPathPivots) || search_dantzig() ||
        search_lemke())
      return true;
    if (!(answer_.residual < before)) break;
  }
  prior_ = start_prior_;
  return false;
}

/// Changes the state of the worst row, one at a time, from the best forces so far: what is left
/// there is a few rows on the border of two states.
bool GroupSolver::search_flips() {
  if (!(answer_.residual <= kHopeless)) return false;
  States trial = answer_.states;
  prior_ = answer_.f;
  for (int flip = 0; flip < kMaxFlips; ++flip) {
    if (try_states(trial)) return true;
    const int row = verify(*problem_, f_, work_).row;
    if (row < 0) break;
    ++answer_.pivots;
    trial[row] = across_the_border(*problem_, row, trial[row], f_);
    repair_states(*problem_, trial);
  }
  prior_ = start_prior_;
  return false;
}

/// Takes the contacts in from another one on, forwards and backwards.
bool GroupSolver::search_orders() {
  const int limit = settings_.pivots_per_row * problem_->rows();
  const double proximal = std::max(kSearchProximal, settings_.redundancy);
  const int contacts = static_cast<int>(order_.size());
  for (int attempt = 0; attempt < std::min(2 * contacts, kMaxOrders); ++attempt) {
    if (attempt % 2 == 0) std::rotate(order_.begin(), order_.begin() + 1, order_.end());
    std::reverse(order_.begin(), order_.end());
    const PivotResult end = dantzig_.run(*problem_, linear_, proximal, prior_, limit, order_);
    answer_.pivots += end.pivots;
    if (end.end == PivotEnd::found && try_states(dantzig_.states())) return true;
  }
  return false;
}

bool GroupSolver::search_block(const States& start) {
  states_ = start;
  double proximal = std::max(kSearchProximal, settings_.redundancy);
  for (int stage = 0; stage < kSearchStages; ++stage, proximal *= kStageRatio) {
    const bool found = block_.search(*problem_, linear_, proximal, prior_, states_);
    answer_.pivots += block_.pivots();
    if (!found) return false;
    const States reached = states_;
    if (try_states(reached)) return true;
  }
  return false;
}

bool GroupSolver::search_stages() {
  states_ = given_;
  const double proximal = std::max(kSearchProximal, settings_.redundancy);
  const bool found = block_.search_by_stages(*problem_, linear_, proximal, prior_, states_);
  answer_.pivots += block_.pivots();
  const States reached = states_;
  return found && (try_states(reached) || search_block(reached));
}

/// From what solved another problem to this one.
bool GroupSolver::follow_path(const States& start, std::span<const double> f, int most) {
  const double proximal = std::max(kSearchProximal, settings_.redundancy);
  const PivotResult end =
      homotopy_.continue_from(*problem_, *trial_, proximal, prior_, start, f, most);
  answer_.pivots += end.pivots;
  return end.end == PivotEnd::found && try_states(homotopy_.states());
}

/// From the partition given to this problem's; for small groups also from scratch.
bool GroupSolver::search_path(int most) {
  const int rows = problem_->rows();
  const double proximal = std::max(kSearchProximal, settings_.redundancy);
  prior_ = start_prior_;
  states_ = given_;
  // what solved the step before is the best beginning; without it, what a short search comes to
  if (!warm_) block_.search(*problem_, linear_, proximal, prior_, states_);
  const std::vector<double>& begin = warm_ ? start_prior_ : block_.f();
  const States first = states_;
  if (follow_path(first, begin, most)) return true;
  if (rows > kDenseLastResort) return false;
  const PivotResult end = homotopy_.from_scratch(*problem_, linear_, proximal, prior_,
                                                 static_cast<int>(kScratchPivotsPerRow * rows));
  answer_.pivots += end.pivots;
  return end.end == PivotEnd::found && try_states(homotopy_.states());
}

bool GroupSolver::search_interior() {
  const double residual = interior_.run(*problem_, kInteriorShare * settings_.residual);
  answer_.linear_solves += interior_.steps();
  measure(*problem_, interior_.f(), work_);
  read_states(*problem_, interior_.f(), work_.a, states_);
  const States reached = states_;
  if (residual <= kHopeless) {
    prior_ = interior_.f();
    if (try_states(reached)) return true;
  }
  if (take_as_found(interior_.f(), reached)) return true;
  return residual <= kHopeless && search_block(reached);
}

bool GroupSolver::search_lemke() {
  const double first = std::max(kSearchProximal, settings_.redundancy);
  for (int attempt = 0; attempt < kLemkeStages * kLemkeStages; ++attempt) {
    const int stage = attempt % kLemkeStages, beside = attempt / kLemkeStages;
    const double proximal = first * std::pow(kStageRatio, stage);
    const double shift = beside > 0 ? kShift * std::pow(kStageRatio, beside - 1) : 0.0;
    const LemkePivoting::End end =
        lemke_.run(*problem_, linear_, proximal, prior_, shift, attempt, lemke_f_);
    answer_.pivots += lemke_.pivots();
    if (end != LemkePivoting::End::found) continue;
    measure(*problem_, lemke_f_, work_);
    read_states(*problem_, lemke_f_, work_.a, states_);
    const States reached = states_;
    if (take_as_found(lemke_f_, reached) || try_states(reached) || search_block(reached))
      return true;
    if (beside > 0 && follow_path(reached, lemke_f_, kLeastPathPivots)) return true;
  }
  return false;
}

/// From the forces that sweeps come near to.
bool GroupSolver::search_sweeps() {
  if (!sweeps_.run(*problem_, start_prior_, kFirstSweeps)) return false;
  for (int round = 0, most = kFirstSweeps; round < kSweepRounds; ++round, most *= 2) {
    if (!sweeps_.run(*problem_, std::vector<double>(sweeps_.f()), most)) break;
    measure(*problem_, sweeps_.f(), work_);
    read_states(*problem_, sweeps_.f(), work_.a, states_);
    const States reached = states_;
    if (take_as_found(sweeps_.f(), reached)) return true;
    prior_ = sweeps_.f();
    if (try_states(reached) || search_block(reached) ||
        follow_path(reached, sweeps_.f(), kLeastPathPivots))
      return true;
  }
  prior_ = start_prior_;
  return false;
}

/// Every partition there is, where there are few: what fails here has no solution.
bool GroupSolver::search_all() {
  std::vector<int> rows, choices;
  long count = 1;
  for (int i = 0; i < problem_->rows() && count <= kMaxPartitions; ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.slides || unlimited(law)) {
      if (law.kind != RowKind::friction || law.slides) continue;
    }
    rows.push_back(i);
    choices.push_back(law.kind == RowKind::normal ? 2 : 3);
    count *= choices.back();
  }
  if (count > kMaxPartitions) return false;
  for (long index = 0; index < count; ++index) {
    states_.assign(problem_->rows(), RowState::unknown);
    bool repeats = false;
    long rest = index;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const RowLaw& law = problem_->laws[rows[k]];
      const long choice = rest % choices[k];
      rest /= choices[k];
      const RowState other = law.kind == RowKind::normal ? RowState::open : RowState::at_low;
      states_[rows[k]] = choice == 0 ? RowState::held : choice == 1 ? other : RowState::at_high;
      // an open contact has only one kind of friction
      repeats = repeats || (law.kind == RowKind::friction && choice > 0 &&
                            states_[law.partner] == RowState::open);
    }
    if (repeats) continue;
    repair_states(*problem_, states_);
    ++answer_.pivots;
    const States chosen = states_;
    if (try_states(chosen)) return true;
  }
  return false;
}

}  // namespace repose::mechanism
