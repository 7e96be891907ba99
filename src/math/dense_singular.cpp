#include <Eigen/Dense>

#include "repose/math/dense.h"

namespace repose {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LeftSingular::LeftSingular(const MatrixXd& a) {
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeFullU);
  values = svd.singularValues();
  vectors = svd.matrixU();
}

namespace {

template <class Vector>
VectorXd by_singular_values(const MatrixXd& a, const Vector& b, double rank) {
  Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(rank);
  return svd.solve(b);
}

}  // namespace

VectorXd least_squares(const MatrixXd& a, const VectorXd& b, double rank) {
  return by_singular_values(a, b, rank);
}

VectorXd least_squares(const MatrixXd& a, const Vec6& b, double rank) {
  return by_singular_values(a, b, rank);
}

}  // namespace repose
