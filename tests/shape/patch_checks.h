#pragma once

#include <algorithm>
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/patch.h"

namespace repose::shape {

/// The slope of f at 0 by five points: central, forward or backward, each with error h^4.
template <class F>
std::array<Vec3, 3> slopes(F f, double h) {
  const Vec3 f0 = f(0.0);
  const auto one_sided = [&](double s) -> Vec3 {
    return (-25.0 * f0 + 48.0 * f(s) - 36.0 * f(2 * s) + 16.0 * f(3 * s) - 3.0 * f(4 * s)) /
           (12.0 * s);
  };
  const Vec3 central = (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
  return {central, one_sided(h), one_sided(-h)};
}

/// How far `exact` is from the nearest of the difference quotients: a spline's knot spoils those
/// that straddle it, and a quotient that leaves the domain is not asked.
inline double mismatch(const Vec3& exact, const std::array<Vec3, 3>& differences, bool below,
                       bool above) {
  double least = 1e300;
  if (below && above) least = std::min(least, (exact - differences[0]).norm());
  if (above) least = std::min(least, (exact - differences[1]).norm());
  if (below) least = std::min(least, (exact - differences[2]).norm());
  return least;
}

struct DerivativeCheck {
  double size = 1.0;        // m, of the patch
  double tolerance = 1e-7;  // relative to size and the domain's extent
  double step = 1e-3;       // fraction of the domain
  std::string name;
};

/// The jet's first derivatives are those of its points and its second those of its first.
inline void expect_derivatives_at(const Patch& patch, double u, double v,
                                  const DerivativeCheck& check) {
  const UvBox box = patch.domain();
  const double du = box.u1 - box.u0, dv = box.v1 - box.v0;
  const double hu = check.step * du, hv = check.step * dv;
  const bool u_below = u - 4 * hu >= box.u0, u_above = u + 4 * hu <= box.u1;
  const bool v_below = v - 4 * hv >= box.v0, v_above = v + 4 * hv <= box.v1;
  const PatchJet j = patch.jet(u, v);
  const auto clamped = [&](double a, double b) {
    return patch.jet(std::clamp(a, box.u0, box.u1), std::clamp(b, box.v0, box.v1));
  };
  const auto along_u = [&](auto member) {
    return slopes([&](double s) { return Vec3(clamped(u + s, v).*member); }, hu);
  };
  const auto along_v = [&](auto member) {
    return slopes([&](double s) { return Vec3(clamped(u, v + s).*member); }, hv);
  };
  const double tolerance = check.tolerance * check.size;
  const auto where = [&] {
    return check.name + " at (" + std::to_string(u) + ", " + std::to_string(v) + ")";
  };
  using J = PatchJet;
  EXPECT_LE(mismatch(j.su, along_u(&J::s), u_below, u_above) * du, tolerance) << where() << " su";
  EXPECT_LE(mismatch(j.sv, along_v(&J::s), v_below, v_above) * dv, tolerance) << where() << " sv";
  EXPECT_LE(mismatch(j.suu, along_u(&J::su), u_below, u_above) * du * du, tolerance)
      << where() << " suu";
  EXPECT_LE(mismatch(j.suv, along_v(&J::su), v_below, v_above) * du * dv, tolerance)
      << where() << " suv";
  EXPECT_LE(mismatch(j.suv, along_u(&J::sv), u_below, u_above) * du * dv, tolerance)
      << where() << " suv again";
  EXPECT_LE(mismatch(j.svv, along_v(&J::sv), v_below, v_above) * dv * dv, tolerance)
      << where() << " svv";
  EXPECT_LE((patch.point(u, v) - j.s).norm(), 1e-14 * check.size) << where();
}

/// At random interior points, along all four borders (seams, poles) and at the corners.
inline void expect_exact_derivatives(const Patch& patch, const DerivativeCheck& check) {
  const UvBox box = patch.domain();
  Random random(17);
  for (int i = 0; i < 40; ++i) {
    double u = random.between(box.u0, box.u1), v = random.between(box.v0, box.v1);
    if (i >= 16 && i < 20) u = i % 2 == 0 ? box.u0 : box.u1;
    if (i >= 20 && i < 24) v = i % 2 == 0 ? box.v0 : box.v1;
    if (i >= 24 && i < 28) {
      u = i % 2 == 0 ? box.u0 : box.u1;
      v = i % 4 < 2 ? box.v0 : box.v1;
    }
    expect_derivatives_at(patch, u, v, check);
  }
}

inline UvBox random_box(Random& random, const UvBox& domain, double fraction) {
  const double wu = fraction * (domain.u1 - domain.u0), wv = fraction * (domain.v1 - domain.v0);
  const double u = random.between(domain.u0, domain.u1 - wu);
  const double v = random.between(domain.v0, domain.v1 - wv);
  return {u, std::min(u + wu, domain.u1), v, std::min(v + wv, domain.v1)};
}

inline bool holds(const IVec3& box, const Vec3& x, double slack) {
  for (std::size_t k = 0; k < 3; ++k) {
    const double at = x[static_cast<int>(k)];
    if (!(box[k].lo - slack <= at && at <= box[k].hi + slack)) return false;
  }
  return true;
}

inline double widest(const IVec3& box) {
  return std::max({box[0].width(), box[1].width(), box[2].width()});
}

inline std::array<std::pair<IVec3, Vec3>, 6> pairs_of(const PatchEnclosure& e, const PatchJet& j) {
  return {{{e.s, j.s}, {e.su, j.su}, {e.sv, j.sv}, {e.suu, j.suu}, {e.suv, j.suv}, {e.svv, j.svv}}};
}

/// Boxes of all sizes hold the jets at random points and corners of them. The slack is the rounding
/// of the jet itself, a few units in the last place.
inline void expect_enclosures_hold(const Patch& patch, const std::string& name,
                                   double rounding = 1e-14) {
  Random random(23);
  const UvBox domain = patch.domain();
  const PatchEnclosure whole = patch.enclose(domain);
  const double du = domain.u1 - domain.u0, dv = domain.v1 - domain.v0;
  const std::array<double, 6> per = {1.0,           1 / du,        1 / dv,
                                     1 / (du * du), 1 / (du * dv), 1 / (dv * dv)};
  for (int i = 0; i < 300; ++i) {
    const UvBox box = random_box(random, patch.domain(), std::pow(10.0, random.between(-7, 0)));
    const PatchEnclosure enclosure = patch.enclose(box);
    const double u = i % 3 == 0 ? box.u1 : random.between(box.u0, box.u1);
    const double v = i % 5 == 0 ? box.v0 : random.between(box.v0, box.v1);
    const PatchJet j = patch.jet(u, v);
    const auto small = pairs_of(enclosure, j), large = pairs_of(whole, j);
    for (std::size_t k = 0; k < small.size(); ++k) {
      const double slack =
          rounding * (small[k].second.norm() + j.s.norm() * per[k] + 1e-3 * widest(large[k].first));
      ASSERT_TRUE(holds(small[k].first, small[k].second, std::isfinite(slack) ? slack : 0.0))
          << name << " term " << k << " at (" << u << ", " << v << ") of a box " << box.u1 - box.u0
          << " wide";
      ASSERT_TRUE(holds(large[k].first, small[k].second, std::isfinite(slack) ? slack : 0.0))
          << name << " term " << k << " over the whole domain";
    }
  }
}

/// Halving a small box at least nearly halves its enclosure; `terms` of the six are asked.
inline void expect_first_order_shrinking(const Patch& patch, const std::string& name,
                                         std::size_t terms = 6) {
  Random random(29);
  for (int i = 0; i < 30; ++i) {
    const UvBox large = random_box(random, patch.domain(), 1e-2);
    const Vec2 c = large.center();
    constexpr double kShrink = 1.0 / 16.0;
    const double wu = kShrink * 0.5 * (large.u1 - large.u0),
                 wv = kShrink * 0.5 * (large.v1 - large.v0);
    const UvBox small{c[0] - wu, c[0] + wu, c[1] - wv, c[1] + wv};
    const PatchJet j = patch.jet(c[0], c[1]);
    const auto before = pairs_of(patch.enclose(large), j),
               after = pairs_of(patch.enclose(small), j);
    for (std::size_t k = 0; k < terms; ++k) {
      const double floor = 1e-12 * (j.s.norm() + before[k].second.norm());
      ASSERT_TRUE(std::isfinite(widest(before[k].first))) << name << " term " << k;
      EXPECT_LE(widest(after[k].first), 1.6 * kShrink * widest(before[k].first) + floor)
          << name << " term " << k << " at (" << c[0] << ", " << c[1] << ")";
    }
  }
}

/// Unit, and along Su x Sv wherever that product does not vanish; at the borders the limit from
/// inside.
inline void expect_exact_normals(const Patch& patch, const std::string& name) {
  const UvBox box = patch.domain();
  Random random(31);
  for (int i = 0; i < 60; ++i) {
    const double u = random.between(box.u0, box.u1), v = random.between(box.v0, box.v1);
    const PatchJet j = patch.jet(u, v);
    const Vec3 n = patch.normal(u, v);
    EXPECT_NEAR(n.norm(), 1.0, 1e-14) << name;
    EXPECT_NEAR((n - j.su.cross(j.sv).normalized()).norm(), 0.0, 1e-9) << name;
  }
  const Vec2 c = box.center();
  for (int i = 0; i < 20; ++i) {
    double u = random.between(box.u0, box.u1), v = random.between(box.v0, box.v1);
    if (i % 2 == 0) u = i % 4 == 0 ? box.u0 : box.u1;
    if (i % 2 == 1) v = i % 4 == 1 ? box.v0 : box.v1;
    constexpr double kStep = 1e-6;
    const Vec3 n = patch.normal(u, v);
    const Vec3 inside = patch.normal(i % 2 == 0 ? u + kStep * (c[0] - u) : u,
                                     i % 2 == 1 ? v + kStep * (c[1] - v) : v);
    EXPECT_NEAR(n.norm(), 1.0, 1e-14) << name;
    EXPECT_NEAR((n - inside).norm(), 0.0, 1e-3) << name << " at (" << u << ", " << v << ")";
  }
}

/// What closes on itself does so with its derivatives.
inline void expect_seams_meet(const Patch& patch, double size, const std::string& name) {
  const UvBox box = patch.domain();
  const auto same = [&](const PatchJet& a, const PatchJet& b) {
    const double d =
        std::max({(a.s - b.s).norm(), (a.su - b.su).norm(), (a.sv - b.sv).norm(),
                  (a.suu - b.suu).norm(), (a.suv - b.suv).norm(), (a.svv - b.svv).norm()});
    const double scale = size + a.svv.norm() + a.suu.norm();
    EXPECT_LE(d, 1e-10 * scale) << name;
  };
  for (int i = 0; i <= 10; ++i) {
    const double t = 0.1 * i;
    const double u = box.u0 + t * (box.u1 - box.u0), v = box.v0 + t * (box.v1 - box.v0);
    if (patch.closed_u()) same(patch.jet(box.u0, v), patch.jet(box.u1, v));
    if (patch.closed_v()) same(patch.jet(u, box.v0), patch.jet(u, box.v1));
  }
}

/// All of the above, for a patch of the given size in metres.
inline void expect_sound_patch(const Patch& patch, double size, const std::string& name) {
  expect_exact_derivatives(patch, {.size = size, .name = name});
  expect_enclosures_hold(patch, name);
  expect_first_order_shrinking(patch, name);
  expect_exact_normals(patch, name);
  expect_seams_meet(patch, size, name);
}

}  // namespace repose::shape
