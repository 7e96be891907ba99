#include "check/statics/least_norm.h"

#include <algorithm>
#include <cmath>

#include "repose/math/dense.h"

#include "check/verdict/tally.h"

namespace repose::check {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr int kMaxSteps = 200;
constexpr double kRegular = 1e-11;  // of the largest diagonal entry: keeps free rows solvable
constexpr double kArmijo = 1e-4;    // share of the predicted descent that a step must reach
constexpr int kHalvings = 40;

/// min |x|^2 / 2 over x of K with A x + g = 0; x are forces in units that suit the weights.
class Dual {
 public:
  explicit Dual(const Wrenches& w) : w_(w), unit_(w.force_unit()) {
    const auto n = static_cast<Eigen::Index>(w.unknowns());
    a_.resize(static_cast<Eigen::Index>(6 * w.bodies()), n);
    for (Eigen::Index j = 0; j < n; ++j) {
      Vector column;
      w.multiply(Vector::Unit(n, j), column);
      a_.col(j) = column;
    }
    for (std::size_t c = 0; c < w.columns(); ++c) {
      const Wrenches::View v = w.column(c);
      a_.middleCols(static_cast<Eigen::Index>(v.first), v.count) *= unit_ / v.scale;
    }
  }

  Vector start() const { return solve(square_of(1.0, a_), w_.load()); }
  Vector forces(const Vector& y) const {
    Vector x = -a_.transpose() * y;
    scaled(x, true);
    w_.project(x);
    scaled(x, false);
    return x;
  }
  Vector residual(const Vector& x) const { return a_ * x + w_.load(); }
  double value(const Vector& y, const Vector& x) const {
    return -(a_.transpose() * y).dot(x) - 0.5 * x.squaredNorm() - w_.load().dot(y);
  }
  /// The Newton step of y at forces x.
  Vector step(const Vector& y, const Vector& r) const {
    const Vector v = -a_.transpose() * y;
    Matrix spread = a_;  // A D, D a derivative of the projection
    for (std::size_t c = 0; c < w_.columns(); ++c) {
      const Wrenches::View view = w_.column(c);
      const auto first = static_cast<Eigen::Index>(view.first);
      if (view.count == 1) {
        const double scale = view.scale / unit_;
        const double z = v[first] / scale;
        if (z < view.min || z > view.max) spread.col(first).setZero();
        continue;
      }
      spread.middleCols<3>(first) *= cone_derivative(v.segment<3>(first), view.friction);
    }
    return solve(product(spread, a_.transpose()), r);
  }
  /// Back to the unknowns of the wrenches.
  Vector unscaled(Vector x) const {
    scaled(x, true);
    return x;
  }

 private:
  void scaled(Vector& x, bool to_wrenches) const {
    for (std::size_t c = 0; c < w_.columns(); ++c) {
      const Wrenches::View v = w_.column(c);
      const double factor = to_wrenches ? unit_ / v.scale : v.scale / unit_;
      x.segment(static_cast<Eigen::Index>(v.first), v.count) *= factor;
    }
  }
  static Mat3 cone_derivative(const Vec3& v, double mu) {
    const double n = v.x(), t = std::hypot(v.y(), v.z());
    if (t <= mu * n) return Mat3::Identity();
    if (mu * t <= -n) return Mat3::Zero();
    const Vec2 way = v.tail<2>() / t;
    const Vec3 ray(1.0, mu * way.x(), mu * way.y());
    Mat3 out = ray * ray.transpose() / (1.0 + mu * mu);
    const double onto = (n + mu * t) / (1.0 + mu * mu);
    out.bottomRightCorner<2, 2>() += mu * onto / t * (Mat2::Identity() - way * way.transpose());
    return out;
  }
  static Vector solve(Matrix h, const Vector& r) {
    const double top = std::max(h.diagonal().maxCoeff(), 0.0);
    h.diagonal().array() += top > 0.0 ? kRegular * top : 1.0;
    return solve_symmetric(h, r);
  }

  const Wrenches& w_;
  double unit_;
  Matrix a_;
};

}  // namespace

LeastNorm least_norm(const Wrenches& w, const Wrenches::Forces& balanced, double small) {
  LeastNorm out{balanced, false};
  if (w.unknowns() == 0 || w.bodies() == 0) return out;
  const Dual dual(w);
  Vector y = dual.start();
  Vector x = dual.forces(y), r = dual.residual(x);
  double value = dual.value(y, x);
  for (int step = 0; step < kMaxSteps && r.cwiseAbs().maxCoeff() > small; ++step) {
    ++tally.steps;
    const Vector move = dual.step(y, r);
    const double slope = r.dot(move);  // the value falls by this much for a whole step
    double t = 1.0;
    bool moved = false;
    for (int k = 0; k < kHalvings && !moved; ++k, t *= 0.5) {
      const Vector y_next = y + t * move, x_next = dual.forces(y_next);
      const double next = dual.value(y_next, x_next);
      const Vector r_next = dual.residual(x_next);
      // near the end the value's rounding hides its fall: the residual must fall instead
      if (!(next <= value - kArmijo * t * slope) && !(r_next.norm() < r.norm())) continue;
      moved = true;
      y = y_next;
      x = x_next;
      r = r_next;
      value = next;
    }
    if (!moved) break;
  }
  if (!(r.cwiseAbs().maxCoeff() <= small)) return out;
  out.forces = dual.unscaled(x);
  out.converged = true;
  return out;
}

}  // namespace repose::check
