#include "deformed.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include "elasticity.h"

namespace repose::surfel {

namespace {

/// What rounding may take from a bound of an eigenvalue near 1.
constexpr double kRounding = 1e-9;

/// Squares of lengths that are left of 1 where the strain is small.
constexpr double kSmallStrain = 0.8;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// A lower bound of the least eigenvalue of a symmetric matrix, in closed form.
double least_eigenvalue(const Mat3& m) {
  const double mean = m.trace() / 3.0;
  const Mat3 deviator = m - mean * Mat3::Identity();
  const double size = std::sqrt(deviator.squaredNorm() / 6.0);
  const double slack = kRounding * (std::fabs(mean) + size + 1.0);
  // what is known without angles is enough where the strain is small
  const double simple = mean - 2.0 * size - slack;
  if (simple > kSmallStrain || !(size > 0.0)) return simple;
  const double turned = std::clamp((deviator / size).determinant() / 2.0, -1.0, 1.0);
  const double angle = (std::acos(turned) + 2.0 * std::numbers::pi) / 3.0;
  return mean + 2.0 * size * std::cos(angle) - slack;
}

}  // namespace

void Deformed::begin(const Arena& arena) {
  ++step_;
  locals_.resize(arena.clusters.size());
}

const Deformed::Local& Deformed::local(const Places& now, int cluster) {
  Local& out = locals_[at(cluster)];
  if (out.found == step_) return out;
  out.found = step_;
  const Cluster& c = now.arena.clusters.all[at(cluster)];
  const Vec3& here = now.motion.x[at(c.anchor)];
  const Vec3& at_rest = now.arena.rest[at(c.anchor)];
  out.gradient = gradient_of(now.arena, now.motion.x, c.anchor);
  double rest = 0.0;
  out.reach = 0.0;
  for (const int ball : now.arena.clusters.balls_of(c)) {
    const Vec3 way = now.centers[at(ball)] - here;
    const Vec3 linear = out.gradient * (now.arena.rest_center[at(ball)] - at_rest);
    rest = std::max(rest, (way - linear).squaredNorm());
    out.reach = std::max(out.reach, way.norm() + now.arena.radius[at(ball)]);
  }
  out.rest = std::sqrt(rest);
  out.least = std::sqrt(std::max(0.0, least_eigenvalue(out.gradient.transpose() * out.gradient)));
  return out;
}

GapBound Deformed::gap_bound(const Places& now, int a, int b) {
  // c_p - c_q = F_a (C_p - C_q) + e_p - e_q - apart - (F_b - F_a)(C_q - X_b)
  const Local& p = local(now, a);
  const Local& q = local(now, b);
  const Cluster &first = now.arena.clusters.all[at(a)], &second = now.arena.clusters.all[at(b)];
  const Vec3 way = now.motion.x[at(second.anchor)] - now.motion.x[at(first.anchor)];
  const Vec3 way_at_rest = now.arena.rest[at(second.anchor)] - now.arena.rest[at(first.anchor)];
  const double share = std::min(1.0, p.least);
  const double radii = first.most_radius + second.most_radius;
  return {share, (1.0 - share) * radii + p.rest + q.rest + (way - p.gradient * way_at_rest).norm() +
                     (q.gradient - p.gradient).norm() * second.reach_at_rest};
}

}  // namespace repose::surfel
