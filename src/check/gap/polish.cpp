#include "check/gap/polish.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <Eigen/Dense>

#include "check/gap/triangle.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

using shape::PatchJet;

constexpr int kMostSteps = 60;
constexpr double kFirstDamping = 1e-6, kMostDamping = 1e8, kDampingUp = 8.0, kDampingDown = 0.2;
constexpr double kStall = 1e-14;   // relative decrease of the squared distance
constexpr double kOnSide = 1e-14;  // of a triangle's parameters
/// Of the other parameter's way over the patch: where one moves so little, a pole is near.
constexpr double kNearPole = 0.05;

/// A patch about a smooth pole, where all values of one parameter are one point: that parameter
/// and the way from the pole are an angle and a radius, and the plane's own coordinates know no
/// pole.
struct Pole {
  const shape::Patch* patch = nullptr;
  int angle = 0;                  // which parameter shrinks
  double from = 0.0, turn = 0.0;  // its first value, and how much of it is one radian
  double at = 0.0, inward = 1.0;  // the other one's value at the pole, and which way it goes

  Vec2 parameters(const Vec2& plane) const {
    constexpr double kWholeTurn = 2.0 * std::numbers::pi;
    const double theta = std::atan2(plane.y(), plane.x());
    Vec2 out;
    out[angle] = from + turn * (theta < 0.0 ? theta + kWholeTurn : theta);
    out[1 - angle] = at + inward * plane.norm();
    return out;
  }
  Vec2 plane(const Vec2& parameters) const {
    const double theta = (parameters[angle] - from) / turn;
    return std::fabs(parameters[1 - angle] - at) * Vec2(std::cos(theta), std::sin(theta));
  }
  PatchJet jet(const Vec2& plane) const;
};

/// The patch's derivatives by angle and radius, of the first parameter that shrinks.
struct PolarJet {
  Vec3 s, r, t, rr, rt, tt;
};
PolarJet polar_jet(const Pole& pole, double theta, double radius) {
  const Vec2 uv = pole.parameters(radius * Vec2(std::cos(theta), std::sin(theta)));
  const PatchJet j = pole.patch->jet(uv.x(), uv.y());
  const bool u = pole.angle == 0;
  const double in = pole.inward, turn = pole.turn;
  return {j.s,
          in * (u ? j.sv : j.su),
          turn * (u ? j.su : j.sv),
          u ? j.svv : j.suu,
          in * turn * j.suv,
          turn * turn * (u ? j.suu : j.svv)};
}

PatchJet Pole::jet(const Vec2& plane) const {
  constexpr double kQuarter = 0.5 * std::numbers::pi;
  const double radius = plane.norm();
  const double theta = std::atan2(plane.y(), plane.x()), c = std::cos(theta), s = std::sin(theta);
  const PolarJet here = polar_jet(*this, theta, radius);
  // at the pole itself the derivatives are those along meridians
  const PolarJet x = polar_jet(*this, 0.0, 0.0), y = polar_jet(*this, kQuarter, 0.0);
  const PolarJet between = polar_jet(*this, 0.5 * kQuarter, 0.0);
  PatchJet out;
  out.s = here.s;
  out.su = x.r;
  out.sv = y.r;
  if (radius > 0.0) {
    out.su = c * here.r - s / radius * here.t;
    out.sv = s * here.r + c / radius * here.t;
  }
  out.suu = x.rr;
  out.svv = y.rr;
  out.suv = between.rr - 0.5 * (x.rr + y.rr);
  return out;
}

/// A smooth surface, a triangle or a point, with two parameters.
class Element {
 public:
  Element(const Surface& surface, int index, const Frame& frame, Slide slide)
      : piece_(surface.piece(index)), frame_(frame), slide_(slide) {
    if (piece_.kind == PieceKind::patch) {
      patch_ = surface.face(piece_.face).patch.get();
      domain_ = slide == Slide::pieces ? piece_.uv : patch_->domain();
      x_ = piece_.uv.center();
    } else if (piece_.kind == PieceKind::triangle) {
      x_ = Vec2::Constant(1.0 / 3.0);
    }
  }
  Vec2 start() const { return x_; }
  /// Beside a pole: from now on its parameters are those of the plane about it, which are given in
  /// exchange for x.
  bool go_about_pole(Vec2& x) {
    if (!patch_ || slide_ == Slide::pieces || pole_) return false;
    const PatchJet j = patch_->jet(x.x(), x.y());
    const Vec2 extent(domain_.u1 - domain_.u0, domain_.v1 - domain_.v0);
    const double way[2] = {j.su.norm() * extent[0], j.sv.norm() * extent[1]};
    const int angle = way[0] <= way[1] ? 0 : 1;
    if (way[angle] > kNearPole * way[1 - angle] || !wraps(angle) || wraps(1 - angle)) return false;
    const Vec2 low(domain_.u0, domain_.v0), high(domain_.u1, domain_.v1);
    const bool first = x[1 - angle] - low[1 - angle] < high[1 - angle] - x[1 - angle];
    pole_ = Pole{patch_,
                 angle,
                 low[angle],
                 extent[angle] / (2.0 * std::numbers::pi),
                 first ? low[1 - angle] : high[1 - angle],
                 first ? 1.0 : -1.0};
    x = pole_->plane(x);
    return true;
  }
  /// The patch's own parameters.
  Vec2 own(const Vec2& x) const { return pole_ ? clamp_own(pole_->parameters(x)) : x; }
  /// A start beside p: a triangle's place nearest to it, else the same as ever.
  Vec2 start_near(const Vec3& p) const {
    if (piece_.kind != PieceKind::triangle) return x_;
    const Vec3 corner[3] = {frame_ * piece_.corner[0], frame_ * piece_.corner[1],
                            frame_ * piece_.corner[2]};
    const Vec3 u = corner[1] - corner[0], v = corner[2] - corner[0];
    const Vec3 d = closest_on_triangle(p, corner) - corner[0], n = u.cross(v);
    if (!(n.squaredNorm() > 0.0)) return x_;
    return clamp(Vec2(d.cross(v).dot(n), u.cross(d).dot(n)) / n.squaredNorm());
  }
  /// Projector onto the parameters' directions that are free at x: a bound that steepest descent
  /// would cross is held.
  Mat2 free_at(const Vec2& x, const Vec2& gradient) const {
    if (pole_) return Mat2::Identity();
    if (patch_) {
      Mat2 out = Mat2::Identity();
      for (int k = 0; k < 2; ++k) {
        const double low = k ? domain_.v0 : domain_.u0, high = k ? domain_.v1 : domain_.u1;
        const bool held = !wraps(k) && ((x[k] <= low && gradient[k] > 0.0) ||
                                        (x[k] >= high && gradient[k] < 0.0));
        if (held) out(k, k) = 0.0;
      }
      return out;
    }
    return piece_.kind == PieceKind::triangle ? free_in_triangle(x, gradient) : Mat2::Zero();
  }
  Vec2 clamp(const Vec2& x) const { return pole_ ? x : clamp_own(x); }
  Vec2 clamp_own(Vec2 x) const {
    if (patch_) {
      for (int k = 0; k < 2; ++k) {
        const double low = k ? domain_.v0 : domain_.u0, high = k ? domain_.v1 : domain_.u1;
        if (wraps(k)) {
          x[k] -= (high - low) * std::floor((x[k] - low) / (high - low));
        }
        x[k] = std::clamp(x[k], low, high);
      }
    } else if (piece_.kind == PieceKind::triangle) {
      const Vec3 flat[3] = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
      const Vec3 p = closest_on_triangle(Vec3(x.x(), x.y(), 0.0), flat);
      x = p.head<2>();
    }
    return x;
  }
  PatchJet jet(const Vec2& x) const {
    PatchJet j;
    if (pole_) {
      j = pole_->jet(x);
    } else if (patch_) {
      j = patch_->jet(x.x(), x.y());
    } else if (piece_.kind == PieceKind::triangle) {
      j.su = piece_.corner[1] - piece_.corner[0];
      j.sv = piece_.corner[2] - piece_.corner[0];
      j.s = piece_.corner[0] + x.x() * j.su + x.y() * j.sv;
      j.suu = j.suv = j.svv = Vec3::Zero();
    } else {
      j.s = piece_.center;
      j.su = j.sv = j.suu = j.suv = j.svv = Vec3::Zero();
    }
    return {frame_ * j.s,        frame_.turn * j.su,  frame_.turn * j.sv,
            frame_.turn * j.suu, frame_.turn * j.suv, frame_.turn * j.svv};
  }
  /// The point, and how far it may be from the surface.
  Vec3 proven_point(const Vec2& x, double& error) const {
    Vec3 p = piece_.center;
    if (patch_) {
      const auto e = patch_->enclose({x.x(), x.x(), x.y(), x.y()});
      const Vec3 low(e.s[0].lo, e.s[1].lo, e.s[2].lo), high(e.s[0].hi, e.s[1].hi, e.s[2].hi);
      p = 0.5 * (low + high);
      error += (high - low).norm() + kSumError * p.norm();
    } else if (piece_.kind == PieceKind::triangle) {
      p = piece_.corner[0] + x.x() * (piece_.corner[1] - piece_.corner[0]) +
          x.y() * (piece_.corner[2] - piece_.corner[0]);
      error += kSumError * (piece_.corner[0].norm() + 4.0 * piece_.size);
    }
    error += frame_.error(p.norm());
    return frame_ * p;
  }

 private:
  /// The same for x >= 0, y >= 0, x + y <= 1: at a corner both sides are held, or one, or none.
  static Mat2 free_in_triangle(const Vec2& x, const Vec2& gradient) {
    const Vec2 inward[3] = {Vec2::UnitX(), Vec2::UnitY(), -Vec2::Ones().normalized()};
    const bool at[3] = {x.x() <= kOnSide, x.y() <= kOnSide, x.x() + x.y() >= 1.0 - kOnSide};
    // `along`: the side that the way keeps to, up to rounding
    const auto leaves = [&](const Vec2& way, int along) {
      for (int k = 0; k < 3; ++k)
        if (at[k] && k != along && way.dot(inward[k]) < -kOnSide * way.norm()) return true;
      return false;
    };
    constexpr int kNone = -1;
    if (!leaves(-gradient, kNone)) return Mat2::Identity();
    for (int k = 0; k < 3; ++k) {
      if (!at[k] || gradient.dot(inward[k]) <= 0.0) continue;
      const Mat2 along = Mat2::Identity() - inward[k] * inward[k].transpose();
      if (!leaves(-(along * gradient), k)) return along;
    }
    return Mat2::Zero();
  }
  bool wraps(int k) const {
    return slide_ == Slide::surfaces && (k ? patch_->closed_v() : patch_->closed_u());
  }

  Piece piece_;
  Frame frame_;
  Slide slide_;
  const shape::Patch* patch_ = nullptr;
  shape::UvBox domain_;
  std::optional<Pole> pole_;
  Vec2 x_ = Vec2::Zero();
};

struct Pair {
  Element a, b;
};

/// Half the squared distance with gradient and second derivatives.
struct Model {
  double value = 0.0;
  Vec4 gradient;
  Eigen::Matrix4d hessian, metric;
  Eigen::Matrix4d free;  // projector onto the directions that are not held
};

Model model(const Pair& pair, const Vec4& x) {
  const PatchJet a = pair.a.jet(x.head<2>()), b = pair.b.jet(x.tail<2>());
  const Vec3 r = b.s - a.s;
  Eigen::Matrix<double, 3, 4> j;
  j << -a.su, -a.sv, b.su, b.sv;
  Model m;
  m.value = 0.5 * r.squaredNorm();
  m.gradient = j.transpose() * r;
  m.metric = j.transpose() * j;
  m.hessian = m.metric;
  m.hessian(0, 0) -= r.dot(a.suu);
  m.hessian(1, 1) -= r.dot(a.svv);
  m.hessian(0, 1) -= r.dot(a.suv);
  m.hessian(2, 2) += r.dot(b.suu);
  m.hessian(3, 3) += r.dot(b.svv);
  m.hessian(2, 3) += r.dot(b.suv);
  m.hessian(1, 0) = m.hessian(0, 1);
  m.hessian(3, 2) = m.hessian(2, 3);
  // unknowns that do not move, or press against their bound, stay
  m.free.setZero();
  m.free.topLeftCorner<2, 2>() = pair.a.free_at(x.head<2>(), m.gradient.head<2>());
  m.free.bottomRightCorner<2, 2>() = pair.b.free_at(x.tail<2>(), m.gradient.tail<2>());
  const Eigen::Matrix4d held = Eigen::Matrix4d::Identity() - m.free;
  m.gradient = m.free * m.gradient;
  m.hessian = m.free * m.hessian * m.free + held;
  m.metric = m.free * m.metric * m.free + held;
  return m;
}

Vec4 clamp(const Pair& pair, const Vec4& x) {
  Vec4 out;
  out << pair.a.clamp(x.head<2>()), pair.b.clamp(x.tail<2>());
  return out;
}

/// Damped Newton steps from x on to where the distance is least.
Vec4 descend(const Pair& pair, Vec4 x) {
  Model here = model(pair, x);
  double damping = kFirstDamping;
  int idle = 0;
  for (int step = 0; step < kMostSteps && damping < kMostDamping && idle < 3; ++step) {
    ++tally.steps;
    const double floor = here.metric.diagonal().maxCoeff() * kStall;
    Eigen::Matrix4d h = here.hessian;
    for (int k = 0; k < 4; ++k) h(k, k) += damping * here.metric(k, k) + floor;
    const Eigen::LLT<Eigen::Matrix4d> factor(h);
    if (factor.info() != Eigen::Success) {
      damping *= kDampingUp;
      continue;
    }
    const Vec4 next = clamp(pair, x - here.free * factor.solve(here.gradient));
    const Model there = model(pair, next);
    if (!(there.value < here.value)) {
      damping *= kDampingUp;
      continue;
    }
    idle = here.value - there.value <= kStall * here.value ? idle + 1 : 0;
    x = next;
    here = there;
    damping = std::max(damping * kDampingDown, kStall);
  }
  return x;
}

}  // namespace

Polished polish(const Surface& a, int piece_a, const Surface& b, int piece_b, const Frame& b_in_a,
                Slide slide) {
  Pair pair{Element(a, piece_a, Frame{}, slide), Element(b, piece_b, b_in_a, slide)};
  Vec4 x;
  x << pair.a.start_near(pair.b.jet(pair.b.start()).s), pair.b.start();
  x.tail<2>() = pair.b.start_near(pair.a.jet(x.head<2>()).s);
  x = descend(pair, x);
  // beside a pole the parameters are bad guides: once more by those of the plane about it
  Vec2 of_a = x.head<2>(), of_b = x.tail<2>();
  const bool pole_a = pair.a.go_about_pole(of_a), pole_b = pair.b.go_about_pole(of_b);
  if (pole_a || pole_b) {
    x << of_a, of_b;
    x = descend(pair, x);
    x << pair.a.own(x.head<2>()), pair.b.own(x.tail<2>());
  }
  Polished out;
  out.uv_a = x.head<2>();
  out.uv_b = x.tail<2>();
  out.point_a = pair.a.proven_point(x.head<2>(), out.error);
  out.point_b = pair.b.proven_point(x.tail<2>(), out.error);
  out.distance = (out.point_b - out.point_a).norm();
  return out;
}

}  // namespace repose::check
