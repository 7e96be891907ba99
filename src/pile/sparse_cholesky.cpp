#include "sparse_cholesky.h"

#include <algorithm>
#include <cmath>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
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
/// The same of a subtree in the solve with a factor at hand, and numbers of an update that are
/// worth adding in tasks of their own.
constexpr double kSolveTaskWork = 2e6, kGatherWork = 3e4;
/// Smaller factorisations are not worth waking a second thread.
constexpr double kSharedWork = 2e6;
constexpr int kUpdateStrips = 12;  // strips of four columns of an update done as one task
/// Updates are kept allocated between factorisations while they need no more numbers than this.
constexpr double kKeptUpdates = 4e7;

/// Copies rows of a column where the child's blocks lie side by side in the front as well.
void add_column(const double* from, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

bool SparseCholesky::analyze(const BlockGraph& graph, std::span<const int> block_start,
                             const std::function<BlockGraph()>& order_graph) {
  const bool same_blocks =
      std::equal(block_start.begin(), block_start.end(), block_start_.begin(), block_start_.end());
  if (same_blocks && graph == graph_) return false;
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
    order_ = fill_reducing_order(order_graph ? order_graph() : graph_, block_size_);
    updates_.clear();  // other fronts need other room
    tree_ = build_fronts(graph_, block_size_, order_);
    order_work_ = tree_.work;
  }
  values_.resize(static_cast<std::size_t>(tree_.values));
  double numbers = 0.0;
  for (const Front& f : tree_.fronts)
    numbers += static_cast<double>(f.size - f.pivot_size) * (f.size - f.pivot_size);
  keep_updates_ = numbers <= kKeptUpdates;
  if (!keep_updates_) updates_.clear();
  updates_.resize(tree_.fronts.size());
  front_left_out_.assign(tree_.fronts.size(), 0);
  return true;
}

bool SparseCholesky::has_place(int row_block, int column_block) const {
  if (tree_.rank[row_block] < tree_.rank[column_block]) std::swap(row_block, column_block);
  const int index = tree_.block_front[column_block];
  if (tree_.block_front[row_block] == index) return true;
  const std::vector<int>& rows = tree_.fronts[index].rows;
  return std::binary_search(rows.begin(), rows.end(), row_block,
                            [this](int a, int b) { return tree_.rank[a] < tree_.rank[b]; });
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

SparseCholesky::BlockPlace SparseCholesky::block_place(int row_block, int column_block) const {
  const bool below = tree_.rank[row_block] >= tree_.rank[column_block];
  const std::int64_t size = tree_.fronts[tree_.block_front[below ? column_block : row_block]].size;
  return {place(block_start_[row_block], block_start_[column_block]), below ? 1 : size,
          below ? size : 1};
}

void SparseCholesky::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

/// Adds a child's update into the pivot columns of its parent's panel, or into the columns of the
/// parent's own update. `to` is the place of row 0 and column 0 of the front in that matrix.
void SparseCholesky::gather(const Front& child, std::span<const double> update, const Front& front,
                            Columns columns, double* to) {
  const std::ptrdiff_t child_rest = child.size - child.pivot_size;
  const std::ptrdiff_t leading =
      columns == Columns::pivots ? front.size : front.size - front.pivot_size;
  const auto add_block = [&](std::size_t c) {
    const int column = child.child_place[c], from_column = child.row_place[c] - child.pivot_size;
    if ((column < front.pivot_size) != (columns == Columns::pivots)) return;
    for (int j = 0; j < block_size_[child.rows[c]]; ++j) {
      const double* from = update.data() + (from_column + j) * child_rest;
      double* into = to + (column + j) * leading;
      // the run of the diagonal block from there on, then every later run
      std::size_t r = child.row_run[c];
      int skip = from_column - child.runs[r].from;
      for (; r < child.runs.size(); ++r, skip = 0) {
        const Front::Run& run = child.runs[r];
        add_column(from + run.from + skip, run.length - skip, into + run.to + skip);
      }
    }
  };
  // every column of the child goes to a column of its own
  if (shared() && 0.5 * child_rest * child_rest > kGatherWork)
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(std::size_t{0}, child.rows.size(), add_block); });
  else
    for (std::size_t c = 0; c < child.rows.size(); ++c) add_block(c);
}

void SparseCholesky::factor_front(int index) {
  thread_local std::vector<double> smallest;
  thread_local Strips strips_of_thread;
  Strips& strips = strips_of_thread;  // the tasks below must see this thread's
  const Front& front = tree_.fronts[index];
  double* panel = values_.data() + front.panel;
  const int m = front.size, k = front.pivot_size, rest = m - k;
  smallest.resize(static_cast<std::size_t>(k));
  for (int j = 0; j < k; ++j)
    smallest[j] = kPivotFraction * std::fabs(panel[j + static_cast<std::int64_t>(j) * m]);
  for (const int c : front.children)
    gather(tree_.fronts[c], updates_[c], front, Columns::pivots, panel);
  front_left_out_[index] = factor_panel(panel, m, k, smallest.data(), strips);
  std::vector<double>& update = updates_[index];
  update.resize(static_cast<std::size_t>(rest) * rest);
  const int first = k / 4, count = strips.count();
  const int pieces = (count - first + kUpdateStrips - 1) / kUpdateStrips;
  const auto piece = [&](int p) {
    minus_square(strips, k, update.data(), rest, first + p * kUpdateStrips,
                 std::min(count, first + (p + 1) * kUpdateStrips));
  };
  if (shared() && 0.5 * k * rest * rest > kTaskWork) {
    // isolated: a thread that waits here must not begin another front with the same strips
    tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, pieces, piece); });
  } else {
    for (int p = 0; p < pieces; ++p) piece(p);
  }
  double* into = update.data() - k - static_cast<std::ptrdiff_t>(k) * rest;
  for (const int c : front.children) {
    gather(tree_.fronts[c], updates_[c], front, Columns::rest, into);
    if (!keep_updates_) updates_[c] = {};
  }
}

bool SparseCholesky::shared() const {
  return tree_.work > kSharedWork;
}

/// Large subtrees as tasks, the small ones meanwhile.
template <class Visit>
void SparseCholesky::in_tasks(std::span<const int> children, double large, Visit visit) const {
  const auto is_task = [&](int c) { return shared() && tree_.fronts[c].subtree_work > large; };
  tbb::task_group tasks;
  for (const int c : children)
    if (is_task(c)) tasks.run([visit, c] { visit(c); });
  for (const int c : children)
    if (!is_task(c)) visit(c);
  tasks.wait();
}

void SparseCholesky::factor_subtree(int index) {
  in_tasks(tree_.fronts[index].children, kTaskWork, [this](int c) { factor_subtree(c); });
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

template <class Visit>
void SparseCholesky::each_block(const Front& front, Visit visit) const {
  for (const int block : front.pivots) visit(block, tree_.block_place[block]);
  for (std::size_t i = 0; i < front.rows.size(); ++i) visit(front.rows[i], front.row_place[i]);
}

void SparseCholesky::solve(std::span<double> b) const {
  thread_local std::vector<double> local;
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
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f)
    if (tree_.fronts[f].parent < 0) solve_backward(static_cast<int>(f), b);
}

/// The pivots of a front from those of its ancestors, then those of its children: subtrees do not
/// know of each other.
void SparseCholesky::solve_backward(int index, std::span<double> b) const {
  thread_local std::vector<double> local;
  const Front& front = tree_.fronts[index];
  local.resize(static_cast<std::size_t>(front.size));
  each_block(front, [&](int block, int at) {
    for (int i = 0; i < block_size_[block]; ++i) local[at + i] = b[block_start_[block] + i];
  });
  for (int j = front.pivot_size - 1; j >= 0; --j) {
    const double* column = values_.data() + front.panel + static_cast<std::int64_t>(j) * front.size;
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    int i = j + 1;
    for (; i + 4 <= front.size; i += 4)
      for (int lane = 0; lane < 4; ++lane) sum[lane] += column[i + lane] * local[i + lane];
    for (; i < front.size; ++i) sum[0] += column[i] * local[i];
    local[j] = (local[j] - ((sum[0] + sum[1]) + (sum[2] + sum[3]))) / column[j];
  }
  for (const int block : front.pivots)
    for (int i = 0; i < block_size_[block]; ++i)
      b[block_start_[block] + i] = local[tree_.block_place[block] + i];
  in_tasks(front.children, kSolveTaskWork, [this, b](int c) { solve_backward(c, b); });
}

}  // namespace repose::pile
