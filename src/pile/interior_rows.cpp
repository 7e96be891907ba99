#include <algorithm>
#include <cmath>

#include "repose/base/check.h"
#include "repose/base/stage_clock.h"

#include "interior_point.h"

namespace repose::pile {

double largest(const std::vector<double>& v) {
  double out = 0.0;
  for (const double e : v) out = std::max(out, std::fabs(e));
  return out;
}

void InteriorPoint::load(const LinearProgram& lp, const LpStart& start) {
  const int n = lp.variables();
  if (lp.block_start.empty()) {
    block_start_.resize(static_cast<std::size_t>(n) + 1);
    for (int i = 0; i <= n; ++i) block_start_[i] = i;
  } else {
    block_start_ = lp.block_start;
  }
  REPOSE_CHECK(block_start_.front() == 0 && block_start_.back() == n);
  block_of_.resize(static_cast<std::size_t>(n));
  for (std::size_t b = 0; b + 1 < block_start_.size(); ++b)
    for (int i = block_start_[b]; i < block_start_[b + 1]; ++i) block_of_[i] = static_cast<int>(b);
  program_ = &lp;
  cost_ = lp.cost;
  cost_size_ = largest(cost_);
  proximal_ = lp.proximal;
  rows_.clear();
  placed_rows_ = 0;
  row_scale_.clear();
  entry_start_.assign(1, 0);
  column_.clear();
  value_.clear();
  bound_.clear();
  in_use_.assign(static_cast<std::size_t>(lp.rows()), 0);
  if (start.rows.empty())
    for (int k = 0; k < lp.rows(); ++k) take_row(lp, k);
  else
    for (const int k : start.rows) take_row(lp, k);
  find_outside(lp);
  x_.assign(static_cast<std::size_t>(n), 0.0);
  s_.clear();
  y_.clear();
  iterations_ = 0;
}

void InteriorPoint::take_row(const LinearProgram& lp, int row) {
  if (in_use_[row]) return;
  double length = 0.0;
  for (int e = lp.row_start[row]; e < lp.row_start[row + 1]; ++e)
    length += lp.value[e] * lp.value[e];
  const double scale = length > 0.0 ? 1.0 / std::sqrt(length) : 1.0;
  in_use_[row] = 1;
  rows_.push_back(row);
  row_scale_.push_back(scale);
  for (int e = lp.row_start[row]; e < lp.row_start[row + 1]; ++e) {
    column_.push_back(lp.column[e]);
    value_.push_back(lp.value[e] * scale);
  }
  entry_start_.push_back(static_cast<int>(column_.size()));
  bound_.push_back(lp.bound[row] * scale);
  pattern_changed_ = true;
}

/// Where each product of two entries of a row goes. A row holds few blocks, each in one piece.
void InteriorPoint::place_row(std::size_t row) {
  const std::size_t at = places_.size();
  const int first = entry_start_[row], end = entry_start_[row + 1];
  places_.resize(at + static_cast<std::size_t>(end - first) * (end - first + 1) / 2);
  const auto block_end = [&](int from) {
    int to = from + 1;
    while (to < end && block_of_[column_[to]] == block_of_[column_[from]]) ++to;
    return to;
  };
  for (int e = first, end_e = first; e < end; e = end_e) {
    end_e = block_end(e);
    for (int f = first, end_f = first; f <= e; f = end_f) {
      end_f = block_end(f);
      const int a = block_of_[column_[e]], b = block_of_[column_[f]];
      if (a != placed_a_ || b != placed_b_) placed_ = cholesky_.block_place(a, b);
      placed_a_ = a;
      placed_b_ = b;
      for (int i = e; i < end_e; ++i) {
        const int n = i - first;  // products of earlier entries of the row come before
        std::int64_t* to = places_.data() + at + n * (n + 1) / 2;
        for (int j = f; j < std::min(end_f, i + 1); ++j) {
          int r = column_[i] - block_start_[a], c = column_[j] - block_start_[b];
          if (a == b && r < c) std::swap(r, c);
          to[j - first] = placed_.at(r, c);
        }
      }
    }
  }
}

/// Prepares the factorisation for the rows in use and remembers where each product goes.
void InteriorPoint::analyze() {
  const StageScope timed("lp_analyze");
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e)
      for (int f = entry_start_[k]; f < e; ++f) {
        const int a = block_of_[column_[e]], b = block_of_[column_[f]];
        if (a != b && (pairs.empty() || pairs.back() != std::pair(a, b))) pairs.emplace_back(a, b);
      }
  for (const QuadraticEntry& q : program_->quadratic) {
    const int a = block_of_[q.row], b = block_of_[q.column];
    if (a != b && (pairs.empty() || pairs.back() != std::pair(a, b))) pairs.emplace_back(a, b);
  }
  const bool changed = cholesky_.analyze(
      graph_from_pairs(static_cast<int>(block_start_.size()) - 1, pairs), block_start_);
  if (changed || placed_rows_ == 0) {
    places_.clear();
    placed_rows_ = 0;
    placed_a_ = placed_b_ = -1;
  }
  for (; placed_rows_ < rows_.size(); ++placed_rows_) place_row(placed_rows_);
  quadratic_places_.clear();
  for (const QuadraticEntry& q : program_->quadratic)
    quadratic_places_.push_back(cholesky_.place(q.row, q.column));
  pattern_changed_ = false;
}

/// |a . x| <= sum |a_i| max |x_i| tells how far x may go before a row outside can matter.
void InteriorPoint::find_outside(const LinearProgram& lp) {
  outside_.clear();
  outside_way_.clear();
  for (int k = 0; k < lp.rows(); ++k) {
    if (in_use_[k]) continue;
    double sum = 0.0;
    for (int e = lp.row_start[k]; e < lp.row_start[k + 1]; ++e) sum += std::fabs(lp.value[e]);
    outside_.push_back(k);
    outside_way_.push_back(sum > 0.0 ? -lp.bound[k] / sum : -lp.bound[k]);
  }
}

/// Rows outside the program in use that the iterate violates join it.
bool InteriorPoint::take_violated(const LinearProgram& lp, double tolerance) {
  const std::size_t before = rows_.size();
  const double way = largest(x_);
  for (std::size_t n = 0; n < outside_.size(); ++n) {
    const int k = outside_[n];
    if (outside_way_[n] > way || in_use_[k]) continue;
    const double slack = lp.row_times(k, x_) - lp.bound[k];
    if (slack >= -tolerance) continue;
    take_row(lp, k);
    s_.push_back(std::max(std::sqrt(mu_), -slack));
    y_.push_back(mu_ / s_.back());
  }
  return rows_.size() > before;
}

}  // namespace repose::pile
