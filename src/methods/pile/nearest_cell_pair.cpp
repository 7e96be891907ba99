#include "nearest_cell_pair.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace repose::pile {
namespace {

using Vec4 = Eigen::Matrix<double, 4, 1>;
using Mat4 = Eigen::Matrix<double, 4, 4>;
using Mat34 = Eigen::Matrix<double, 3, 4>;

/// Newton's method: steps, halvings of each, and where it ends, of the cells' measures.
constexpr int kSteps = 40;
constexpr int kHalvings = 10;
constexpr double kEnd = 1e-13;
/// Curvature that a step is given at least, over the squared measure of the cells per metre; how
/// it grows until the step has a least.
constexpr double kLeastCurvature = 1e-6;
constexpr double kRaise = 8.0;
/// Steps of Newton's method that bring b's place to the foot of a's, and the length of one (of
/// size) after which the next would change nothing.
constexpr int kFootSteps = 4;
constexpr double kFootNear = 1e-8;
/// Distances (m) that differ by less than this share of the cells' size are one.
constexpr double kSame = 1e-16;

/// The solution of m x = g, m symmetric; false where m is not positive definite.
bool solve_positive(const Mat4& m, const Vec4& g, Vec4& x) {
  Mat4 l = Mat4::Zero();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j) {
      double sum = m(i, j);
      for (int k = 0; k < j; ++k) sum -= l(i, k) * l(j, k);
      if (i != j) {
        l(i, j) = sum / l(j, j);
        continue;
      }
      if (!(sum > 0.0)) return false;
      l(i, i) = std::sqrt(sum);
    }
  for (int i = 0; i < 4; ++i) {
    x[i] = g[i];
    for (int k = 0; k < i; ++k) x[i] -= l(i, k) * x[k];
    x[i] /= l(i, i);
  }
  for (int i = 3; i >= 0; --i) {
    for (int k = i + 1; k < 4; ++k) x[i] -= l(k, i) * x[k];
    x[i] /= l(i, i);
  }
  return x.allFinite();
}

/// Of both cells: parameters (u, v) of a, then of b; all places in the frame of a.
class PairSearch {
 public:
  PairSearch(const Convex& a, const Pose& pose_a, const Convex& b, const Pose& pose_b)
      : a_(*a.cell), b_(*b.cell) {
    const Pose relative = pose_a.inverse() * pose_b;
    turn_ = relative.rotation.toRotationMatrix();
    shift_ = relative.position;
    size_ = std::max(a.bound_radius, b.bound_radius);
    low_ << a_.box.u0, a_.box.v0, b_.box.u0, b_.box.v0;
    high_ << a_.box.u1, a_.box.v1, b_.box.u1, b_.box.v1;
    choose_start(a.bound_center, turn_ * b.bound_center + shift_);
    descend();
  }

  CellPair answer(const Pose& pose_a) const {
    CellPair out;
    out.uv_a = at_.head<2>();
    out.uv_b = at_.tail<2>();
    out.on_a = pose_a * point_a(at_);
    out.on_b = pose_a * point_b(at_);
    out.distance = distance_;
    if (distance_ > 0.0) out.normal = pose_a.turn(apart_ / distance_);
    return out;
  }

 private:
  Vec3 point_a(const Vec4& at) const { return a_.patch->point(at[0], at[1]); }
  Vec3 point_b(const Vec4& at) const { return turn_ * b_.patch->point(at[2], at[3]) + shift_; }
  bool take_if_nearer(const Vec4& at, double least) {
    const Vec3 apart = point_a(at) - point_b(at);
    const double distance = apart.norm();
    if (!(distance < distance_ - least)) return false;
    at_ = at;
    apart_ = apart;
    distance_ = distance;
    return true;
  }

  /// Parameters of the point of a cell above p, as if the cell were flat.
  static Vec2 above(const PatchCell& cell, const Vec3& p) {
    const auto& c = cell.corner;
    const auto share = [&](const Vec3& along) {
      const double square = along.squaredNorm();
      return square > 0.0 ? std::clamp((p - c[0]).dot(along) / square, 0.0, 1.0) : 0.5;
    };
    const shape::UvBox& b = cell.box;
    return {b.u0 + share(c[1] - c[0]) * (b.u1 - b.u0), b.v0 + share(c[2] - c[0]) * (b.v1 - b.v0)};
  }
  Vec2 above_a(const Vec3& p) const { return above(a_, p); }
  Vec2 above_b(const Vec3& p) const { return above(b_, turn_.transpose() * (p - shift_)); }

  /// Above each other's middles, and each corner with what lies above it.
  void choose_start(const Vec3& middle_a, const Vec3& middle_b) {
    const auto take = [&](const Vec2& uv_a, const Vec2& uv_b) {
      Vec4 at;
      at << uv_a, uv_b;
      take_if_nearer(at, 0.0);
    };
    take(a_.box.center(), b_.box.center());
    take(above_a(middle_b), above_b(middle_a));
    const auto corner_of = [](const PatchCell& cell, std::size_t k) {
      const shape::UvBox& b = cell.box;
      return Vec2(k % 2 == 0 ? b.u0 : b.u1, k / 2 == 0 ? b.v0 : b.v1);
    };
    for (std::size_t k = 0; k < 4; ++k) {
      take(corner_of(a_, k), above_b(a_.corner[k]));
      take(above_a(turn_ * b_.corner[k] + shift_), corner_of(b_, k));
    }
    // both feet once more from there
    take(above_a(point_b(at_)), at_.tail<2>());
    take(at_.head<2>(), above_b(point_a(at_)));
  }

  /// The place of b moved to the foot of that of a. Where surfaces nearly touch, the least is a
  /// narrow bent valley of the distance: feet keep to its floor, so that steps along it are long.
  Vec4 with_foot(const Vec4& at) const {
    const Vec3 p = turn_.transpose() * (point_a(at) - shift_);
    Vec4 out = at;
    for (int n = 0; n < kFootSteps; ++n) {
      const shape::PatchJet j = b_.patch->jet(out[2], out[3]);
      const Vec3 d = p - j.s;
      Vec2 slope(-d.dot(j.su), -d.dot(j.sv));
      Mat2 bend;
      bend << j.su.dot(j.su) - d.dot(j.suu), j.su.dot(j.sv) - d.dot(j.suv),
          j.su.dot(j.sv) - d.dot(j.suv), j.sv.dot(j.sv) - d.dot(j.svv);
      for (int k = 0; k < 2; ++k)
        if ((out[2 + k] <= low_[2 + k] && slope[k] >= 0.0) ||
            (out[2 + k] >= high_[2 + k] && slope[k] <= 0.0)) {
          bend(0, 1) = bend(1, 0) = slope[k] = 0.0;
          bend(k, k) = 1.0;
        }
      if (!(bend(0, 0) > 0.0 && bend.determinant() > 0.0)) return out;
      const Vec2 way = -bend.inverse() * slope;
      if (!way.allFinite()) return out;
      out.tail<2>() = (out.tail<2>() + way).cwiseMax(low_.tail<2>()).cwiseMin(high_.tail<2>());
      if ((way[0] * j.su + way[1] * j.sv).norm() <= kFootNear * size_) return out;
    }
    return out;
  }

  /// Takes a step of Newton's method, shortened until it leads nearer; answers the share taken, 0
  /// where none leads nearer.
  double step(Vec4 slope, Mat4 bend, const std::array<bool, 4>& held, const Vec4& measure) {
    for (int k = 0; k < 4; ++k)
      if (held[static_cast<std::size_t>(k)] || !(measure[k] > 0.0)) {
        bend.row(k).setZero();
        bend.col(k).setZero();
        bend(k, k) = 1.0;
        slope[k] = 0.0;
      }
    // raised until it has a least
    const Vec4 unit = (measure.cwiseProduct(measure) / size_).cwiseMax(kLeastCurvature * size_);
    double lift = 0.0;
    Vec4 way;
    bool found = solve_positive(bend, slope, way);
    for (int n = 0; n < kHalvings && !found; ++n) {
      lift = lift > 0.0 ? kRaise * lift : kLeastCurvature;
      bend.diagonal() += lift * unit;
      found = solve_positive(bend, slope, way);
    }
    if (!found) way = slope.cwiseQuotient(unit);
    double share = 1.0;
    for (int half = 0; half < kHalvings; ++half, share *= 0.5) {
      const Vec4 to = (at_ - share * way).cwiseMax(low_).cwiseMin(high_);
      if (((to - at_).cwiseAbs().cwiseProduct(measure).array() <= kEnd * size_).all()) return 0.0;
      if (take_if_nearer(with_foot(to), kSame * size_)) return share;
    }
    return 0.0;
  }

  /// On the distance, which is smooth along the surfaces however near they are, and where that
  /// leads nowhere on its square.
  void descend() {
    for (int n = 0; n < kSteps && distance_ > 0.0; ++n) {
      const shape::PatchJet on_a = a_.patch->jet(at_[0], at_[1]);
      const shape::PatchJet on_b = b_.patch->jet(at_[2], at_[3]);
      const Vec3 normal = apart_ / distance_, normal_b = turn_.transpose() * normal;
      Mat34 tangents;
      tangents << on_a.su, on_a.sv, -(turn_ * on_b.su), -(turn_ * on_b.sv);
      const Vec4 slope = tangents.transpose() * normal;
      std::array<bool, 4> held{};
      for (int k = 0; k < 4; ++k)
        held[static_cast<std::size_t>(k)] =
            (at_[k] <= low_[k] && slope[k] >= 0.0) || (at_[k] >= high_[k] && slope[k] <= 0.0);
      if (std::all_of(held.begin(), held.end(), [](bool h) { return h; })) return;
      Mat4 own = Mat4::Zero();
      own(0, 0) = normal.dot(on_a.suu);
      own(1, 1) = normal.dot(on_a.svv);
      own(0, 1) = own(1, 0) = normal.dot(on_a.suv);
      own(2, 2) = -normal_b.dot(on_b.suu);
      own(3, 3) = -normal_b.dot(on_b.svv);
      own(2, 3) = own(3, 2) = -normal_b.dot(on_b.suv);
      const Mat4 metric = tangents.transpose() * tangents, along = slope * slope.transpose();
      const Vec4 measure(on_a.su.norm(), on_a.sv.norm(), on_b.su.norm(), on_b.sv.norm());
      const Vec4 before = at_;
      const Vec3 apart = apart_;
      const double distance = distance_;
      const double smooth = step(slope, own + (metric - along) / distance, held, measure);
      if (smooth == 1.0) continue;
      const Vec4 by_distance = at_;
      const Vec3 apart_by_distance = apart_;
      const double nearer = distance_;
      at_ = before;
      apart_ = apart;
      distance_ = distance;
      const double squared = step(distance * slope, distance * own + metric, held, measure);
      if (nearer < distance_) {
        at_ = by_distance;
        apart_ = apart_by_distance;
        distance_ = nearer;
      }
      if (smooth == 0.0 && squared == 0.0) return;
    }
  }

  const PatchCell &a_, &b_;
  Mat3 turn_ = Mat3::Identity();  // from the frame of b to that of a
  Vec3 shift_ = Vec3::Zero();
  double size_ = 0.0;
  Vec4 low_, high_;  // sides of the cells
  Vec4 at_ = Vec4::Zero();
  Vec3 apart_ = Vec3::Zero();  // from b to a, frame of a
  double distance_ = std::numeric_limits<double>::infinity();
};

}  // namespace

CellPair nearest_cell_pair(const Convex& a, const Pose& world_from_a, const Convex& b,
                           const Pose& world_from_b) {
  return PairSearch(a, world_from_a, b, world_from_b).answer(world_from_a);
}

}  // namespace repose::pile
