#include <algorithm>
#include <cmath>

#include "repose/base/check.h"

#include "interior_point.h"

namespace repose::solve {
namespace {

/// A row joins before it is violated, so that it can hold the iterate back: once less than this
/// share of its slack at x = 0 is left, and less than this.
constexpr double kSoonShare = 0.8;
constexpr double kSoonSlack = 0.6;
/// ... with at least this share of the root of the mean product as its slack.
constexpr double kLeastStart = 0.1;

}  // namespace

double largest(const std::vector<double>& v) {
  double out = 0.0;
  for (const double e : v) out = std::max(out, std::fabs(e));
  return out;
}

void InteriorPoint::load_blocks(const LinearProgram& lp) {
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
}

void InteriorPoint::load(const LinearProgram& lp, const LpStart& start) {
  load_blocks(lp);
  program_ = &lp;
  cost_ = lp.cost;
  cost_size_ = largest(cost_);
  proximal_ = lp.proximal;
  rows_.clear();
  placed_rows_ = 0;
  analyzed_ = false;
  row_scale_.clear();
  entry_start_.assign(1, 0);
  column_.clear();
  value_.clear();
  bound_.clear();
  in_use_.assign(static_cast<std::size_t>(lp.rows()), 0);
  outside_.clear();
  for (const int k : start.rows) take_row(k);
  for (int k = 0; k < lp.rows(); ++k) {
    if (start.rows.empty()) take_row(k);
    if (!in_use_[k]) outside_.push_back(outside(k));
  }
  x_.assign(static_cast<std::size_t>(lp.variables()), 0.0);
  s_.clear();
  y_.clear();
  iterations_ = 0;
  near_.clear();
  if (start.guess.size() == x_.size()) find_near(start.guess);
  for (const Near& near : near_) take_row(near.row);
}

void InteriorPoint::take_row(int row) {
  if (in_use_[row]) return;
  const LinearProgram& lp = *program_;
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
}

/// Rows of more than two blocks count as if each block moved as far as the farthest.
InteriorPoint::Outside InteriorPoint::outside(int row) const {
  const LinearProgram& lp = *program_;
  Outside out{.row = row, .gap = -lp.bound[row]};
  int blocks = 0;
  double sum = 0.0;
  for (int e = lp.row_start[row], end = lp.row_start[row + 1]; e < end;) {
    const int block = block_of_[lp.column[e]];
    double square = 0.0;
    for (; e < end && block_of_[lp.column[e]] == block; ++e) square += lp.value[e] * lp.value[e];
    const double size = std::sqrt(square);
    sum += size;
    (blocks == 0 ? out.a : out.b) = block;
    (blocks == 0 ? out.size_a : out.size_b) = size;
    ++blocks;
  }
  if (blocks > 2) out = {.row = row, .a = -1, .b = -1, .gap = out.gap, .size_a = sum, .size_b = 0};
  return out;
}

/// Finds the rows outside that x violates or comes near.
void InteriorPoint::find_near(std::span<const double> x) {
  block_way_.assign(block_start_.size() - 1, 0.0);
  for (std::size_t i = 0; i < x.size(); ++i) block_way_[block_of_[i]] += x[i] * x[i];
  double farthest = 0.0;
  for (double& way : block_way_) farthest = std::max(farthest, way = std::sqrt(way));
  near_.clear();
  for (const Outside& o : outside_) {
    const double least = std::max(0.0, std::min(kSoonSlack, kSoonShare * o.gap));
    const double way =
        o.a < 0 ? o.size_a * farthest : o.size_a * block_way_[o.a] + o.size_b * block_way_[o.b];
    if (o.gap - way >= least || in_use_[o.row]) continue;
    const double slack = program_->row_times(o.row, x) - program_->bound[o.row];
    if (slack < least) near_.push_back({o.row, slack});
  }
}

/// Rows found near the iterate join the program in use if they have less slack than this.
bool InteriorPoint::take_near(double slack) {
  const std::size_t before = rows_.size();
  for (const Near& near : near_) {
    if (near.slack >= slack || in_use_[near.row]) continue;
    take_row(near.row);
    const double center = std::sqrt(mu_);
    s_.push_back(near.slack > 0.0 ? std::max(kLeastStart * center, near.slack * row_scale_.back())
                                  : std::max(center, -near.slack));
    y_.push_back(mu_ / s_.back());
  }
  return rows_.size() > before;
}

}  // namespace repose::solve
