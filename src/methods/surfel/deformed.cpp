#include "deformed.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "elasticity.h"

namespace repose::surfel {

namespace {

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

}  // namespace

void Deformed::begin(const Arena& arena) {
  ++step_;
  frames_.resize(arena.friction.size());
  shifts_.resize(arena.clusters.size());
}

const Deformed::Frame& Deformed::frame(const Arena& arena, const Motion& motion, int body) {
  Frame& out = frames_[at(body)];
  if (out.found == step_) return out;
  out.found = step_;
  const int first = arena.first_phyxel[at(body)], last = arena.first_phyxel[at(body) + 1];
  out.center = out.rest_center = Vec3::Zero();
  for (int i = first; i < last; ++i) {
    out.center += motion.x[at(i)];
    out.rest_center += arena.rest[at(i)];
  }
  out.center /= last - first;
  out.rest_center /= last - first;
  Mat3 moment = Mat3::Zero();
  for (int i = first; i < last; ++i)
    moment += (motion.x[at(i)] - out.center) * (arena.rest[at(i)] - out.rest_center).transpose();
  // the rotation nearest to it; the bounds hold for any
  const Eigen::JacobiSVD<Mat3> svd(moment, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 u = svd.matrixU();
  if (u.determinant() * svd.matrixV().determinant() < 0.0) u.col(2) = -u.col(2);
  out.turn = u * svd.matrixV().transpose();
  return out;
}

const Deformed::Shift& Deformed::shift(const Arena& arena, const Motion& motion, int cluster) {
  Shift& out = shifts_[at(cluster)];
  if (out.found == step_) return out;
  out.found = step_;
  const Cluster& c = arena.clusters.all[at(cluster)];
  const Frame& body = frame(arena, motion, c.body);
  const auto moved = [&](int i) {
    return Vec3(body.turn.transpose() * (motion.x[at(i)] - body.center) -
                (arena.rest[at(i)] - body.rest_center));
  };
  out.anchor = moved(c.anchor);
  // displacements about the anchor are linear but for a rest, and weights reproduce the linear part
  const Mat3 linear =
      body.turn.transpose() * gradient_of(arena, motion.x, c.anchor) - Mat3::Identity();
  double rest = 0.0;
  for (const int i : arena.clusters.phyxels_of(c))
    rest = std::max(
        rest, (moved(i) - out.anchor - linear * (arena.rest[at(i)] - arena.rest[at(c.anchor)]))
                  .squaredNorm());
  out.beside = linear.norm() * c.reach_at_rest + c.spread * std::sqrt(rest);
  return out;
}

double Deformed::nearer(const Arena& arena, const Motion& motion, int a, int b) {
  const Shift& p = shift(arena, motion, a);
  const Shift& q = shift(arena, motion, b);
  return (p.anchor - q.anchor).norm() + p.beside + q.beside;
}

}  // namespace repose::surfel
