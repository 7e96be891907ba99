#include "check/gap/least_along.h"

#include <algorithm>
#include <cmath>

#include "check/exact/rounding.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

using shape::PatchEnclosure;
using shape::PatchJet;
using shape::UvBox;

constexpr int kSteps = 12;
constexpr double kStill = 1e-15;  // of the box: a shorter step ends Newton's method

Interval dot(const Vec3& d, const IVec3& b) {
  return Interval(d.x()) * b[0] + Interval(d.y()) * b[1] + Interval(d.z()) * b[2];
}

/// Draws [low, high] in to the side where a function of this slope is least.
bool shrink(Interval slope, double& low, double& high) {
  if (low == high) return false;
  if (slope.lo >= 0.0)
    high = low;
  else if (slope.hi <= 0.0)
    low = high;
  return low == high;
}

/// Where d.S is about least: Newton's method on the free parameters, kept inside the box.
Vec2 least_point(const shape::Patch& patch, const UvBox& box, const Vec3& d) {
  Vec2 x = box.center();
  const Vec2 low(box.u0, box.v0), high(box.u1, box.v1), size = high - low;
  for (int step = 0; step < kSteps; ++step) {
    ++tally.steps;
    const PatchJet j = patch.jet(x.x(), x.y());
    const Vec2 g(d.dot(j.su), d.dot(j.sv));
    double h[2] = {d.dot(j.suu), d.dot(j.svv)};
    const double across = d.dot(j.suv);
    bool free[2];
    for (int k = 0; k < 2; ++k)
      free[k] =
          size[k] > 0.0 && !(x[k] <= low[k] && g[k] >= 0.0) && !(x[k] >= high[k] && g[k] <= 0.0);
    Vec2 move = Vec2::Zero();
    const double det = h[0] * h[1] - across * across;
    if (free[0] && free[1] && h[0] > 0.0 && det > 0.0) {
      move = Vec2(across * g[1] - h[1] * g[0], across * g[0] - h[0] * g[1]) / det;
    } else {
      // each by itself; uphill curvature is no guide, then to the end
      for (int k = 0; k < 2; ++k)
        if (free[k]) move[k] = h[k] > 0.0 ? -g[k] / h[k] : std::copysign(size[k], -g[k]);
    }
    const Vec2 next = (x + move).cwiseMax(low).cwiseMin(high);
    const bool still = ((next - x).cwiseAbs().array() <= kStill * size.array()).all();
    x = next;
    if (still) break;
  }
  return x;
}

/// The least of (huu a^2 - 2 huv a b + hvv b^2) / 2 over 0 <= a, b <= 1, or less.
double least_form(double huu, double huv, double hvv) {
  const auto along_edge = [huv](double fixed, double free) {
    double least = std::min(fixed, fixed - 2.0 * huv + free);
    if (free > huv) least = std::min(least, fixed - huv * huv / free);
    return least;
  };
  return 0.5 * std::min({0.0, along_edge(huu, hvv), along_edge(hvv, huu)});
}

}  // namespace

LeastAlong least_along(const shape::Patch& patch, const UvBox& uv, const Vec3& d) {
  UvBox box = uv;
  PatchEnclosure all = patch.enclose(box);
  const double plain = dot(d, all.s).lo;
  constexpr int kShrinks = 2;
  for (int k = 0; k < kShrinks; ++k) {
    const bool u = shrink(dot(d, all.su), box.u0, box.u1);
    const bool v = shrink(dot(d, all.sv), box.v0, box.v1);
    if (!u && !v) break;
    all = patch.enclose(box);
  }
  const Vec2 x = least_point(patch, box, d);
  const PatchEnclosure here = patch.enclose({x.x(), x.x(), x.y(), x.y()});
  const Interval du = Interval(box.u0, box.u1) - Interval(x.x());
  const Interval dv = Interval(box.v0, box.v1) - Interval(x.y());
  const Interval flat = dot(d, here.s) + dot(d, here.su) * du + dot(d, here.sv) * dv;
  const double au = du.mag(), av = dv.mag();
  const double huu = dot(d, all.suu).lo * au * au, hvv = dot(d, all.svv).lo * av * av;
  const double huv = dot(d, all.suv).mag() * au * av;
  const double curved =
      least_form(huu, huv, hvv) - kSumError * (std::fabs(huu) + huv + std::fabs(hvv));
  const double bound = flat.lo + curved;
  const double least = std::isfinite(bound) ? std::max(bound, plain) : plain;
  const Vec3 low(here.s[0].lo, here.s[1].lo, here.s[2].lo);
  const Vec3 high(here.s[0].hi, here.s[1].hi, here.s[2].hi);
  return {least - kUlp * std::fabs(least), 0.5 * (low + high),
          (high - low).norm() + kSumError * high.norm()};
}

}  // namespace repose::check
