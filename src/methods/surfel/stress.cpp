#include "stress.h"

#include <cmath>

#include <Eigen/SVD>

namespace repose::surfel {

namespace {

/// Smith, de Goes, Kim 2018, equation 14, with constants that match Lame's at rest (section 3.4).
struct NeoHookean {
  double mu, lambda, alpha;
  NeoHookean(double lame_mu, double lame_lambda)
      : mu(4.0 / 3.0 * lame_mu),
        lambda(lame_lambda + 5.0 / 6.0 * lame_mu),
        alpha(1.0 + 0.75 * mu / lambda) {}
  double energy(double squares, double volume) const {
    return 0.5 * mu * (squares - 3.0) + 0.5 * lambda * (volume - alpha) * (volume - alpha) -
           0.5 * mu * std::log(squares + 1.0);
  }
};

/// The derivative of the determinant.
Mat3 cofactor(const Mat3& f) {
  Mat3 out;
  out.col(0) = f.col(1).cross(f.col(2));
  out.col(1) = f.col(2).cross(f.col(0));
  out.col(2) = f.col(0).cross(f.col(1));
  return out;
}

/// The rotation nearest to a gradient, inverted ones included.
Mat3 turn_of(const Mat3& f) {
  const Eigen::JacobiSVD<Mat3> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 u = svd.matrixU();
  if (u.determinant() * svd.matrixV().determinant() < 0.0) u.col(2) = -u.col(2);
  return u * svd.matrixV().transpose();
}

Mat3 strain_of(const Mat3& f) {
  return 0.5 * (f + f.transpose()) - Mat3::Identity();
}

}  // namespace

double energy_density(Stress law, double mu, double lambda, const Mat3& gradient) {
  if (law == Stress::neo_hookean) {
    const NeoHookean solid(mu, lambda);
    return solid.energy(gradient.squaredNorm(), gradient.determinant()) - solid.energy(3.0, 1.0);
  }
  const Mat3 turn = law == Stress::corotated ? turn_of(gradient) : Mat3(Mat3::Identity());
  const Mat3 strain = law == Stress::corotated
                          ? Mat3(turn.transpose() * gradient - Mat3::Identity())
                          : strain_of(gradient);
  return mu * strain.squaredNorm() + 0.5 * lambda * strain.trace() * strain.trace();
}

Mat3 stress_of(Stress law, double mu, double lambda, const Mat3& gradient) {
  if (law == Stress::neo_hookean) {
    const NeoHookean solid(mu, lambda);
    const double squares = gradient.squaredNorm();
    return solid.mu * (1.0 - 1.0 / (squares + 1.0)) * gradient +
           solid.lambda * (gradient.determinant() - solid.alpha) * cofactor(gradient);
  }
  if (law == Stress::corotated) {
    const Mat3 turn = turn_of(gradient);
    const double growth = turn.cwiseProduct(gradient).sum() - 3.0;
    return 2.0 * mu * (gradient - turn) + lambda * growth * turn;
  }
  const Mat3 strain = strain_of(gradient);
  return 2.0 * mu * strain + lambda * strain.trace() * Mat3::Identity();
}

}  // namespace repose::surfel
