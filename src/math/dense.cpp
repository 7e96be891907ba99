#include "repose/math/dense.h"

#include <Eigen/Dense>

namespace repose {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd product(const MatrixXd& a, const MatrixXd& b) {
  return a * b;
}

MatrixXd transposed_product(const MatrixXd& a, const MatrixXd& b) {
  return a.transpose() * b;
}

MatrixXd square_of(double factor, const MatrixXd& a) {
  return factor * a * a.transpose();
}

MatrixXd lifted(const MatrixXd& a, const MatrixXd& m) {
  return a * m * a.transpose();
}

MatrixXd reduced(const MatrixXd& a, const MatrixXd& m) {
  return a.transpose() * m * a;
}

MatrixXd recomposed(const MatrixXd& v, const VectorXd& d) {
  return v * d.asDiagonal() * v.transpose();
}

Mat12 recomposed(const Mat12& v, const Vec12& d) {
  return v * d.asDiagonal() * v.transpose();
}

}  // namespace repose
