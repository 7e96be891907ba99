#include "curvature.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "repose/base/stage_clock.h"
#include "repose/math/dense.h"

namespace repose::pile {
namespace {

using Map2 = Eigen::Matrix<double, 2, 12>;

/// Corners this near the support plane, of size, belong to the face or edge that touches.
constexpr double kSamePlane = 1e-5;
/// Radius of curvature that stands for a flat one, over size.
constexpr double kFlatRadius = 1e4;
/// Two points of an edge are farther apart than this, of size.
constexpr double kEdge = 1e-3;

/// Radii of curvature across `n` (unit, outwards, body frame) of the grown set where it is farthest
/// along n; in a flat direction kFlatRadius.
Mat3 bend_across(const Convex& set, const Vec3& n) {
  const Mat3 across = Mat3::Identity() - n * n.transpose();
  const double flat = kFlatRadius * set.bound_radius;
  // a rim's bend across its axis has no bound
  const bool flat_end = set.core == Convex::Core::discs && std::hypot(n.x(), n.y()) <= kSamePlane;
  if (flat_end) return (set.radius + flat) * across;
  Mat3 out = set.bend(n) + set.radius * across;
  std::vector<Vec3> near;
  if (set.core == Convex::Core::points) {
    const double top = set.support(n).dot(n);
    for (const Vec3& p : set.points)
      if (top - n.dot(p) <= kSamePlane * set.bound_radius) near.push_back(p);
  } else if (set.core == Convex::Core::discs) {
    const double wide = std::hypot(n.x(), n.y());
    const auto rim = [&](const Convex::Disc& d) {
      const double share = wide > 0.0 ? d.radius / wide : 0.0;
      return Vec3(share * n.x(), share * n.y(), d.height);
    };
    const Vec3 p = rim(set.low), q = rim(set.high);
    if (std::fabs(n.dot(p - q)) <= kSamePlane * set.bound_radius) near = {p, q};
  }
  Vec3 edge = Vec3::Zero();
  for (std::size_t i = 1; i < near.size(); ++i) {
    const Vec3 along = near[i] - near[0];
    if (edge.isZero())
      edge = along;
    else if (edge.cross(along).norm() > kEdge * edge.norm() * set.bound_radius)
      return out + flat * across;
  }
  if (edge.norm() > kEdge * set.bound_radius) {
    const Vec3 e = (across * edge).normalized();
    out += flat * e * e.transpose();
  }
  return out;
}

Mat3 bend_in_world(const Convex& set, const Pose& pose, const Vec3& n) {
  const Mat3 turn = pose.rotation.toRotationMatrix();
  return turn * bend_across(set, turn.transpose() * n) * turn.transpose();
}

/// w -> arm: the second derivative of n . (exp(w) arm) at w = 0.
Mat3 arc_of(const Vec3& n, const Vec3& arm) {
  return 0.5 * (arm * n.transpose() + n * arm.transpose()) - arm.dot(n) * Mat3::Identity();
}

Mat3 cross_matrix(const Vec3& v) {
  Mat3 out;
  out << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return out;
}

}  // namespace

Mat12 gap_curvature(const Arena& arena, const Placement& at, const Separation& s) {
  const Vec3& n = s.normal;
  const Vec3 u = n.unitOrthogonal(), v = n.cross(u);
  Eigen::Matrix<double, 2, 3> flat;
  flat << u.transpose(), v.transpose();
  const Convex& b = arena.movers[s.b].pieces[s.piece_b];
  const Vec3 arm_b = s.point + 0.5 * s.gap * n - at.centers[s.b];
  // (x_a, w_a, x_b, w_b) -> how the two points slide, how the normal turns within a and within b
  Map2 slide = Map2::Zero(), in_a = Map2::Zero(), in_b = Map2::Zero();
  slide.block<2, 3>(0, 6) = flat;
  slide.block<2, 3>(0, 9) = -flat * cross_matrix(arm_b);
  in_b.block<2, 3>(0, 9) = -flat * cross_matrix(n);
  Mat12 out = Mat12::Zero();
  out.block<3, 3>(9, 9) = arc_of(n, arm_b);
  Mat2 bend_a;
  if (s.a >= 0) {
    const Vec3 arm_a = s.point - 0.5 * s.gap * n - at.centers[s.a];
    slide.block<2, 3>(0, 0) = -flat;
    slide.block<2, 3>(0, 3) = flat * cross_matrix(arm_a);
    in_a.block<2, 3>(0, 3) = -flat * cross_matrix(n);
    out.block<3, 3>(3, 3) = -arc_of(n, arm_a);
    bend_a = flat * bend_in_world(arena.movers[s.a].pieces[s.piece_a], at.poses[s.a], n) *
             flat.transpose();
  } else {
    const Convex* wall = arena.walls.part_set(s.piece_a);
    bend_a = wall != nullptr ? Mat2(flat * bend_across(*wall, n) * flat.transpose())
                             : Mat2(kFlatRadius * b.bound_radius * Mat2::Identity());
  }
  const Mat2 bend_b = flat * bend_in_world(b, at.poses[s.b], -n) * flat.transpose();
  const double room = std::max(s.gap, kSamePlane * b.bound_radius);
  const Mat2 stiff = bend_a + bend_b + room * Mat2::Identity();
  const Map2 pull = slide + bend_a * in_a + bend_b * in_b;
  out += pull.transpose() * stiff.inverse() * pull - in_a.transpose() * bend_a * in_a -
         in_b.transpose() * bend_b * in_b;
  return out;
}

Mat12 scaled_curvature(const Arena& arena, const Placement& at, const Separation& s) {
  // ways and turns times radius, in mean radii
  Eigen::Matrix<double, 12, 1> scale = Eigen::Matrix<double, 12, 1>::Zero();
  for (const int side : {0, 1}) {
    const int i = side == 0 ? s.a : s.b;
    if (i < 0) continue;
    const Mover& m = arena.movers[i];
    for (int k = 0; k < m.variables(); ++k)
      if (!m.held[k]) scale[6 * side + k] = k < 3 ? 1.0 : 1.0 / m.radius;
  }
  return arena.length_unit *
         (scale.asDiagonal() * gap_curvature(arena, at, s) * scale.asDiagonal());
}

Mat12 convex_part(const Mat12& m) {
  const SymmetricEigen<Mat12> eigen(m);
  return recomposed(eigen.vectors, eigen.values.cwiseMax(0.0));
}

std::vector<PieceForce> piece_forces(std::span<const Separation> separations,
                                     std::span<const double> multipliers) {
  std::vector<PieceForce> out;
  for (std::size_t k = 0; k < separations.size();) {
    const Separation& s = separations[k];
    double sum = 0.0;
    std::size_t end = k;
    while (end < separations.size() && (end == k || same_pieces(s, separations[end])))
      sum += std::max(0.0, multipliers[end++]);
    if (sum > 0.0 && s.piece_b >= 0)
      out.push_back({s.a, s.b, s.piece_a, s.piece_b, sum / static_cast<double>(end - k)});
    k = end;
  }
  std::sort(out.begin(), out.end());
  return out;
}

void add_curvature(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                   std::span<const PieceForce> forces, LinearProgram& lp) {
  const StageScope timed("add_curvature");
  for (const Separation& s : separations) {
    if (s.piece_b < 0) continue;
    const PieceForce wanted{s.a, s.b, s.piece_a, s.piece_b, 0.0};
    const auto found = std::lower_bound(forces.begin(), forces.end(), wanted);
    if (found == forces.end() || wanted < *found) continue;
    const Mat12 convex = convex_part(-found->multiplier * scaled_curvature(arena, at, s));
    std::array<int, 12> variable{};
    variable.fill(-1);
    for (const int side : {0, 1}) {
      const int i = side == 0 ? s.a : s.b;
      if (i < 0) continue;
      const Mover& m = arena.movers[i];
      for (int k = 0; k < m.variables(); ++k)
        if (!m.held[k]) variable[6 * side + k] = m.first + k;
    }
    for (int r = 0; r < 12; ++r)
      for (int c = 0; c <= r; ++c)
        if (variable[r] >= 0 && variable[c] >= 0)
          lp.quadratic.push_back({std::max(variable[r], variable[c]),
                                  std::min(variable[r], variable[c]), convex(r, c)});
  }
}

}  // namespace repose::pile
