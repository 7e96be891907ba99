#pragma once

#include <functional>
#include <vector>

namespace repose::solve {

// Dense kernels of the factorisation. Column-major; every sum runs in one fixed order with fused
// products, so that the bits do not depend on compiler, optimisation or threads.

/// Rows of a factored panel in strips of four: strip s holds the rows from 4 s on, column after
/// column. The form in which the tile kernel reads them.
class Strips {
 public:
  /// Room for `rows` x `depth` numbers; the last strip may hold rows beyond, which are zero.
  void resize(int rows, int depth);
  double* strip(int index) {
    return data_.data() + 4 * static_cast<std::size_t>(depth_) * static_cast<std::size_t>(index);
  }
  const double* strip(int index) const {
    return data_.data() + 4 * static_cast<std::size_t>(depth_) * static_cast<std::size_t>(index);
  }
  int count() const { return (rows_ + 3) / 4; }
  int rows() const { return rows_; }
  int depth() const { return depth_; }

 private:
  std::vector<double> data_;
  int rows_ = 0, depth_ = 0;
};

/// Calls body(piece) for the pieces [0, count), in any order or at once; `work` is how many
/// multiply-adds they are in all.
using Pieces = std::function<void(int count, double work, const std::function<void(int)>& body)>;

/// Factors the k pivot columns of an m x k panel in place (lower triangle; above it is scratch) and
/// leaves a copy in `strips`. A pivot at most smallest[j] is taken as infinite: that variable then
/// stays at zero in every solve. Answers how many were. Not finite input is answered by a negative
/// number.
int factor_panel(double* panel, int m, int k, const double* smallest, Strips& strips,
                 const Pieces& pieces);

/// C := -B B' on and below the diagonal, where B are the rows of `strips` from `first_row` on.
/// Only the columns of C that belong to the strips [first_strip, last_strip) are written; above the
/// diagonal C may change within their 4 x 4 tiles.
void minus_square(const Strips& strips, int first_row, double* c, int leading, int first_strip,
                  int last_strip);

/// With the factored m x k panel (L above M): x = (u, v) becomes (w, v - M w), w = L^-1 u.
void solve_panel_lower(const double* panel, int m, int k, double* x);
/// ... and x = (u, v) becomes (L^-T (u - M' v), v).
void solve_panel_upper(const double* panel, int m, int k, double* x);

}  // namespace repose::solve
