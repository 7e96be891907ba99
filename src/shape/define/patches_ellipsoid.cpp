#include "shape/define/cube_chart.h"
#include "shape/define/patches.h"
#include "shape/define/terms.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

/// S = A d / |d| with d = (u, v, +-1) on a face of the cube and A the semi-axes. With
/// w = 1/|d| each coordinate is u w, v w or +-w.
struct EllipsoidChart {
  static constexpr bool kClosedU = false, kClosedV = false, kPlanar = false, kOneFormula = true;
  UvBox domain{-1.0, 1.0, -1.0, 1.0};
  std::array<double, 3> semi_axes;
  CubeAxes axes;

  template <class T>
  Terms<T> terms(T u, T v) const {
    using std::sqrt;
    const T one(1.0), two(2.0);
    const T u2 = detail::squared(u), v2 = detail::squared(v), uv = u * v;
    const T q = one + u2 + v2;
    const T w = one / sqrt(q), w3 = w / q, w5 = w3 / q;
    const T bu = w5 * (two * u2 - v2 - one), bv = w5 * (two * v2 - u2 - one);
    const T three_w5 = T(3.0) * w5;
    const T au(semi_axes[axes.u]), av(semi_axes[axes.v]), af(axes.sign * semi_axes[axes.fixed]);
    Terms<T> out;
    const auto put = [&](std::size_t k, T a, std::array<T, 6> f) {
      out.s[k] = a * f[0];
      out.su[k] = a * f[1];
      out.sv[k] = a * f[2];
      out.suu[k] = a * f[3];
      out.suv[k] = a * f[4];
      out.svv[k] = a * f[5];
    };
    put(axes.u, au, {u * w, (one + v2) * w3, -uv * w3, -u * (one + v2) * three_w5, v * bu, u * bv});
    put(axes.v, av, {v * w, -uv * w3, (one + u2) * w3, v * bu, u * bv, -v * (one + u2) * three_w5});
    put(axes.fixed, af, {w, -u * w3, -v * w3, bu, uv * three_w5, bv});
    return out;
  }
  /// The gradient of sum (x_k / a_k)^2.
  Vec3 normal(double u, double v) const {
    Vec3 gradient;
    gradient[static_cast<int>(axes.u)] = u / semi_axes[axes.u];
    gradient[static_cast<int>(axes.v)] = v / semi_axes[axes.v];
    gradient[static_cast<int>(axes.fixed)] = axes.sign / semi_axes[axes.fixed];
    return gradient.normalized();
  }
};

PatchPtr chart(const Vec3& semi_axes, CubeFace face, const UvBox& domain) {
  EllipsoidChart kind;
  kind.domain = domain;
  kind.semi_axes = {semi_axes[0], semi_axes[1], semi_axes[2]};
  kind.axes = cube_axes(face);
  return make_patch(kind);
}

constexpr UvBox kWholeFace{-1.0, 1.0, -1.0, 1.0};

Fault check_axes(const Vec3& semi_axes) {
  return first_fault(check_length("/semi_axes", semi_axes[0]),
                     check_length("/semi_axes", semi_axes[1]),
                     check_length("/semi_axes", semi_axes[2]));
}

}  // namespace

Result<PatchPtr> ellipsoid_patch(const Vec3& semi_axes, CubeFace face) {
  if (auto error = check_axes(semi_axes)) return *error;
  return chart(semi_axes, face, kWholeFace);
}

Result<std::vector<PatchPtr>> ellipsoid_patches(const Vec3& semi_axes) {
  if (auto error = check_axes(semi_axes)) return *error;
  std::vector<PatchPtr> out;
  for (const CubeFace face : kCubeFaces) out.push_back(chart(semi_axes, face, kWholeFace));
  return out;
}

Result<std::vector<PatchPtr>> sphere_patches(double radius) {
  if (auto error = check_length("/radius", radius)) return *error;
  return ellipsoid_patches(Vec3::Constant(radius));
}

Result<std::vector<PatchPtr>> hemisphere_patches(double radius) {
  if (auto error = check_length("/radius", radius)) return *error;
  const Vec3 axes = Vec3::Constant(radius);
  std::vector<PatchPtr> out{chart(axes, CubeFace::z_high, kWholeFace)};
  for (const CubeFace face :
       {CubeFace::x_high, CubeFace::x_low, CubeFace::y_high, CubeFace::y_low}) {
    UvBox upper = kWholeFace;
    (cube_axes(face).u == 2 ? upper.u0 : upper.v0) = 0.0;
    out.push_back(chart(axes, face, upper));
  }
  return out;
}

std::optional<ChartNumbers> ellipsoid_numbers(const Patch& patch) {
  const auto* chart = kind_of<EllipsoidChart>(patch);
  if (!chart) return std::nullopt;
  const auto& a = chart->semi_axes;
  return ChartNumbers{
      Vec3(a[0], a[1], a[2]), 2.0, 2.0, chart->domain, static_cast<int>(chart->axes.fixed),
      chart->axes.sign};
}

}  // namespace repose::shape
