#include <Eigen/Dense>

#include "repose/math/dense.h"

namespace repose {

using Eigen::MatrixXd;

template <class Matrix>
SymmetricEigen<Matrix>::SymmetricEigen(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(symmetric);
  values = eigen.eigenvalues();
  vectors = eigen.eigenvectors();
}
template struct SymmetricEigen<MatrixXd>;
template struct SymmetricEigen<Mat2>;
template struct SymmetricEigen<Mat3>;
template struct SymmetricEigen<Mat12>;

}  // namespace repose
