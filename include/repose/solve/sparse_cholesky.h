#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "repose/solve/block_graph.h"
#include "repose/solve/number_buffer.h"

namespace repose::solve {

/// A front of the elimination: the pivot columns of some blocks and all rows they reach. Its lists
/// lie in the pool of its tree.
struct Front {
  std::span<int> pivots;       // blocks, in order of elimination
  std::span<int> rows;         // later blocks reached, in order of elimination
  std::span<int> row_place;    // scalar place of each of `rows` in this front
  std::span<int> children;     // fronts whose updates it takes in, in fixed order
  std::span<int> child_place;  // for the rows of this front: first scalar row in the parent's front
  /// Rows that lie side by side in this front's update and in the parent's front.
  struct Run {
    int from, to, length;  // scalar rows: in the update, in the parent's front
  };
  std::span<Run> runs;
  std::span<int> row_run;  // for each of `rows`: its run
  int parent = -1;
  int pivot_size = 0;        // scalar columns
  int size = 0;              // scalar rows, pivots included
  std::int64_t panel = 0;    // where its size x pivot_size panel begins
  std::int64_t carried = 0;  // where its rows begin among those of all fronts
  std::int64_t update = 0;   // where the square of its rows begins among those of all fronts
  double subtree_work = 0.0;
};

/// Which fronts there are, from graph and order alone: kept while the pattern holds.
struct FrontTree {
  FrontTree() = default;
  FrontTree(FrontTree&&) = default;
  FrontTree& operator=(FrontTree&&) = default;

  std::vector<Front> fronts;     // children before parents
  std::vector<int> block_front;  // front in which a block is pivot
  std::vector<int> block_place;  // scalar place of the block among its front's pivots
  std::vector<int> rank;         // place of a block in the order of elimination
  std::vector<int> pool;         // the fronts' lists
  std::vector<Front::Run> run_pool;
  std::int64_t values = 0;   // numbers in all panels
  std::int64_t carried = 0;  // scalar rows of all fronts beside their pivots
  std::int64_t updates = 0;  // numbers in the squares of those
  double work = 0.0;         // multiply-adds of one factorisation, about
};
FrontTree build_fronts(const BlockGraph& graph, std::span<const int> block_size,
                       std::span<const int> order);

/// An order of elimination and what it was made for: all that the numbers of a later factorisation
/// take from earlier ones. Immutable, so that keeping it with a state is copying a pointer.
struct Elimination {
  std::vector<int> block_start;
  BlockGraph graph;  // of the fronts
  std::vector<int> order;
  double order_work = 0.0;  // of the order when it was made, multiply-adds
};
using EliminationPtr = std::shared_ptr<const Elimination>;

/// Multifrontal Cholesky factorisation of a symmetric positive definite matrix of small blocks.
class SparseCholesky {
 public:
  /// What the next factorisations owe to the ones before; null: nothing.
  const EliminationPtr& elimination() const { return elimination_; }
  /// Goes on as if `kept` were the last elimination, to the last bit, whatever came between.
  void resume(const EliminationPtr& kept);

  /// Prepares for matrices of this pattern. The order of an earlier pattern on the same blocks is
  /// mended and kept as long as it causes little more work than it did when it was made. False if
  /// all places are as they were, since the pattern only grew or is the same.
  bool analyze(const BlockGraph& graph, std::span<const int> block_start);
  const BlockGraph& graph() const { return graph_; }

  /// Where entry (row, column) of the matrix lives in values(); its mirror has the same place.
  /// Both variables lie in one block or in neighbouring ones.
  std::int64_t place(int row, int column) const;
  /// The same for all entries of a block: that of its i-th row and j-th column lives at
  /// start + i * row_step + j * column_step; where row and column block are one, for i >= j.
  struct BlockPlace {
    std::int64_t start = 0, row_step = 0, column_step = 0;
    std::int64_t at(int i, int j) const { return start + i * row_step + j * column_step; }
  };
  BlockPlace block_place(int row_block, int column_block) const;
  /// The matrix. Begin with clear().
  std::span<double> values() { return values_; }
  void clear();

  /// False if the matrix holds a number that is not finite. Directions without curvature are left
  /// out (see factor_panel).
  bool factor();
  int left_out() const { return left_out_; }
  /// The numbers of the factor, front by front.
  std::span<const double> panels() const { return panels_.numbers(); }
  /// b := (L L')^-1 b
  void solve(std::span<double> b) const;
  double work() const { return tree_.work; }

 private:
  enum class Columns { pivots, others };
  /// A block of the matrix on its way into a front's panel.
  struct Entry {
    std::int64_t from = 0;              // in values()
    int row = 0, column = 0;            // of its first number in the front
    int rows = 0, columns = 0;          // as it lies in the front
    int row_step = 0, column_step = 0;  // in values()
  };

  // the pattern: sparse_cholesky_pattern.cpp
  void load_blocks(std::span<const int> block_start);
  bool keep_places(const BlockGraph& graph);
  void new_places(const BlockGraph& graph);
  bool has_room(std::pair<int, int> blocks) const;
  std::vector<int> mended_order() const;
  void find_fronts();
  void find_entries();

  void factor_subtree(int front);
  bool shared() const;
  template <class Visit>
  void in_tasks(std::span<const int> children, double large, Visit visit) const;
  void solve_forward(int front, std::span<double> b, std::span<double> carried) const;
  void solve_backward(int front, std::span<double> b) const;
  void enter(int front, double* panel) const;
  void factor_front(int front);
  double* update_of(int front);
  void gather(int child, const Front& front, Columns columns, double* to);

  BlockGraph graph_;
  std::vector<int> block_start_, block_size_, variable_block_;
  std::vector<std::int64_t> diagonal_;          // place of each block's own square
  std::vector<std::int64_t> beside_;            // ... and of that with each neighbour, as in graph_
  std::vector<std::pair<int, int>> new_pairs_;  // of the last change of the pattern
  std::vector<double> values_;
  EliminationPtr elimination_;  // of tree_
  FrontTree tree_;
  bool places_hold_ = false;  // graph_ and the places are those of tree_ or grown from it
  std::vector<Entry> entries_;
  std::vector<int> entry_start_;  // by front
  NumberBuffer panels_;
  /// Schur complements on their way to the parent: side by side if there is room for all.
  NumberBuffer all_updates_;
  std::vector<NumberBuffer> updates_;  // by front, else
  bool keep_updates_ = true;
  std::vector<int> front_left_out_;  // by front; negative: not finite
  int left_out_ = 0;
};

}  // namespace repose::solve
