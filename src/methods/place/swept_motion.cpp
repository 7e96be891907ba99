#include "swept_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "separate.h"
#include "span.h"

namespace repose::place {
namespace {

/// Rounding of the test itself, over the coordinates' size.
constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();
/// Time is halved rather than the curve where the piece is apart at the span's middle, or time
/// takes more than this many times what the piece's length does.
constexpr double kTimeShare = 2.0;
/// Shorter pieces of time or of the curve (over the body's size) tell that there is no gap.
constexpr double kShortestSpan = 1e-9, kShortestArc = 1e-6;

/// The distance of a point to the other body, from below: `value` at the point itself, along
/// n . d to first order, and bending by `bend` (d . across)^2 about the axis.
struct Barrier {
  double value = 0.0;
  Vec3 n = Vec3::UnitZ();
  Vec3 radial = Vec3::Zero(), across = Vec3::Zero();
  double rho = 0.0, slope = 0.0;  // distance from the axis, n . radial
};

class SweptProver {
 public:
  SweptProver(Journey p, Journey q, long budget)
      : p_(std::move(p)), q_(std::move(q)), spine_(*p_.surface->swept()), budget_(budget) {}

  PassageReport run() {
    auto each = [this](const Span& span, int arc, auto& arcs, auto& later) {
      visit(span, arc, arcs, later);
    };
    prove_over<int>(0.0, 1.0, p_, q_, {0}, report_, each);
    return report_;
  }

 private:
  struct Bound {
    double lower = 0.0;              // of the gap, over the arc and the span
    double center = 0.0;             // gap at the arc's middle, at the span's middle
    double space = 0.0, time = 0.0;  // what the arc's length, the span took of it
  };

  void visit(const Span& span, int i, std::vector<int>& arcs, std::vector<int>& later) {
    ++report_.tests;
    const Bound bound = bound_of(spine_.arc(i), span);
    if (bound.lower > 0.0) return;
    const bool short_arc =
        spine_.arc(i).along.norm() < kShortestArc * p_.surface->bounding_radius();
    const bool halve_time =
        span.half > kShortestSpan &&
        (bound.time > kTimeShare * bound.space || short_arc || bound.lower + bound.time > 0.0);
    if (!(bound.center > 0.0) || report_.tests > budget_ || (!halve_time && short_arc)) {
      report_.passage = bound.center > 0.0 ? Passage::out_of_budget : Passage::blocked;
      report_.time = span.middle;
    } else if (halve_time) {
      later.push_back(i);
    } else {
      const int first = spine_.split(i);
      arcs.push_back(first + 1);
      arcs.push_back(first);
    }
  }

  Barrier barrier_at(const Vec3& y) const {
    Barrier out;
    if (q_.surface->half_space()) {
      out.value = y.z();
      return out;
    }
    const Turned& turned = *q_.surface->turned();
    out.rho = std::hypot(y.x(), y.y());
    out.radial = out.rho > 0.0 ? Vec3(y.x() / out.rho, y.y() / out.rho, 0.0) : Vec3(Vec3::UnitX());
    out.across = Vec3(-out.radial.y(), out.radial.x(), 0.0);
    const Turned::Nearest near = turned.nearest({out.rho, y.z()});
    out.slope = near.direction.x();
    out.n = out.slope * out.radial + near.direction.y() * Vec3::UnitZ();
    out.value = near.distance - turned.radius;
    return out;
  }

  /// In q's frame the arc's point goes by
  ///   d = s along + s^2 (bend +- rad) + h v + s h (w x along) + `rest` any way,  |s|, |h| <= 1,
  /// and about the axis  rho(y + d) >= rho + radial.d + (across.d)^2 / 2 (rho + radial.d) - ...
  Bound bound_of(const Arc& arc, const Span& span) const {
    const Posed &p = span.p, &q = span.q;
    const double half = span.half;
    const Vec3 x = p.to_world(arc.middle), arm = x - p.center;
    const Mat3 turn = q.rotation.transpose() * p.rotation;
    const Vec3 along = turn * arc.along, bend = turn * arc.bend;
    const Vec3 rad = turn.cwiseAbs() * arc.rad;
    const Vec3 speed = p_.move - q_.move + p_.turn.cross(arm) - q_.turn.cross(x - q.center);
    const Vec3 v = half * (q.rotation.transpose() * speed);
    const Vec3 w = half * (q.rotation.transpose() * (p_.turn - q_.turn));
    const Vec3 sway = w.cross(along);
    const double second = (bend.cwiseAbs() + rad).norm(), length = along.norm() + second;
    const double rest = w.norm() * second + time_remainder(span, x, length);

    const Vec3 y = q.to_body(x);
    const Barrier barrier = barrier_at(y);
    const Vec3 size = barrier.n.cwiseAbs();
    Quadratic f;
    f.g0 = barrier.n.dot(along);
    f.g1 = barrier.n.dot(v);
    f.c00 = barrier.n.dot(bend);
    f.c01 = barrier.n.dot(sway);
    f.slack00 = size.dot(rad);
    double lost = rest;
    const auto most = [&](const Vec3& e) {
      return std::fabs(e.dot(bend)) + e.cwiseAbs().dot(rad) + std::fabs(e.dot(sway)) + rest;
    };
    const double off = std::fabs(barrier.radial.dot(along)) + std::fabs(barrier.radial.dot(v)) +
                       most(barrier.radial);
    if (barrier.slope > 0.0 && off < barrier.rho) {
      const double k0 = barrier.across.dot(along), k1 = barrier.across.dot(v);
      const double linear = std::fabs(k0) + std::fabs(k1), other = most(barrier.across);
      const double bending = 0.5 * barrier.slope / (barrier.rho + off);
      f.c00 += bending * k0 * k0;
      f.c01 += 2.0 * bending * k0 * k1;
      f.c11 += bending * k1 * k1;
      const double nearest = barrier.rho - off, whole = linear + other;
      lost += 2.0 * bending * linear * other +
              0.125 * barrier.slope * whole * whole * whole * whole / (nearest * nearest * nearest);
    }
    Bound out;
    out.center = barrier.value - spine_.radius();
    const double scale = x.norm() + arm.norm() + (x - q.center).norm() + y.norm();
    out.lower = out.center + least_of(f) - lost - kRounding * scale;
    out.time = std::fabs(f.g1) + std::fabs(f.c01) + rest;
    out.space = std::fabs(f.g0) + std::fabs(f.c00) + f.slack00;
    return out;
  }

  /// Second order of the motion seen from q, within `half` of the span, for points within `length`
  /// of x.
  double time_remainder(const Span& span, const Vec3& x, double length) const {
    const double wp = p_.turn.norm(), wq = q_.turn.norm();
    const double arm = (x - span.p.center).norm() + length;
    const double speed = (p_.move - q_.move).norm() + wp * arm;
    const double apart = (x - span.q.center).norm() + length + span.half * speed;
    return 0.5 * span.half * span.half * (wp * wp * arm + 2.0 * wq * speed + wq * wq * apart);
  }

  Journey p_, q_;
  Swept& spine_;
  long budget_;
  PassageReport report_;
};

bool formula_against(const Journey& p, const Journey& q) {
  return p.surface->swept() != nullptr &&
         (q.surface->half_space() || q.surface->turned() != nullptr);
}

}  // namespace

bool one_formula(const Journey& p, const Journey& q) {
  return formula_against(p, q) || formula_against(q, p);
}

PassageReport prove_swept_free(const Journey& p, const Journey& q, long budget) {
  return formula_against(p, q) ? SweptProver(p, q, budget).run() : SweptProver(q, p, budget).run();
}

}  // namespace repose::place
