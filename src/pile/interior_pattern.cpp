#include <algorithm>

#include "repose/base/stage_clock.h"

#include "interior_point.h"

namespace repose::pile {
namespace {

/// The order of elimination foresees rows that join later: those whose slack at x = 0 is at most
/// this many times the largest of the rows named at the start.
constexpr double kForeseen = 1.5;

using Pairs = std::vector<std::pair<int, int>>;

void add_pair(Pairs& pairs, int a, int b) {
  if (a != b && (pairs.empty() || pairs.back() != std::pair(a, b))) pairs.emplace_back(a, b);
}

}  // namespace

/// Which blocks appear together in a row in use or in K.
BlockGraph InteriorPoint::graph_of_use() const {
  Pairs pairs;
  for (std::size_t k = 0; k < rows_.size(); ++k)
    for (int e = entry_start_[k]; e < entry_start_[k + 1]; ++e)
      for (int f = entry_start_[k]; f < e; ++f)
        add_pair(pairs, block_of_[column_[e]], block_of_[column_[f]]);
  for (const QuadraticEntry& q : program_->quadratic)
    add_pair(pairs, block_of_[q.row], block_of_[q.column]);
  return graph_from_pairs(static_cast<int>(block_start_.size()) - 1, pairs);
}

/// The same with rows that may join later.
BlockGraph InteriorPoint::graph_of_order() const {
  Pairs pairs;
  const BlockGraph used = graph_of_use();
  for (int a = 0; a < used.blocks(); ++a)
    for (const int b : used.neighbors(a))
      if (b < a) pairs.emplace_back(a, b);
  for (const Outside& o : outside_)
    if (o.size_b > 0.0 && o.gap <= kForeseen * first_gap_) add_pair(pairs, o.b, o.a);
  return graph_from_pairs(used.blocks(), pairs);
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
  if (placed_rows_ == rows_.size()) return;
  const StageScope timed("lp_analyze");
  const bool moved =
      cholesky_.analyze(graph_of_use(), block_start_, [this] { return graph_of_order(); });
  if (moved || placed_rows_ == 0) {
    places_.clear();
    placed_rows_ = 0;
    quadratic_places_.clear();
    for (const QuadraticEntry& q : program_->quadratic)
      quadratic_places_.push_back(cholesky_.place(q.row, q.column));
  }
  placed_a_ = placed_b_ = -1;
  for (; placed_rows_ < rows_.size(); ++placed_rows_) place_row(placed_rows_);
}

}  // namespace repose::pile
