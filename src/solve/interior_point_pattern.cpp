#include <algorithm>

#include "repose/base/stage_clock.h"

#include "interior_point.h"

namespace repose::solve {
namespace {

using Pairs = std::vector<std::pair<int, int>>;

/// The pairs of a graph, each once.
Pairs pairs_of(const BlockGraph& graph) {
  Pairs out;
  for (int a = 0; a < graph.blocks(); ++a)
    for (const int b : graph.neighbors(a))
      if (b < a) out.emplace_back(a, b);
  return out;
}

}  // namespace

/// Calls visit(a, b) for any two blocks that a row in use holds. Each lies in it in one piece.
template <class Visit>
void InteriorPoint::each_block_pair(std::size_t row, Visit visit) const {
  const int first = entry_start_[row], end = entry_start_[row + 1];
  for (int e = first + 1; e < end; ++e) {
    const int a = block_of_[column_[e]];
    if (a == block_of_[column_[e - 1]]) continue;
    for (int f = first; f < e; ++f)
      if (f == first || block_of_[column_[f]] != block_of_[column_[f - 1]])
        visit(a, block_of_[column_[f]]);
  }
}

/// Which blocks appear together in a row in use or in K.
BlockGraph InteriorPoint::graph_of_use() const {
  Pairs pairs;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    each_block_pair(k, [&](int a, int b) { pairs.emplace_back(a, b); });
  for (const QuadraticEntry& q : program_->quadratic)
    pairs.emplace_back(block_of_[q.row], block_of_[q.column]);
  return graph_from_pairs(static_cast<int>(block_start_.size()) - 1, pairs);
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
  if (analyzed_ && placed_rows_ == rows_.size()) return;
  const StageScope timed("lp_analyze");
  if (!analyzed_) {
    cholesky_.analyze(graph_of_use(), block_start_);
    places_.clear();
    quadratic_places_.clear();
    for (const QuadraticEntry& q : program_->quadratic)
      quadratic_places_.push_back(cholesky_.place(q.row, q.column));
  } else {
    Pairs pairs;
    for (std::size_t k = placed_rows_; k < rows_.size(); ++k)
      each_block_pair(k, [&](int a, int b) {
        const auto near = cholesky_.graph().neighbors(a);
        if (!std::binary_search(near.begin(), near.end(), b)) pairs.emplace_back(a, b);
      });
    if (!pairs.empty()) {
      const Pairs known = pairs_of(cholesky_.graph());
      pairs.insert(pairs.end(), known.begin(), known.end());
      cholesky_.analyze(graph_from_pairs(cholesky_.graph().blocks(), pairs), block_start_);
    }
  }
  analyzed_ = true;
  placed_a_ = placed_b_ = -1;
  for (; placed_rows_ < rows_.size(); ++placed_rows_) place_row(placed_rows_);
}

}  // namespace repose::solve
