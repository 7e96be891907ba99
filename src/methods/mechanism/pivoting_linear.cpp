#include "pivoting_linear.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace repose::mechanism {
namespace {

/// A step that leaves more than this share of the largest acceleration is the last.
constexpr double kStalled = 0.7;
constexpr int kMaxSteps = 12;

double dot(const RowPart& p, const RowPart& q) {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}

double product(const RowGeometry& g, const RowGeometry& h, int idle) {
  double sum = 0.0;
  if (g.body_a < idle) {
    if (g.body_a == h.body_a) sum += dot(g.part_a, h.part_a);
    if (g.body_a == h.body_b) sum += dot(g.part_a, h.part_b);
  }
  if (g.body_b < idle) {
    if (g.body_b == h.body_a) sum += dot(g.part_b, h.part_a);
    if (g.body_b == h.body_b) sum += dot(g.part_b, h.part_b);
  }
  return sum;
}

}  // namespace

double spread(int index) {
  constexpr double kGolden = 0.6180339887498949;
  const double multiple = kGolden * (index + 1);
  return multiple - std::floor(multiple);
}

void follow_states(const ScaledProblem& problem, const States& states, std::span<double> f) {
  const int rows = problem.rows();
  for (int i = 0; i < rows; ++i) {
    const RowLaw& law = problem.laws[i];
    if (states[i] == RowState::held || law.kind == RowKind::friction) continue;
    f[i] = states[i] == RowState::at_low    ? law.low
           : states[i] == RowState::at_high ? law.high
                                            : 0.0;
  }
  for (int i = 0; i < rows; ++i) {
    const RowLaw& law = problem.laws[i];
    if (law.kind != RowKind::friction || states[i] == RowState::held) continue;
    f[i] = side_of(states[i]) * law.mu * f[law.partner];
  }
}

void repair_states(const ScaledProblem& problem, States& states) {
  for (int i = 0; i < problem.rows(); ++i) {
    const RowLaw& law = problem.laws[i];
    RowState& state = states[i];
    if (law.kind == RowKind::normal) {
      if (state != RowState::open) state = RowState::held;
    } else if (law.kind == RowKind::bilateral) {
      const bool low = state == RowState::at_low && law.low > -kNoLimit;
      const bool high = state == RowState::at_high && law.high < kNoLimit;
      if (!low && !high) state = RowState::held;
    }
  }
  for (int i = 0; i < problem.rows(); ++i) {
    const RowLaw& law = problem.laws[i];
    if (law.kind != RowKind::friction) continue;
    if (states[law.partner] == RowState::open) {
      states[i] = RowState::open;
    } else if (law.slides) {
      states[i] = law.slide_state;
    } else if (states[i] == RowState::open || states[i] == RowState::unknown) {
      states[i] = RowState::held;
    }
  }
}

void PartitionSolver::prepare(const ScaledProblem& problem, bool dense) {
  problem_ = &problem;
  dense_ = dense;
  factorisations_ = 0;
  pattern_known_ = false;
  if (dense) fill_matrix();
}

void PartitionSolver::find_pattern() {
  const ScaledProblem& problem = *problem_;
  pairs_.clear();
  for (const RowGeometry& g : problem.geometry) {
    if (g.body_a < problem.bodies && g.body_b < problem.bodies) {
      pairs_.emplace_back(g.body_a, g.body_b);
    }
  }
  blocks_.analyze(problem.bodies, pairs_);
  pair_place_.assign(problem.rows(), -1);
  for (int i = 0; i < problem.rows(); ++i) {
    const RowGeometry& g = problem.geometry[i];
    if (g.body_a < problem.bodies && g.body_b < problem.bodies) {
      pair_place_[i] = blocks_.pair_place(g.body_a, g.body_b);
    }
  }
  pattern_known_ = true;
}

void PartitionSolver::fill_matrix() {
  const int n = problem_->rows();
  matrix_.resize(static_cast<std::size_t>(n) * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j) {
      const double value = product(problem_->geometry[i], problem_->geometry[j], problem_->bodies);
      matrix_[static_cast<std::size_t>(i) * n + j] = value;
      matrix_[static_cast<std::size_t>(j) * n + i] = value;
    }
  }
}

void PartitionSolver::choose(const States& states, double proximal) {
  states_ = states;
  proximal_ = proximal;
  held_.clear();
  symmetric_ = true;
  for (int i = 0; i < problem_->rows(); ++i) {
    if (states[i] == RowState::held) held_.push_back(i);
    const RowLaw& law = problem_->laws[i];
    if (law.kind == RowKind::friction && law.mu > 0.0 && side_of(states[i]) != 0.0 &&
        states[law.partner] == RowState::held) {
      symmetric_ = false;
    }
  }
}

bool PartitionSolver::factor(const States& states, double proximal) {
  choose(states, proximal);
  return factor_chosen();
}

bool PartitionSolver::factor_chosen() {
  ++factorisations_;
  return dense_ ? factor_dense() : factor_sparse();
}

bool PartitionSolver::factor_dense() {
  const int n = problem_->rows(), m = static_cast<int>(held_.size());
  factor_.resize(static_cast<std::size_t>(m) * m);
  for (int i = 0; i < m; ++i) {
    double* target = &factor_[static_cast<std::size_t>(i) * m];
    const double* source = &matrix_[static_cast<std::size_t>(held_[i]) * n];
    for (int j = 0; j < m; ++j) target[j] = source[held_[j]];
    target[i] += proximal_;
  }
  return symmetric_ ? factor_symmetric(m) : factor_general(m);
}

/// L D L' in the lower triangle, 1/D on the diagonal.
bool PartitionSolver::factor_symmetric(int m) {
  for (int k = 0; k < m; ++k) {
    double* row_k = &factor_[static_cast<std::size_t>(k) * m];
    for (int j = 0; j < k; ++j) {
      const double* row_j = &factor_[static_cast<std::size_t>(j) * m];
      double sum = row_k[j];
      for (int c = 0; c < j; ++c) sum -= row_k[c] * row_j[c];
      row_k[j] = sum;  // L_kj D_j
    }
    double pivot = row_k[k];
    for (int j = 0; j < k; ++j) {
      const double scaled = row_k[j] * factor_[static_cast<std::size_t>(j) * m + j];
      pivot -= scaled * row_k[j];
      row_k[j] = scaled;
    }
    if (!(pivot > 0.0)) return false;
    row_k[k] = 1.0 / pivot;
  }
  return true;
}

/// Adds friction at its limit to its normal's column; then L U with row exchanges.
bool PartitionSolver::factor_general(int m) {
  const int n = problem_->rows();
  for (int j = 0; j < m; ++j) {
    const RowLaw& law = problem_->laws[held_[j]];
    if (law.kind != RowKind::normal || law.partner < 0) continue;
    const double share = side_of(states_[law.partner]) * problem_->laws[law.partner].mu;
    if (share == 0.0) continue;
    for (int i = 0; i < m; ++i) {
      factor_[static_cast<std::size_t>(i) * m + j] +=
          share * matrix_[static_cast<std::size_t>(held_[i]) * n + law.partner];
    }
  }
  exchange_.resize(m);
  for (int k = 0; k < m; ++k) {
    int best = k;
    for (int i = k + 1; i < m; ++i) {
      if (std::abs(factor_[static_cast<std::size_t>(i) * m + k]) >
          std::abs(factor_[static_cast<std::size_t>(best) * m + k])) {
        best = i;
      }
    }
    exchange_[k] = best;
    double* row_k = &factor_[static_cast<std::size_t>(k) * m];
    if (best != k) std::swap_ranges(row_k, row_k + m, &factor_[static_cast<std::size_t>(best) * m]);
    if (!(std::abs(row_k[k]) > 0.0) || !std::isfinite(row_k[k])) return false;
    const double over = 1.0 / row_k[k];
    for (int i = k + 1; i < m; ++i) {
      double* row_i = &factor_[static_cast<std::size_t>(i) * m];
      const double scaled = row_i[k] *= over;
      if (scaled == 0.0) continue;
      for (int j = k + 1; j < m; ++j) row_i[j] -= scaled * row_k[j];
    }
  }
  return true;
}

void PartitionSolver::solve_dense(std::span<double> x) const {
  const int m = static_cast<int>(held_.size());
  if (!symmetric_) {
    for (int k = 0; k < m; ++k) std::swap(x[k], x[exchange_[k]]);
  }
  for (int i = 0; i < m; ++i) {
    const double* row = &factor_[static_cast<std::size_t>(i) * m];
    for (int j = 0; j < i; ++j) x[i] -= row[j] * x[j];
  }
  if (symmetric_) {
    for (int i = 0; i < m; ++i) x[i] *= factor_[static_cast<std::size_t>(i) * m + i];
    for (int i = m - 1; i > 0; --i) {
      const double* row = &factor_[static_cast<std::size_t>(i) * m];
      for (int j = 0; j < i; ++j) x[j] -= row[j] * x[i];
    }
    return;
  }
  for (int i = m - 1; i >= 0; --i) {
    const double* row = &factor_[static_cast<std::size_t>(i) * m];
    for (int j = i + 1; j < m; ++j) x[i] -= row[j] * x[j];
    x[i] /= row[i];
  }
}

RowGeometry PartitionSolver::column_of(int row) const {
  RowGeometry column = problem_->geometry[row];
  const RowLaw& law = problem_->laws[row];
  if (law.kind != RowKind::normal || law.partner < 0) return column;
  const double share = side_of(states_[law.partner]) * problem_->laws[law.partner].mu;
  if (share == 0.0) return column;
  const RowGeometry& friction = problem_->geometry[law.partner];
  const bool same_order = friction.body_a == column.body_a || friction.body_b == column.body_b;
  for (int c = 0; c < 3; ++c) {
    column.part_a[c] += share * (same_order ? friction.part_a[c] : friction.part_b[c]);
    column.part_b[c] += share * (same_order ? friction.part_b[c] : friction.part_a[c]);
  }
  return column;
}

bool PartitionSolver::factor_sparse() {
  if (!pattern_known_) find_pattern();
  blocks_.clear(proximal_);
  columns_.clear();
  const int idle = problem_->bodies;
  auto add_diagonal = [&](int body, const RowPart& left, const RowPart& right) {
    if (body >= idle) return;
    double* block = blocks_.diagonal_block(body);
    for (int r = 0; r < 3; ++r) {
      for (int c = 0; c < 3; ++c)
        block[solve::SparseBlocks::kRowSize * r + c] += left[r] * right[c];
    }
  };
  for (const int row : held_) {
    const RowGeometry& g = problem_->geometry[row];
    const RowGeometry& h = columns_.emplace_back(column_of(row));
    add_diagonal(g.body_a, h.part_a, g.part_a);
    add_diagonal(g.body_b, h.part_b, g.part_b);
    if (pair_place_[row] < 0) continue;
    blocks_.add_pair(pair_place_[row], blocks_.eliminated_before(g.body_a, g.body_b),
                     h.part_a.data(), g.part_b.data(), h.part_b.data(), g.part_a.data());
  }
  return blocks_.factor(symmetric_);
}

void PartitionSolver::solve_sparse(std::span<double> x) {
  // (proximal I + J G)^-1 x = (x - J (proximal I + G J)^-1 G x) / proximal
  y_.assign(3 * (static_cast<std::size_t>(problem_->bodies) + 1), 0.0);
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const RowGeometry& h = columns_[k];
    double* ya = &y_[3 * static_cast<std::size_t>(h.body_a)];
    double* yb = &y_[3 * static_cast<std::size_t>(h.body_b)];
    for (int c = 0; c < 3; ++c) ya[c] += h.part_a[c] * x[k];
    for (int c = 0; c < 3; ++c) yb[c] += h.part_b[c] * x[k];
  }
  blocks_.solve(y_);
  const double over = 1.0 / proximal_;
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const RowGeometry& g = problem_->geometry[held_[k]];
    const double* ya = &y_[3 * static_cast<std::size_t>(g.body_a)];
    const double* yb = &y_[3 * static_cast<std::size_t>(g.body_b)];
    const double moved = (g.part_a[0] * ya[0] + g.part_a[1] * ya[1] + g.part_a[2] * ya[2]) +
                         (g.part_b[0] * yb[0] + g.part_b[1] * yb[1] + g.part_b[2] * yb[2]);
    x[k] = (x[k] - moved) * over;
  }
}

void PartitionSolver::solve_held(std::span<double> x) {
  if (dense_) {
    solve_dense(x);
  } else {
    solve_sparse(x);
  }
}

void PartitionSolver::step(std::span<const double> a, std::span<double> f) {
  delta_.resize(held_.size());
  for (std::size_t k = 0; k < held_.size(); ++k) delta_[k] = a[held_[k]];
  solve_held(delta_);
  for (std::size_t k = 0; k < held_.size(); ++k) f[held_[k]] -= delta_[k];
  follow_states(*problem_, states_, f);
}

double PartitionSolver::solve(const States& states, double proximal, double enough,
                              std::span<double> f, VerifyWork& work) {
  const double failed = std::numeric_limits<double>::infinity();
  follow_states(*problem_, states, f);
  measure(*problem_, f, work);
  choose(states, proximal);
  double worst = failed;
  for (int steps = 0; steps <= kMaxSteps; ++steps) {
    if (steps > 0) {
      // forces that are good enough as they are need no factorisation
      if (steps == 1 && !factor_chosen()) return failed;
      step(work.a, f);
      // from the second step on f changes too little to change the scales
      if (steps == 1) {
        measure(*problem_, f, work);
      } else {
        accelerate(*problem_, f, work);
      }
    }
    double now = 0.0;
    for (const int row : held_) {
      const double share = work.scale[row] > 0.0 ? std::abs(work.a[row]) / work.scale[row] : 0.0;
      if (!(share <= now)) now = share;
    }
    if (!std::isfinite(now)) return failed;
    const bool stalled = steps > 1 && now > kStalled * worst;
    worst = std::min(worst, now);
    if (now <= enough || stalled) break;
  }
  return worst;
}

}  // namespace repose::mechanism
