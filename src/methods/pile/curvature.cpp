#include "curvature.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "repose/base/stage_clock.h"
#include "repose/math/dense.h"

#include "bend.h"

namespace repose::pile {
namespace {

using Map2 = Eigen::Matrix<double, 2, 12>;

/// Radii of curvature that add up to less than this, of size, are those of surfaces that lie along
/// each other: their gap has no second derivative to go by.
constexpr double kAlong = 1e-3;

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
    bend_a = flat * bend_in_world(arena.movers[s.a].pieces[s.piece_a], at.poses[s.a], n, s.point) *
             flat.transpose();
  } else {
    Pose pose_a;
    const Convex* wall = arena.walls.part_set(s.piece_a, pose_a);
    bend_a = wall != nullptr
                 ? Mat2(flat * bend_in_world(*wall, pose_a, n, s.point) * flat.transpose())
                 : Mat2(kFlatRadius * b.bound_radius * Mat2::Identity());
  }
  const Mat2 bend_b = flat * bend_in_world(b, at.poses[s.b], -n, s.point) * flat.transpose();
  const double room = std::max(s.gap, kSamePlane * b.bound_radius);
  const Mat2 stiff = bend_a + bend_b + room * Mat2::Identity();
  const Vec2 radii = SymmetricEigen<Mat2>(bend_a + bend_b).values;
  const double along = kAlong * b.bound_radius;
  const bool hollow = radii.minCoeff() < -room;
  if (hollow && (radii.array() + room).abs().minCoeff() < along) return Mat12::Zero();
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
                   std::span<const PieceForce> forces, solve::LinearProgram& lp) {
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
