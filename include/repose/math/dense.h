#pragma once

#include <Eigen/Core>

#include "repose/math/vec.h"

namespace repose {

using Vec12 = Eigen::Matrix<double, 12, 1>;
using Mat12 = Eigen::Matrix<double, 12, 12>;

// Solvers for matrices whose size is known at run time. They are compiled once, here, instead of in
// every file that asks.

/// a * b
Eigen::MatrixXd product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// a^T * b
Eigen::MatrixXd transposed_product(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);
/// factor * a * a^T
Eigen::MatrixXd square_of(double factor, const Eigen::MatrixXd& a);
/// v diag(d) v^T
Eigen::MatrixXd recomposed(const Eigen::MatrixXd& v, const Eigen::VectorXd& d);
Mat12 recomposed(const Mat12& v, const Vec12& d);
/// a m a^T
Eigen::MatrixXd lifted(const Eigen::MatrixXd& a, const Eigen::MatrixXd& m);
/// a^T m a
Eigen::MatrixXd reduced(const Eigen::MatrixXd& a, const Eigen::MatrixXd& m);

/// Eigenvalues of a symmetric matrix, ascending, and their unit eigenvectors as columns. Only the
/// lower triangle is read.
template <class Matrix>
struct SymmetricEigen {
  explicit SymmetricEigen(const Matrix& symmetric);
  Eigen::Matrix<double, Matrix::RowsAtCompileTime, 1> values;
  Matrix vectors;
};
extern template struct SymmetricEigen<Eigen::MatrixXd>;
extern template struct SymmetricEigen<Mat2>;
extern template struct SymmetricEigen<Mat3>;
extern template struct SymmetricEigen<Mat12>;

/// Left singular vectors (all of them, as columns) and singular values, falling.
struct LeftSingular {
  explicit LeftSingular(const Eigen::MatrixXd& a);
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};

/// The x of least length among those that make |a x - b| least; singular values below `rank` times
/// the largest count as zero.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, double rank);
Eigen::VectorXd least_squares(const Eigen::MatrixXd& a, const Vec6& b, double rank);
/// The same by orthogonal transformations: cheaper, and the rank is judged by pivots.
Eigen::VectorXd least_squares_by_pivots(const Eigen::MatrixXd& a, const Eigen::VectorXd& b,
                                        double rank);

/// An orthogonal basis whose first `rank` columns span a's columns.
struct SpanBasis {
  SpanBasis(const Eigen::MatrixXd& a, double least_pivot);
  Eigen::MatrixXd basis;
  Eigen::Index rank;
};

/// Solves by full pivoting; empty where the matrix is singular to rounding.
Eigen::VectorXd solve_or_nothing(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
/// a x = b for symmetric a.
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);
Vec3 solve_symmetric(const Mat3& a, const Vec3& b);

/// The lower Cholesky factor of a positive definite matrix.
Eigen::MatrixXd cholesky(const Eigen::MatrixXd& a);
/// lower x = b
Eigen::MatrixXd solve_lower(const Eigen::MatrixXd& lower, const Eigen::MatrixXd& b);
Eigen::VectorXd solve_lower(const Eigen::MatrixXd& lower, const Eigen::VectorXd& b);

}  // namespace repose
