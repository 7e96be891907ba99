#include "shape/sew/side_curve.h"

#include <cmath>

#include "repose/base/work.h"

namespace repose::shape {
namespace {

/// Two ends of one range.
bool same_range(Interval a, Interval b) {
  return a.lo == b.lo && a.hi == b.hi;
}

}  // namespace

Interval side_range(const UvBox& domain, Side side) {
  const bool along_v = side == Side::u_low || side == Side::u_high;
  return along_v ? Interval(domain.v0, domain.v1) : Interval(domain.u0, domain.u1);
}

SideCurve::SideCurve(PatchPtr patch, Side side, Interval range)
    : patch_(std::move(patch)), box_(patch_->domain()), side_(side), range_(range) {
  const bool wraps = along_v() ? patch_->closed_v() : patch_->closed_u();
  closed_ = wraps && same_range(range, side_range(box_, side));
}

CurveJet SideCurve::jet(double t) const {
  const Vec2 at = uv(t);
  const PatchJet j = patch_->jet(at.x(), at.y());
  return along_v() ? CurveJet{j.s, j.sv, j.svv} : CurveJet{j.s, j.su, j.suu};
}

CurveEnclosure SideCurve::enclose(Interval t) const {
  const Vec2 a = uv(t.lo), b = uv(t.hi);
  const PatchEnclosure e = patch_->enclose({a.x(), b.x(), a.y(), b.y()});
  return along_v() ? CurveEnclosure{e.s, e.sv, e.svv} : CurveEnclosure{e.s, e.su, e.suu};
}

Vec3 SideCurve::point(double t) const {
  const Vec2 at = uv(t);
  return patch_->point(at.x(), at.y());
}

Vec3 SideCurve::inward(double t) const {
  const Vec2 at = uv(t);
  const PatchJet j = patch_->jet(at.x(), at.y());
  switch (side_) {
    case Side::u_low:
      return j.su;
    case Side::u_high:
      return -j.su;
    case Side::v_low:
      return j.sv;
    case Side::v_high:
      break;
  }
  return -j.sv;
}

double nearest_parameter(const SideCurve& curve, Interval range, const Vec3& target,
                         double* distance) {
  constexpr int kSamples = 24;
  constexpr int kMaxSteps = 60;
  spend_work(kSamples);
  const double step = range.width() / kSamples;
  double best = range.lo, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i <= kSamples; ++i) {
    const double t = i == kSamples ? range.hi : range.lo + i * step;
    const double d = (curve.point(t) - target).squaredNorm();
    if (d < least) least = d, best = t;
  }
  // safeguarded Newton on the derivative of half the squared distance
  double lo = std::max(range.lo, best - step), hi = std::min(range.hi, best + step), t = best;
  for (int i = 0; i < kMaxSteps && hi > lo; ++i) {
    const CurveJet j = curve.jet(t);
    const Vec3 away = j.c - target;
    const double slope = away.dot(j.ct);
    const double d = away.squaredNorm();
    if (d < least) least = d, best = t;
    if (slope == 0.0) break;
    (slope > 0.0 ? hi : lo) = t;
    const double bend = j.ct.squaredNorm() + away.dot(j.ctt);
    double next = bend > 0.0 ? t - slope / bend : lo;
    if (!(next > lo && next < hi)) next = lo + 0.5 * (hi - lo);
    if (next == t) break;
    t = next;
  }
  *distance = std::sqrt(least);
  return best;
}

}  // namespace repose::shape
