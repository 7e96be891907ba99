#include "deformed.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/LU>

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

Deformed::Local& Deformed::coarse(const Places& now, int cluster) {
  Local& out = locals_[at(cluster)];
  if (out.found_coarse == step_) return out;
  out.found_coarse = step_;
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
  double rest = 0.0;
  for (const int i : now.arena.clusters.phyxels_of(c)) {
    const Vec4 way = now.rest[at(i)] - at_rest;
    const Vec4 left = (now.x[at(i)] - here) - ((way[0] * f0 + way[1] * f1) + way[2] * f2);
    rest = std::max(rest, left.squaredNorm());
  }
  out.coarse_rest = c.spread * std::sqrt(rest);
  out.least = std::sqrt(std::max(0.0, least_eigenvalue(out.gradient.transpose() * out.gradient)));
  return out;
}

const Deformed::Local& Deformed::local(const Places& now, int cluster) {
  Local& out = coarse(now, cluster);
  if (out.found == step_) return out;
  out.found = step_;
  const Cluster& c = now.arena.clusters.all[at(cluster)];
  const Vec3 here = now.x[at(c.anchor)].head<3>();
  const Vec3& at_rest = now.arena.rest[at(c.anchor)];
  double rest = 0.0;
  out.reach = 0.0;
  for (const int ball : now.arena.clusters.balls_of(c)) {
    const Vec3 way = now.centers[at(ball)] - here;
    const Vec3 linear = out.gradient * (now.arena.rest_center[at(ball)] - at_rest);
    rest = std::max(rest, (way - linear).squaredNorm());
    out.reach = std::max(out.reach, way.norm() + now.arena.radius[at(ball)]);
  }
  out.rest = std::sqrt(rest);
  return out;
}

GapBound Deformed::bound(const Places& now, int a, int b, const Local& p, const Local& q,
                         double rests) {
  // c_p - c_q = F_a (C_p - C_q) + e_p - e_q - apart - (F_b - F_a)(C_q - X_b)
  const Cluster &first = now.arena.clusters.all[at(a)], &second = now.arena.clusters.all[at(b)];
  const Vec3 way = (now.x[at(second.anchor)] - now.x[at(first.anchor)]).head<3>();
  const Vec3 way_at_rest = now.arena.rest[at(second.anchor)] - now.arena.rest[at(first.anchor)];
  const double share = std::min(1.0, p.least);
  const double radii = first.most_radius + second.most_radius;
  return {share, (1.0 - share) * radii + rests + (way - p.gradient * way_at_rest).norm() +
                     (q.gradient - p.gradient).norm() * second.reach_at_rest};
}

GapBound Deformed::gap_bound(const Places& now, int a, int b) {
  const Local& p = local(now, a);
  const Local& q = local(now, b);
  return bound(now, a, b, p, q, p.rest + q.rest);
}

GapBound Deformed::coarse_bound(const Places& now, int a, int b) {
  const Local& p = coarse(now, a);
  const Local& q = coarse(now, b);
  return bound(now, a, b, p, q, p.coarse_rest + q.coarse_rest);
}

}  // namespace repose::surfel
