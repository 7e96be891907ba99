#include "pivoting_lemke.h"

#include <algorithm>
#include <cmath>

namespace repose::mechanism {
namespace {

/// Tableau entries below this are no pivots (rows are scaled to A_ii = 1).
constexpr double kNoPivot = 1e-11;
constexpr double kTie = 1e-12;
constexpr int kPivotsPerUnknown = 12;
constexpr int kMaxUnknowns = 400;
/// Share of the artificial variable in each row: from this to this plus 1.
constexpr double kLeastCover = 0.5;

}  // namespace

void LemkePivoting::list_unknowns() {
  unknowns_.clear();
  start_.assign(problem_->rows(), 0.0);
  for (int i = 0; i < problem_->rows(); ++i) {
    const RowLaw& law = problem_->laws[i];
    const int first = static_cast<int>(unknowns_.size());
    if (law.kind == RowKind::normal) {
      unknowns_.push_back({i, 1.0, -1});
    } else if (law.kind == RowKind::friction && !law.slides) {
      unknowns_.push_back({i, 1.0, first + 2});
      unknowns_.push_back({i, -1.0, first + 2});
      unknowns_.push_back({i, 0.0, first});
    } else if (law.kind == RowKind::bilateral && !unlimited(law)) {
      const bool from_low = law.low > -kNoLimit;
      const bool both = from_low && law.high < kNoLimit;
      start_[i] = from_low ? law.low : law.high;
      unknowns_.push_back({i, from_low ? 1.0 : -1.0, both ? first + 1 : -1});
      if (both) unknowns_.push_back({i, 0.0, first});
    }
  }
}

/// Joints without limits are solved for: what is left is A_ss - A_sj A_jj^-1 A_js.
bool LemkePivoting::reduce(double proximal, std::span<const double> prior) {
  const int n = problem_->rows();
  const std::vector<double>& matrix = linear_->matrix();
  States joints(n, RowState::open);
  for (int i = 0; i < n; ++i) {
    const RowLaw& law = problem_->laws[i];
    if (law.kind == RowKind::bilateral && unlimited(law)) joints[i] = RowState::held;
  }
  if (!linear_->factor(joints, proximal)) return false;
  const std::vector<int>& held = linear_->held();
  reduced_ = matrix;
  q_.resize(n);
  for (int i = 0; i < n; ++i) {
    reduced_[static_cast<std::size_t>(i) * n + i] += proximal;
    q_[i] = problem_->b[i] - proximal * prior[i];
  }
  std::vector<double> x(held.size());
  for (int column = 0; column <= n; ++column) {
    for (std::size_t k = 0; k < held.size(); ++k) {
      x[k] = column < n ? matrix[static_cast<std::size_t>(held[k]) * n + column] : q_[held[k]];
    }
    linear_->solve_held(x);
    for (int i = 0; i < n; ++i) {
      if (joints[i] == RowState::held) continue;
      double sum = 0.0;
      for (std::size_t k = 0; k < held.size(); ++k) {
        sum += matrix[static_cast<std::size_t>(i) * n + held[k]] * x[k];
      }
      (column < n ? reduced_[static_cast<std::size_t>(i) * n + column] : q_[i]) -= sum;
    }
  }
  // forces that act from the start
  for (int j = 0; j < n; ++j) {
    if (start_[j] == 0.0) continue;
    for (int i = 0; i < n; ++i) q_[i] += reduced_[static_cast<std::size_t>(i) * n + j] * start_[j];
  }
  return true;
}

/// Acceleration of a row for a unit force of another, its sliding friction included.
double LemkePivoting::reduced_column(int row, int column) const {
  const int n = problem_->rows();
  double value = reduced_[static_cast<std::size_t>(row) * n + column];
  const RowLaw& law = problem_->laws[column];
  if (law.kind == RowKind::normal && law.partner >= 0 && problem_->laws[law.partner].slides) {
    const RowLaw& friction = problem_->laws[law.partner];
    value += side_of(friction.slide_state) * friction.mu *
             reduced_[static_cast<std::size_t>(row) * n + law.partner];
  }
  return value;
}

double LemkePivoting::coefficient(int row_unknown, int column_unknown) const {
  const Unknown& r = unknowns_[row_unknown];
  const Unknown& c = unknowns_[column_unknown];
  if (r.sign == 0.0) {
    // slack of a limit: mu f_n - z+ - z-, or high - low - z
    if (c.sign == 0.0) return 0.0;
    const RowLaw& law = problem_->laws[r.row];
    if (c.row == r.row) return -1.0;
    return law.kind == RowKind::friction && c.row == law.partner ? law.mu : 0.0;
  }
  if (c.sign == 0.0) return c.row == r.row ? 1.0 : 0.0;
  return r.sign * c.sign * reduced_column(r.row, c.row);
}

double LemkePivoting::constant(int unknown) const {
  const Unknown& u = unknowns_[unknown];
  if (u.sign != 0.0) return u.sign * q_[u.row];
  const RowLaw& law = problem_->laws[u.row];
  return law.kind == RowKind::friction ? 0.0 : law.high - law.low;
}

/// w - M z - d z0 = q: columns z, z0, q. Those of w, which begin in the basis, are not kept.
void LemkePivoting::fill_tableau(double shift, int variant) {
  const int n = static_cast<int>(unknowns_.size()), width = n + 2;
  tableau_.assign(static_cast<std::size_t>(n) * width, 0.0);
  basis_.resize(n);
  own_.assign(n, 1.0);
  column_of_.assign(2 * static_cast<std::size_t>(n) + 1, -1);
  for (int c = 0; c <= n; ++c) column_of_[n + c] = c;
  for (int i = 0; i < n; ++i) {
    double* row = &tableau_[static_cast<std::size_t>(i) * width];
    for (int j = 0; j < n; ++j) row[j] = -coefficient(i, j);
    // another way into the problem for each variant
    row[n] = variant > 0 ? -kLeastCover - spread(i + (variant + 1) * n) : -1.0;
    row[n + 1] = constant(i) + shift * problem_->drive * spread(i + variant * n);
    basis_[i] = i;
  }
}

/// The one that leaves the basis takes the column of the one that enters: a column of the basis is
/// zero but in its own row.
void LemkePivoting::exchange(int leaving_row, int entering) {
  const int n = static_cast<int>(unknowns_.size()), width = n + 2;
  const int column = column_of_[entering];
  double* pivot_row = &tableau_[static_cast<std::size_t>(leaving_row) * width];
  const double over = 1.0 / pivot_row[column];
  const double left = own_[leaving_row] * over;
  for (int c = 0; c < width; ++c) pivot_row[c] *= over;
  own_[leaving_row] = pivot_row[column];
  pivot_row[column] = left;
  for (int i = 0; i < n; ++i) {
    double* row = &tableau_[static_cast<std::size_t>(i) * width];
    const double factor = row[column];
    if (i == leaving_row || factor == 0.0) continue;
    row[column] = 0.0;
    for (int c = 0; c < width; ++c) row[c] -= factor * pivot_row[c];
  }
  column_of_[basis_[leaving_row]] = column;
  column_of_[entering] = -1;
  basis_[leaving_row] = entering;
  ++pivots_;
}

LemkePivoting::End LemkePivoting::pivot_until_done() {
  const int n = static_cast<int>(unknowns_.size()), width = n + 2, artificial = 2 * n;
  // as much of the artificial variable as lifts every constant to 0
  int first = -1;
  double most = 0.0;
  for (int i = 0; i < n; ++i) {
    const double* row = &tableau_[static_cast<std::size_t>(i) * width];
    const double needed = row[width - 1] / row[n];
    if (!(needed > most)) continue;
    most = needed;
    first = i;
  }
  if (first < 0) return End::found;
  int left = basis_[first];
  exchange(first, artificial);
  for (int count = 0; count < kPivotsPerUnknown * n; ++count) {
    const int entering = left < n ? left + n : left - n, column = column_of_[entering];
    int leaving = -1;
    double least = kNoLimit, best_pivot = 0.0;
    for (int i = 0; i < n; ++i) {
      const double* row = &tableau_[static_cast<std::size_t>(i) * width];
      const double pivot = row[column];
      if (!(pivot > kNoPivot)) continue;
      const double ratio = std::max(0.0, row[width - 1]) / pivot;
      const bool tie = leaving >= 0 && std::abs(ratio - least) <= kTie * (1.0 + least);
      const bool shorter = ratio < least && !tie;
      // among equals the artificial variable leaves, else the largest pivot
      const bool better =
          tie && basis_[leaving] != artificial && (basis_[i] == artificial || pivot > best_pivot);
      if (!shorter && !better) continue;
      leaving = i;
      least = std::min(least, ratio);
      best_pivot = pivot;
    }
    if (leaving < 0) return End::ray;
    left = basis_[leaving];
    exchange(leaving, entering);
    if (left == artificial) return End::found;
  }
  return End::gave_up;
}

LemkePivoting::End LemkePivoting::run(const ScaledProblem& problem, PartitionSolver& linear,
                                      double proximal, std::span<const double> prior, double shift,
                                      int variant, std::vector<double>& f) {
  problem_ = &problem;
  linear_ = &linear;
  pivots_ = 0;
  list_unknowns();
  const int n = static_cast<int>(unknowns_.size()), rows = problem.rows();
  if (n == 0 || n > kMaxUnknowns || !reduce(proximal, prior)) return End::gave_up;
  fill_tableau(shift, variant);
  const End end = pivot_until_done();
  if (end != End::found) return end;

  f = start_;
  for (int i = 0; i < n; ++i) {
    if (basis_[i] < n || basis_[i] >= 2 * n) continue;
    const Unknown& u = unknowns_[basis_[i] - n];
    f[u.row] += u.sign * tableau_[static_cast<std::size_t>(i) * (n + 2) + n + 1];
  }
  for (int i = 0; i < rows; ++i) {
    const RowLaw& law = problem.laws[i];
    if (law.slides) f[i] = side_of(law.slide_state) * law.mu * f[law.partner];
  }
  // the joints' forces follow
  const std::vector<int>& held = linear.held();
  std::vector<double> x(held.size());
  for (std::size_t k = 0; k < held.size(); ++k) {
    x[k] = -(problem.b[held[k]] - proximal * prior[held[k]]);
    for (int j = 0; j < rows; ++j) {
      x[k] -= linear.matrix()[static_cast<std::size_t>(held[k]) * rows + j] * f[j];
    }
  }
  linear.solve_held(x);
  for (std::size_t k = 0; k < held.size(); ++k) f[held[k]] = x[k];
  return End::found;
}

}  // namespace repose::mechanism
