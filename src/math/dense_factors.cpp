#include <Eigen/Dense>

#include "repose/math/dense.h"

namespace repose {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd least_squares_by_pivots(const MatrixXd& a, const VectorXd& b, double rank) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> solver(a.rows(), a.cols());
  solver.setThreshold(rank);
  solver.compute(a);
  return solver.solve(b);
}

SpanBasis::SpanBasis(const MatrixXd& a, double least_pivot) {
  Eigen::ColPivHouseholderQR<MatrixXd> qr(a);
  qr.setThreshold(least_pivot);
  basis = qr.householderQ() * MatrixXd::Identity(a.rows(), a.rows());
  rank = qr.rank();
}

VectorXd solve_or_nothing(const MatrixXd& a, const VectorXd& b) {
  const Eigen::FullPivLU<MatrixXd> lu(a);
  return lu.isInvertible() ? VectorXd(lu.solve(b)) : VectorXd();
}

VectorXd solve_symmetric(const MatrixXd& a, const VectorXd& b) {
  return a.ldlt().solve(b);
}

Vec3 solve_symmetric(const Mat3& a, const Vec3& b) {
  return a.ldlt().solve(b);
}

MatrixXd cholesky(const MatrixXd& a) {
  return Eigen::LLT<MatrixXd>(a).matrixL();
}

MatrixXd solve_lower(const MatrixXd& lower, const MatrixXd& b) {
  if (b.size() == 0) return b;
  return lower.triangularView<Eigen::Lower>().solve(b);
}

VectorXd solve_lower(const MatrixXd& lower, const VectorXd& b) {
  return lower.triangularView<Eigen::Lower>().solve(b);
}

}  // namespace repose
