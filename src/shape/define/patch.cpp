#include "repose/shape/patch.h"

#include <algorithm>
#include <array>

namespace repose::shape {
namespace {

/// |Su x Sv| below this fraction of the patch's own scale counts as vanished.
constexpr double kVanished = 1e-11;

/// The derivative of Su x Sv in the direction d.
Vec3 product_slope(const PatchJet& j, const Vec2& d) {
  return (j.suu * d[0] + j.suv * d[1]).cross(j.sv) + j.su.cross(j.suv * d[0] + j.svv * d[1]);
}

/// Steps from (u, v) into the domain, one along each axis, then both.
std::array<Vec2, 3> inward(const UvBox& box, double u, double v) {
  const Vec2 center = box.center();
  const Vec2 along_u(u <= center[0] ? box.u1 - box.u0 : box.u0 - box.u1, 0.0);
  const Vec2 along_v(0.0, v <= center[1] ? box.v1 - box.v0 : box.v0 - box.v1);
  return {along_v, along_u, along_u + along_v};
}

}  // namespace

Vec3 Patch::normal(double u, double v) const {
  const UvBox box = domain();
  const double du = box.u1 - box.u0, dv = box.v1 - box.v0;
  const PatchJet j = jet(u, v);
  const Vec3 product = j.su.cross(j.sv) * (du * dv);
  const double scale = std::max({j.su.norm() * du, j.sv.norm() * dv, j.suu.norm() * du * du,
                                 j.suv.norm() * du * dv, j.svv.norm() * dv * dv});
  const double least = kVanished * scale * scale;
  if (product.norm() > least) return product.normalized();
  // a pole: the product grows at first order along a step into the domain
  const auto steps = inward(box, u, v);
  for (const Vec2& step : steps) {
    const Vec3 slope = product_slope(j, step) * (du * dv);
    if (slope.norm() > least) return slope.normalized();
  }
  // flatter still: the normal a little way inside
  constexpr double kInside = 1e-4;
  const PatchJet near = jet(u + kInside * steps[2][0], v + kInside * steps[2][1]);
  return near.su.cross(near.sv).normalized();
}

}  // namespace repose::shape
