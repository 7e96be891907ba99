#pragma once

#include <span>
#include <utility>
#include <vector>

namespace repose::solve {

/// A square matrix of 3x3 blocks with symmetric pattern, one block row per body, and its
/// factorisation L D U without pivoting between blocks, in an order of least degree. The diagonal
/// must carry enough of its own (the solver adds redundancy * I).
class SparseBlocks {
 public:
  /// A block is three rows of three values, each row padded to four for the sake of vector units.
  static constexpr int kRowSize = 4, kBlockSize = 12;

  /// Prepares for matrices on these pairs of bodies. Kept as it is if the pairs lie within the
  /// pattern prepared before for the same number of bodies.
  void analyze(int bodies, std::span<const std::pair<int, int>> pairs);

  /// Zero, with `diagonal` on the diagonal.
  void clear(double diagonal);
  /// Row by row, kRowSize apart.
  double* diagonal_block(int body) {
    return &diagonal_[static_cast<std::size_t>(kBlockSize) * place_[body]];
  }
  /// Place of the pair's blocks for add_pair; the pair must have been given to analyze.
  int pair_place(int body_a, int body_b) const;
  /// The blocks (a, b) and (b, a) += the outer products given; of a symmetric matrix only one is
  /// stored.
  void add_pair(int pair_place, bool a_before_b, const double* left_a, const double* right_b,
                const double* left_b, const double* right_a);
  bool eliminated_before(int body_a, int body_b) const { return place_[body_a] < place_[body_b]; }

  /// False if a pivot block is singular or not finite.
  bool factor(bool symmetric);
  /// x := matrix^-1 x, 3 values per body.
  void solve(std::span<double> x);

 private:
  void order_by_degree(int bodies, std::vector<std::vector<int>>& neighbors);
  void list_updates();
  template <bool symmetric>
  bool eliminate();
  bool covers(int bodies, std::span<const std::pair<int, int>> pairs) const;

  int bodies_ = 0;
  bool symmetric_ = false;
  std::vector<int> place_, body_at_;        // order of elimination and its inverse
  std::vector<int> column_start_, row_of_;  // below the diagonal: column k's rows, ascending
  std::vector<int> update_;                 // where each product of a column's blocks goes
  std::vector<double> diagonal_, inverse_;  // a block for each body
  std::vector<double> lower_, upper_;       // (row, k) and (k, row)
  std::vector<double> work_;
};

}  // namespace repose::solve
