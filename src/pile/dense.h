#pragma once

#include <vector>

namespace repose::pile {

// Dense kernels of the factorisation. Column-major; every sum runs in one fixed order with fused
// products, so that the bits do not depend on compiler, optimisation or threads.

/// Rows of a matrix in strips of four, the form in which subtract_square reads them.
class Strips {
 public:
  /// Packs `rows` x `depth` numbers; the last strip is filled up with zeros.
  void pack(const double* a, int leading, int rows, int depth);
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

/// C -= A A' for the columns [first, last) of C, on and below the diagonal; above it C may change
/// within the 4 x 4 tiles of the diagonal. `first` is a multiple of 4.
void subtract_square(const Strips& a, double* c, int leading, int first, int last);

/// Factors the k pivot columns of an m x k panel in place (lower triangle; above it is scratch).
/// A pivot at most smallest[j] is taken as infinite: that variable then stays at zero in every
/// solve. Answers how many were. Not finite input is answered by a negative number.
int factor_panel(double* panel, int m, int k, const double* smallest);

}  // namespace repose::pile
