#include "deformed.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

#include "repose/base/at.h"

namespace repose::surfel {

namespace {

/// What rounding may take from a bound of an eigenvalue near 1.
constexpr double kRounding = 1e-9;

/// Squares of lengths that are left of 1 where the strain is small.
constexpr double kSmallStrain = 0.8;

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

/// A lower bound of d . C d over unit vectors d of these directions, for a symmetric matrix C of
/// eigenvalues that are not negative. With |d . across| = sin t it is the least of
/// m + a cos 2t - b sin 2t for t from 0 to where sin t is the tilt.
double least_square(const Mat3& c, const Directions& near) {
  const Vec3 image = c * near.across;
  const double normal = near.across.dot(image);
  const double shear = (image - normal * near.across).norm();
  // the least of the plane across, by the traces of what is left there and of its square
  const double half = 0.5 * (c.trace() - normal);
  const double squares = c.squaredNorm() - 2.0 * image.squaredNorm() + normal * normal;
  const double plane = half - std::sqrt(std::max(0.0, 0.5 * squares - half * half));
  const double mean = 0.5 * (plane + normal), a = 0.5 * (plane - normal);
  const double tilt = std::min(1.0, near.tilt);
  const double cosine = 1.0 - 2.0 * tilt * tilt;
  const double sine = 2.0 * tilt * std::sqrt(1.0 - tilt * tilt);
  const double at_end = mean + a * cosine - shear * sine;
  const bool falls = a * sine + shear * cosine >= 0.0;
  const double least = falls ? at_end : mean - std::hypot(a, shear);
  return least - kRounding * (std::fabs(half) + std::fabs(normal) + shear + 1.0);
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
  const Vec4 here = now.x[at(c.anchor)], at_rest = now.rest[at(c.anchor)];
  Vec4 f0 = Vec4::Zero(), f1 = Vec4::Zero(), f2 = Vec4::Zero();
  for (const Neighbour& n : now.arena.near(c.anchor)) {
    const Vec4 way = now.x[at(n.j)] - here;
    f0 += n.slope[0] * way;
    f1 += n.slope[1] * way;
    f2 += n.slope[2] * way;
  }
  out.gradient << f0.head<3>(), f1.head<3>(), f2.head<3>();
  double rest = 0.0, reach = 0.0;
  const auto& balls = now.arena.clusters.rest;
  for (int k = c.first_ball; k < c.last_ball; ++k) {
    const Vec4 way = now.centers[at(k)] - here;
    const Vec4 left = way - (((balls(0, k) - at_rest[0]) * f0 + (balls(1, k) - at_rest[1]) * f1) +
                             (balls(2, k) - at_rest[2]) * f2);
    rest = std::max(rest, left.squaredNorm());
    reach = std::max(reach, way.norm() + balls(3, k));
  }
  out.rest = std::sqrt(rest);
  out.reach = reach;
  return out;
}

GapBound Deformed::gap_bound(const Places& now, int a, int b, const Directions& near) {
  const Local& p = local(now, a);
  const Local& q = local(now, b);
  // with F between the two gradients: c_p - c_q = F (C_p - C_q) + e_p - e_q - apart
  // + (F_a - F_b)(C_p - X_a + C_q - X_b) / 2
  const Cluster &first = now.arena.clusters.all[at(a)], &second = now.arena.clusters.all[at(b)];
  const Mat3 gradient = 0.5 * (p.gradient + q.gradient);
  const Vec3 way = (now.x[at(second.anchor)] - now.x[at(first.anchor)]).head<3>();
  const Vec3 way_at_rest = now.arena.rest[at(second.anchor)] - now.arena.rest[at(first.anchor)];
  const Mat3 square = gradient.transpose() * gradient;
  const auto share_of = [](double squared) {
    return std::min(1.0, std::sqrt(std::max(0.0, squared)));
  };
  GapBound out;
  out.share = share_of(least_eigenvalue(square));
  out.near_share = std::max(out.share, share_of(least_square(square, near)));
  out.radii = first.most_radius + second.most_radius;
  out.lost = p.rest + q.rest + (way - gradient * way_at_rest).norm() +
             0.5 * (q.gradient - p.gradient).norm() * (first.reach_at_rest + second.reach_at_rest);
  return out;
}

}  // namespace repose::surfel
