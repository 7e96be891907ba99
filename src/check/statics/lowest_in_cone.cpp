#include "check/statics/lowest_in_cone.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "repose/math/dense.h"

#include "check/verdict/tally.h"

namespace repose::check {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double kStill = 1e-12;         // of unit vectors: moves that end an iteration
constexpr double kNoCurvature = 1e-300;  // keeps a flat energy from dividing by zero

/// The nearest x with N x >= 0: x + N^T l with l >= 0 that makes it shortest, by accelerated
/// projected gradient.
class Cone {
 public:
  explicit Cone(const Matrix& n) : n_(n) {
    for (Eigen::Index i = 0; i < n_.rows(); ++i) {
      const double length = n_.row(i).norm();
      if (length > 0.0) n_.row(i) /= length;
    }
    square_ = square_of(1.0, n_);
    limit_ = std::max(square_.cwiseAbs().rowwise().sum().maxCoeff(), 1.0);
  }

  /// Multiply-adds so far.
  double work() const { return work_; }

  Vector nearest(const Vector& x) {
    constexpr int kSteps = 300;
    Vector l = Vector::Zero(n_.rows()), y = l;
    const Vector nx = n_ * x;
    double t = 1.0;
    for (int k = 0; k < kSteps; ++k) {
      ++tally.steps;
      work_ += static_cast<double>(square_.size());
      const Vector next = (y - (square_ * y + nx) / limit_).cwiseMax(0.0);
      const double t_next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
      const Vector move = next - l;
      y = next + (t - 1.0) / t_next * move;
      l = next;
      if (k > 0 && move.cwiseAbs().maxCoeff() <= kStill) break;
      t = t_next;
    }
    return x + n_.transpose() * l;
  }

 private:
  Matrix n_, square_;
  double limit_ = 1.0;
  double work_ = 0.0;
};

/// Directions from which to start: eigenvectors of negative value, both ways, and pairs of them.
std::vector<Vector> starts(const SymmetricEigen<Matrix>& eigen) {
  constexpr Eigen::Index kMostAlone = 16, kMostPaired = 5;
  std::vector<Vector> out;
  Eigen::Index falling = 0;
  while (falling < eigen.values.size() && eigen.values[falling] < 0.0) ++falling;
  for (Eigen::Index i = 0; i < std::min(falling, kMostAlone); ++i)
    for (const double sign : {1.0, -1.0}) out.push_back(sign * eigen.vectors.col(i));
  for (Eigen::Index i = 0; i < std::min(falling, kMostPaired); ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      for (const double a : {1.0, -1.0})
        for (const double b : {1.0, -1.0})
          out.push_back((a * eigen.vectors.col(i) + b * eigen.vectors.col(j)).normalized());
  return out;
}

}  // namespace

Lowest lowest_in_cone(const Matrix& h, const Matrix& n, double work) {
  const SymmetricEigen<Matrix> eigen(h);
  Lowest out{eigen.values[0], eigen.vectors.col(0), true};
  if (n.rows() == 0 || out.value >= 0.0) return out;
  constexpr int kSteps = 30;
  constexpr double kSurvives = 0.05;  // of a start's length: the cone holds something like it
  Cone cone(n);
  const double step = 0.5 / std::max(eigen.values.cwiseAbs().maxCoeff(), kNoCurvature);
  out = {0.0, Vector(), true};
  for (const Vector& start : starts(eigen)) {
    if (cone.work() > work) {
      out.whole = false;
      return out;
    }
    Vector x = cone.nearest(start);
    if (x.norm() < kSurvives) continue;
    x.normalize();
    for (int k = 0; k < kSteps && cone.work() <= work; ++k) {
      const Vector gradient = h * x - x.dot(h * x) * x;
      const Vector next = cone.nearest(x - step * gradient);
      if (!(next.norm() > kSurvives)) break;
      const double moved = (next.normalized() - x).norm();
      x = next.normalized();
      if (moved <= kStill) break;
    }
    const double value = x.dot(h * x);
    if (out.at.size() != 0 && value >= out.value) continue;
    out = {value, x, true};
  }
  return out;
}

}  // namespace repose::check
