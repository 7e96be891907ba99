#include "sparse_cholesky.h"

#include <algorithm>
#include <cmath>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include "repose/base/check.h"

#include "dense.h"

namespace repose::pile {
namespace {

/// A pivot below this fraction of the diagonal entry it came from is rounding, not curvature.
constexpr double kPivotFraction = 1e-15;
/// A new order is sought when the kept one costs this much more than when it was made.
constexpr double kOrderGrowth = 1.25;
/// Multiply-adds that are worth a task of their own.
constexpr double kTaskWork = 3e5;
constexpr int kUpdateColumns = 48;  // columns of an update done as one task; a multiple of 4

/// Copies rows of a column where the child's blocks lie side by side in the front as well.
void add_column(const double* from, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

void SparseCholesky::analyze(const BlockGraph& graph, std::span<const int> block_start) {
  const bool same_blocks =
      std::equal(block_start.begin(), block_start.end(), block_start_.begin(), block_start_.end());
  if (same_blocks && graph == graph_) return;
  graph_ = graph;
  if (!same_blocks) {
    block_start_.assign(block_start.begin(), block_start.end());
    block_size_.clear();
    variable_block_.clear();
    for (std::size_t b = 0; b + 1 < block_start.size(); ++b) {
      block_size_.push_back(block_start[b + 1] - block_start[b]);
      variable_block_.insert(variable_block_.end(), block_size_.back(), static_cast<int>(b));
    }
    order_.clear();
  }
  if (!order_.empty()) tree_ = build_fronts(graph_, block_size_, order_);
  if (order_.empty() || tree_.work > kOrderGrowth * order_work_) {
    order_ = fill_reducing_order(graph_, block_size_);
    tree_ = build_fronts(graph_, block_size_, order_);
    order_work_ = tree_.work;
  }
  values_.resize(static_cast<std::size_t>(tree_.values));
  updates_.assign(tree_.fronts.size(), {});
  front_left_out_.assign(tree_.fronts.size(), 0);
}

std::int64_t SparseCholesky::place(int row, int column) const {
  int br = variable_block_[row], bc = variable_block_[column];
  if (tree_.rank[br] < tree_.rank[bc] || (br == bc && row < column)) {
    std::swap(br, bc);
    std::swap(row, column);
  }
  const Front& front = tree_.fronts[tree_.block_front[bc]];
  const int at_column = tree_.block_place[bc] + column - block_start_[bc];
  int at_row = row - block_start_[br];
  if (tree_.block_front[br] == tree_.block_front[bc]) {
    at_row += tree_.block_place[br];
  } else {
    const auto found =
        std::lower_bound(front.rows.begin(), front.rows.end(), tree_.rank[br],
                         [this](int block, int wanted) { return tree_.rank[block] < wanted; });
    REPOSE_DCHECK(found != front.rows.end() && *found == br);
    at_row += front.row_place[found - front.rows.begin()];
  }
  return front.panel + at_row + static_cast<std::int64_t>(at_column) * front.size;
}

void SparseCholesky::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

/// Adds the child's update, block column by block column, into panel and update of its parent.
void SparseCholesky::gather(int child_index, Front& front, std::vector<double>& update) {
  const Front& child = tree_.fronts[child_index];
  std::vector<double>& from = updates_[child_index];
  const int child_rest = child.size - child.pivot_size;
  const int rest = front.size - front.pivot_size;
  for (std::size_t c = 0; c < child.rows.size(); ++c) {
    const int width = block_size_[child.rows[c]];
    const int from_column = child.row_place[c] - child.pivot_size;
    for (int j = 0; j < width; ++j) {
      const int column = child.child_place[c] + j;
      // rows count from the top of the front in the panel, from below the pivots in the update
      double* to =
          column < front.pivot_size
              ? values_.data() + front.panel + static_cast<std::int64_t>(column) * front.size
              : update.data() - front.pivot_size +
                    static_cast<std::int64_t>(column - front.pivot_size) * rest;
      const double* source = from.data() + static_cast<std::int64_t>(from_column + j) * child_rest;
      std::size_t r = c;
      while (r < child.rows.size()) {
        // blocks that lie side by side in both fronts travel as one piece
        std::size_t end = r + 1;
        int length = block_size_[child.rows[r]];
        while (end < child.rows.size() && child.child_place[end] == child.child_place[r] + length) {
          length += block_size_[child.rows[end]];
          ++end;
        }
        add_column(source + child.row_place[r] - child.pivot_size, length,
                   to + child.child_place[r]);
        r = end;
      }
    }
  }
  from = {};
}

void SparseCholesky::factor_front(int index) {
  thread_local std::vector<double> smallest;
  Front& front = tree_.fronts[index];
  double* panel = values_.data() + front.panel;
  const int m = front.size, k = front.pivot_size, rest = m - k;
  smallest.resize(static_cast<std::size_t>(k));
  for (int j = 0; j < k; ++j)
    smallest[j] = kPivotFraction * std::fabs(panel[j + static_cast<std::int64_t>(j) * m]);
  std::vector<double> update(static_cast<std::size_t>(rest) * rest, 0.0);
  for (const int c : front.children) gather(c, front, update);
  front_left_out_[index] = factor_panel(panel, m, k, smallest.data());
  if (rest == 0 || front_left_out_[index] < 0) {
    updates_[index] = std::move(update);
    return;
  }
  Strips below;
  below.pack(panel + k, m, rest, k);
  const int pieces = (rest + kUpdateColumns - 1) / kUpdateColumns;
  const auto piece = [&](int p) {
    subtract_square(below, update.data(), rest, p * kUpdateColumns,
                    std::min(rest, (p + 1) * kUpdateColumns));
  };
  if (0.5 * k * rest * rest > kTaskWork) {
    tbb::parallel_for(0, pieces, piece);
  } else {
    for (int p = 0; p < pieces; ++p) piece(p);
  }
  updates_[index] = std::move(update);
}

void SparseCholesky::factor_subtree(int index) {
  tbb::task_group tasks;
  const Front& front = tree_.fronts[index];
  for (const int c : front.children)
    if (tree_.fronts[c].subtree_work > kTaskWork) tasks.run([this, c] { factor_subtree(c); });
  for (const int c : front.children)
    if (tree_.fronts[c].subtree_work <= kTaskWork) factor_subtree(c);
  tasks.wait();
  factor_front(index);
}

bool SparseCholesky::factor() {
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f)
    if (tree_.fronts[f].parent < 0) factor_subtree(static_cast<int>(f));
  left_out_ = 0;
  for (const int here : front_left_out_) {
    if (here < 0) return false;
    left_out_ += here;
  }
  return true;
}

void SparseCholesky::solve(std::span<double> b) const {
  thread_local std::vector<double> local;
  const auto each_block = [this](const Front& front, auto&& visit) {
    for (const int block : front.pivots) visit(block, tree_.block_place[block]);
    for (std::size_t i = 0; i < front.rows.size(); ++i) visit(front.rows[i], front.row_place[i]);
  };
  // forward: pivots solved, their effect on later rows subtracted
  for (const Front& front : tree_.fronts) {
    local.assign(static_cast<std::size_t>(front.size), 0.0);
    for (const int block : front.pivots)
      for (int i = 0; i < block_size_[block]; ++i)
        local[tree_.block_place[block] + i] = b[block_start_[block] + i];
    const double* column = values_.data() + front.panel;
    for (int j = 0; j < front.pivot_size; ++j, column += front.size) {
      const double x = local[j] /= column[j];
      for (int i = j + 1; i < front.size; ++i) local[i] -= column[i] * x;
    }
    each_block(front, [&](int block, int at) {
      const bool pivot = at < front.pivot_size;
      for (int i = 0; i < block_size_[block]; ++i) {
        double& to = b[block_start_[block] + i];
        to = pivot ? local[at + i] : to + local[at + i];
      }
    });
  }
  // backward
  for (auto front = tree_.fronts.rbegin(); front != tree_.fronts.rend(); ++front) {
    local.resize(static_cast<std::size_t>(front->size));
    each_block(*front, [&](int block, int at) {
      for (int i = 0; i < block_size_[block]; ++i) local[at + i] = b[block_start_[block] + i];
    });
    for (int j = front->pivot_size - 1; j >= 0; --j) {
      const double* column =
          values_.data() + front->panel + static_cast<std::int64_t>(j) * front->size;
      double sum[4] = {0.0, 0.0, 0.0, 0.0};
      int i = j + 1;
      for (; i + 4 <= front->size; i += 4)
        for (int lane = 0; lane < 4; ++lane) sum[lane] += column[i + lane] * local[i + lane];
      for (; i < front->size; ++i) sum[0] += column[i] * local[i];
      local[j] = (local[j] - ((sum[0] + sum[1]) + (sum[2] + sum[3]))) / column[j];
    }
    for (const int block : front->pivots)
      for (int i = 0; i < block_size_[block]; ++i)
        b[block_start_[block] + i] = local[tree_.block_place[block] + i];
  }
}

}  // namespace repose::pile
