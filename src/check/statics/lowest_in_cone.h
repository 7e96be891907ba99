#pragma once

#include <limits>

#include <Eigen/Core>

namespace repose::check {

struct Lowest {
  double value = 0.0;
  Eigen::VectorXd at;  // unit; empty where the cone holds no direction that was tried
  bool whole = true;   // false: not every start was tried, for want of work
};

/// The least x^T H x over unit x with N x >= 0, sought from H's descending eigenvectors and their
/// sums by projected gradient steps. Exact where N is empty; otherwise what is found is attained,
/// but a lower value may hide (the question is as hard as copositivity). `work`: multiply-adds
/// after which it stops with what it has.
Lowest lowest_in_cone(const Eigen::MatrixXd& h, const Eigen::MatrixXd& n,
                      double work = std::numeric_limits<double>::infinity());

}  // namespace repose::check
