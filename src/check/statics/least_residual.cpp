#include "check/statics/least_residual.h"

#include <algorithm>
#include <cmath>

#include "check/verdict/tally.h"

namespace repose::check {

namespace {

using Forces = Wrenches::Forces;
using Residual = Wrenches::Residual;

/// Largest eigenvalue of W^T W, from below, by power iteration.
double curvature(const Wrenches& w) {
  constexpr int kPowerSteps = 12;
  Forces z = Forces::Ones(static_cast<Eigen::Index>(w.unknowns()));
  for (Eigen::Index i = 0; i < z.size(); ++i) z[i] += 0.1 * static_cast<double>(i % 7);
  Residual r;
  double value = 1.0;
  for (int k = 0; k < kPowerSteps; ++k) {
    z.normalize();
    w.multiply(z, r);
    w.multiply_transposed(r, z);
    value = std::max(z.norm(), 1.0);
  }
  return value;
}

/// No forces of K, however large, make |r| less than half of what it is: r and a little of a motion
/// that lifts bodies off one another is a motion into no contact at all, against which no force of
/// K works, so that |W z + g| >= d.(W z + g)/|d| >= (d.g + least of what is bounded)/|d|.
bool cannot_be_carried(const Wrenches& w, const Residual& r, const Forces& v, double open,
                       const Residual& lift) {
  constexpr int kTries = 12;
  constexpr double kMore = 4.0;
  Forces off;
  w.multiply_transposed(lift, off);
  double share = 2.0 * open;
  for (int k = 0; k < kTries; ++k, share *= kMore) {
    const Forces moved = v + share * off;
    const Wrenches::Violation left = w.dual_violation(moved);
    if (left.of_unit > 0.0 || left.of_newton > 0.0) continue;
    const Residual d = r + share * lift;
    return d.dot(w.load()) + w.least_of_bounded(moved) > 0.5 * r.norm() * d.norm();
  }
  return false;
}

/// No forces of K, nor any ten thousand times as large in sum, nor twice what carries every weight
/// down to what does not move, counted in units of z and in newtons, make |r| less than half of
/// what it is: for every such z, |W z + g| >= r.(W z + g)/|r| >= (r.g + least of what is bounded -
/// violation * sum)/|r|.
bool cannot_improve(const Wrenches& w, const Forces& z, const Residual& r,
                    const Wrenches::Levels& levels) {
  constexpr double kLargerForces = 1e4, kCarriedTwice = 2.0;
  Forces v;
  w.multiply_transposed(r, v);
  const Wrenches::Violation open = w.dual_violation(v);
  const double sum = std::max(kLargerForces * (z.lpNorm<1>() + 1.0), kCarriedTwice * levels.sum);
  const double lost = std::max(open.of_unit * sum, open.of_newton * kCarriedTwice * levels.newtons);
  if (r.dot(w.load()) + w.least_of_bounded(v) - lost > 0.5 * r.squaredNorm()) return true;
  return cannot_be_carried(w, r, v, open.of_unit, levels.lift);
}

}  // namespace

LeastResidual least_residual(const Wrenches& w, const LeastResidualSettings& settings,
                             const Forces& start) {
  constexpr int kCertifyEvery = 20, kPasses = 4;
  constexpr double kFirstStepSafety = 1.1, kBackOff = 1.5;
  LeastResidual out;
  const auto n = static_cast<Eigen::Index>(w.unknowns());
  Forces z = start.size() == n ? start : Forces(Forces::Zero(n));
  w.project(z);
  Residual r;
  w.multiply(z, r);
  r += w.load();
  if (r.size() == 0 || r.cwiseAbs().maxCoeff() <= settings.small) {
    out.converged = true;
    out.forces = std::move(z);
    out.residual = std::move(r);
    return out;
  }
  // one step carries a load from one body to the next
  const Wrenches::Levels levels = w.levels();
  const int first_certified = kPasses * levels.most;
  double limit = n ? kFirstStepSafety * curvature(w) : 1.0;
  Forces y = z, gradient, next;
  Residual ry = r, r_next;
  double t = 1.0;
  int step = 0;
  for (; step < settings.max_steps && n; ++step) {
    if (r.size() == 0 || r.cwiseAbs().maxCoeff() <= settings.small) break;
    ++tally.steps;
    w.multiply_transposed(ry, gradient);
    next = y - gradient / limit;
    w.project(next);
    w.multiply(next, r_next);
    r_next += w.load();
    const double move = (next - y).squaredNorm();
    const double model = gradient.dot(next - y) + 0.5 * limit * move;
    if (r_next.squaredNorm() > ry.squaredNorm() + 2.0 * model + settings.small * settings.small) {
      limit *= kBackOff;
      continue;
    }
    const bool certify = step % kCertifyEvery == kCertifyEvery - 1 && step >= first_certified;
    if (certify && cannot_improve(w, next, r_next, levels)) {
      z = next;
      r = r_next;
      out.converged = true;
      break;
    }
    const bool restart = gradient.dot(next - z) > 0.0;
    const double t_next = restart ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * t * t));
    const double beta = restart ? 0.0 : (t - 1.0) / t_next;
    y = next + beta * (next - z);
    ry = r_next + beta * (r_next - r);
    z.swap(next);
    r.swap(r_next);
    t = t_next;
  }
  out.converged =
      out.converged || n == 0 || r.size() == 0 || r.cwiseAbs().maxCoeff() <= settings.small;
  out.forces = std::move(z);
  out.residual = std::move(r);
  out.steps = step;
  return out;
}

}  // namespace repose::check
