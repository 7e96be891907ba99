#include "repose/solve/sparse_cholesky.h"

#include <algorithm>
#include <cmath>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include "repose/base/check.h"

#include "panel.h"

namespace repose::solve {
namespace {

/// A pivot below this fraction of the diagonal entry it came from is rounding, not curvature.
constexpr double kPivotFraction = 1e-15;
/// Multiply-adds that are worth a task of their own.
constexpr double kTaskWork = 3e5;
/// The same of a subtree in the solve with a factor at hand, and numbers of an update that are
/// worth adding in tasks of their own.
constexpr double kSolveTaskWork = 2e6, kGatherWork = 3e4;
/// Smaller factorisations are not worth waking a second thread.
constexpr double kSharedWork = 2e6;
constexpr int kUpdateStrips = 12;  // strips of four columns of an update done as one task

/// Copies rows of a column where the child's blocks lie side by side in the front as well.
void add_column(const double* from, int count, double* to) {
  for (int i = 0; i < count; ++i) to[i] += from[i];
}

}  // namespace

void SparseCholesky::clear() {
  std::fill(values_.begin(), values_.end(), 0.0);
}

double* SparseCholesky::update_of(int front) {
  return keep_updates_ ? all_updates_.data() + tree_.fronts[front].update : updates_[front].data();
}

/// Adds a child's update into the pivot columns of its parent's panel, or into the columns of the
/// parent's own update. `to` is the place of row 0 and column 0 of the front in that matrix.
void SparseCholesky::gather(int index, const Front& front, Columns columns, double* to) {
  const Front& child = tree_.fronts[index];
  const double* update = update_of(index);
  const std::ptrdiff_t child_others = child.size - child.pivot_size;
  const bool others = columns == Columns::others;
  const std::ptrdiff_t leading = others ? front.size - front.pivot_size : front.size;
  const std::ptrdiff_t first = others ? front.pivot_size : 0;  // row and column at `to`
  const auto add_block = [&](std::size_t c) {
    const int column = child.child_place[c], from_column = child.row_place[c] - child.pivot_size;
    if ((column < front.pivot_size) == others) return;
    for (int j = 0; j < block_size_[child.rows[c]]; ++j) {
      const double* from = update + (from_column + j) * child_others;
      double* into = to + (column - first + j) * leading;
      // the run of the diagonal block from the diagonal on, then every later run
      std::size_t r = child.row_run[c];
      int skip = from_column + j - child.runs[r].from;
      for (; r < child.runs.size(); ++r, skip = 0) {
        const Front::Run& run = child.runs[r];
        add_column(from + run.from + skip, run.length - skip, into + (run.to - first + skip));
      }
    }
  };
  // every column of the child goes to a column of its own
  if (shared() && 0.5 * child_others * child_others > kGatherWork)
    tbb::this_task_arena::isolate(
        [&] { tbb::parallel_for(std::size_t{0}, child.rows.size(), add_block); });
  else
    for (std::size_t c = 0; c < child.rows.size(); ++c) add_block(c);
}

/// The front's part of the matrix, nothing elsewhere.
void SparseCholesky::enter(int index, double* panel) const {
  const Front& front = tree_.fronts[index];
  const std::int64_t size = front.size;
  std::fill(panel, panel + size * front.pivot_size, 0.0);
  for (int e = entry_start_[index]; e < entry_start_[index + 1]; ++e) {
    const Entry& entry = entries_[e];
    for (int j = 0; j < entry.columns; ++j) {
      const double* from = values_.data() + entry.from + j * entry.column_step;
      double* to = panel + entry.row + (entry.column + j) * size;
      for (int i = 0; i < entry.rows; ++i) to[i] = from[i * entry.row_step];
    }
  }
}

void SparseCholesky::factor_front(int index) {
  thread_local std::vector<double> smallest;
  thread_local Strips strips_of_thread;
  Strips& strips = strips_of_thread;  // the tasks below must see this thread's
  const Front& front = tree_.fronts[index];
  double* panel = panels_.data() + front.panel;
  const int m = front.size, k = front.pivot_size, others = m - k;
  enter(index, panel);
  smallest.resize(static_cast<std::size_t>(k));
  for (int j = 0; j < k; ++j)
    smallest[j] = kPivotFraction * std::fabs(panel[j + static_cast<std::int64_t>(j) * m]);
  for (const int c : front.children) gather(c, front, Columns::pivots, panel);
  const auto pieces = [this](int count, double work, const std::function<void(int)>& body) {
    // isolated: a thread that waits here must not begin another front with the same strips
    if (shared() && work > kTaskWork)
      tbb::this_task_arena::isolate([&] { tbb::parallel_for(0, count, body); });
    else
      for (int p = 0; p < count; ++p) body(p);
  };
  front_left_out_[index] = factor_panel(panel, m, k, smallest.data(), strips, pieces);
  if (!keep_updates_) updates_[index].resize(static_cast<std::size_t>(others) * others);
  double* update = update_of(index);
  const int first = k / 4, count = strips.count();
  pieces((count - first + kUpdateStrips - 1) / kUpdateStrips, 0.5 * k * others * others,
         [&](int p) {
           minus_square(strips, k, update, others, first + p * kUpdateStrips,
                        std::min(count, first + (p + 1) * kUpdateStrips));
         });
  for (const int c : front.children) {
    gather(c, front, Columns::others, update);
    if (!keep_updates_) updates_[c].release();
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

void SparseCholesky::solve(std::span<double> b) const {
  thread_local std::vector<double> carried;
  carried.resize(static_cast<std::size_t>(tree_.carried));
  const std::span<double> of_rows = carried;
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f)
    if (tree_.fronts[f].parent < 0) solve_forward(static_cast<int>(f), b, of_rows);
  for (std::size_t f = 0; f < tree_.fronts.size(); ++f)
    if (tree_.fronts[f].parent < 0) solve_backward(static_cast<int>(f), b);
}

/// The children's pivots, then those of the front; what both take off later rows is carried on to
/// the parent.
void SparseCholesky::solve_forward(int index, std::span<double> b,
                                   std::span<double> carried) const {
  const Front& front = tree_.fronts[index];
  in_tasks(front.children, kSolveTaskWork,
           [this, b, carried](int c) { solve_forward(c, b, carried); });
  thread_local std::vector<double> local;
  local.assign(static_cast<std::size_t>(front.size), 0.0);
  for (const int block : front.pivots)
    std::copy_n(b.data() + block_start_[block], block_size_[block],
                local.data() + tree_.block_place[block]);
  for (const int c : front.children) {
    const Front& child = tree_.fronts[c];
    for (const Front::Run& run : child.runs)
      add_column(carried.data() + child.carried + run.from, run.length, local.data() + run.to);
  }
  solve_panel_lower(panels_.data() + front.panel, front.size, front.pivot_size, local.data());
  for (const int block : front.pivots)
    std::copy_n(local.data() + tree_.block_place[block], block_size_[block],
                b.data() + block_start_[block]);
  std::copy(local.begin() + front.pivot_size, local.end(), carried.begin() + front.carried);
}

/// The pivots of a front from those of its ancestors, then those of its children: subtrees do not
/// know of each other.
void SparseCholesky::solve_backward(int index, std::span<double> b) const {
  thread_local std::vector<double> local;
  const Front& front = tree_.fronts[index];
  local.resize(static_cast<std::size_t>(front.size));
  const auto take = [&](int block, int at) {
    std::copy_n(b.data() + block_start_[block], block_size_[block], local.data() + at);
  };
  for (const int block : front.pivots) take(block, tree_.block_place[block]);
  for (std::size_t i = 0; i < front.rows.size(); ++i) take(front.rows[i], front.row_place[i]);
  solve_panel_upper(panels_.data() + front.panel, front.size, front.pivot_size, local.data());
  for (const int block : front.pivots)
    std::copy_n(local.data() + tree_.block_place[block], block_size_[block],
                b.data() + block_start_[block]);
  in_tasks(front.children, kSolveTaskWork, [this, b](int c) { solve_backward(c, b); });
}

}  // namespace repose::solve
