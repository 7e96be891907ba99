#include <fmt/format.h>

#include "shape/define/cube_chart.h"
#include "shape/define/patches.h"
#include "shape/define/terms.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

/// Exponents below this make edges sharper than doubles resolve.
constexpr double kLeastExponent = 0.01;

/// |x|^(p - less).
double power_of_abs(double x, double p, double less = 0.0) {
  return std::pow(std::fabs(x), p - less);
}
Interval power_of_abs(Interval x, double p, double less = 0.0) {
  return pow(abs(x), p, less);
}

/// `size` >= 0 with the sign of x.
double with_sign_of(double x, double size) {
  return std::copysign(size, x);
}
Interval with_sign_of(Interval x, Interval size) {
  if (x.lo >= 0.0) return size;
  if (x.hi <= 0.0) return -size;
  return {-size.hi, size.hi};
}

/// The p-norm of (x, y), scaled so that high powers neither vanish nor overflow.
Interval norm_at(double x, double y, double p) {
  const double m = std::max(x, y);
  if (m == 0.0) return 0.0;
  const Interval a = Interval(x) / Interval(m), b = Interval(y) / Interval(m);
  return Interval(m) * pow_abs(pow_abs(a, p) + pow_abs(b, p), 1.0 / p);
}

/// The p-norm n of (x, y) and the shares |x|/n, |y|/n, which lie in [0, 1]; at x = y = 0, where the
/// shares have no value, doubles give 0 and boxes all of [0, 1].
template <class T>
struct Shares {
  T norm, x, y;
};

Shares<double> shares(double x, double y, double p) {
  x = std::fabs(x);
  y = std::fabs(y);
  const double m = std::max(x, y);
  if (m == 0.0) return {0.0, 0.0, 0.0};
  const double n = m * std::pow(std::pow(x / m, p) + std::pow(y / m, p), 1.0 / p);
  return {n, x / n, y / n};
}

/// The share of x grows with |x| and falls with |y|.
Interval share(Interval x, Interval y, double p) {
  const auto at = [p](double a, double b) { return Interval(a) / norm_at(a, b, p); };
  const double lo = x.lo > 0.0 ? at(x.lo, y.hi).lo : 0.0;
  const double hi = x.hi > 0.0 ? at(x.hi, y.lo).hi : 1.0;
  return {std::clamp(lo, 0.0, 1.0), std::clamp(hi, 0.0, 1.0)};
}

Shares<Interval> shares(Interval x, Interval y, double p) {
  x = abs(x);
  y = abs(y);
  const Interval n{std::max(0.0, norm_at(x.lo, y.lo, p).lo), norm_at(x.hi, y.hi, p).hi};
  return {n, share(x, y, p), share(y, x, p)};
}

/// H(x, y) = n^q with n the p-norm, and its derivatives; with t = |x|/n, s = |y|/n they are
/// bounded: Hx = q n^(q-1) t^(p-1), Hxx = q n^(q-2) ((p-1) t^(p-2) + (q-p) t^(2p-2)),
/// Hxy = q (q-p) n^(q-2) (t s)^(p-1).
template <class T>
struct Waist {
  T h, x, y, xx, xy, yy;

  Waist(T at_x, T at_y, double p, double q) {
    const Shares<T> part = shares(at_x, at_y, p);
    const T n2 = T(q) * power_of_abs(part.norm, q, 2.0);
    const T n1 = T(q) * power_of_abs(part.norm, q, 1.0);
    const T tx = power_of_abs(part.x, p, 1.0), ty = power_of_abs(part.y, p, 1.0);
    const T sx = with_sign_of(at_x, tx), sy = with_sign_of(at_y, ty);
    const T bend = T(q) - T(p), steep = T(p) - T(1.0);
    h = power_of_abs(part.norm, q);
    x = n1 * sx;
    y = n1 * sy;
    xx = n2 * (steep * power_of_abs(part.x, p, 2.0) + bend * detail::squared(tx));
    xy = n2 * bend * sx * sy;
    yy = n2 * (steep * power_of_abs(part.y, p, 2.0) + bend * detail::squared(ty));
  }
};

/// S = A d F(d)^(-1/q) with d = (u, v, +-1) on a face of the cube and F = H(x, y) + |z|^q >= 1.
struct SuperellipsoidChart {
  static constexpr bool kClosedU = false, kClosedV = false, kPlanar = false, kOneFormula = true;
  UvBox domain{-1.0, 1.0, -1.0, 1.0};
  std::array<double, 3> semi_axes;
  CubeAxes axes;
  double p, q;

  template <class T>
  std::array<Jet2<T>, 3> direction(T u, T v) const {
    std::array<Jet2<T>, 3> d;
    d[axes.u] = Jet2<T>::variable_u(u);
    d[axes.v] = Jet2<T>::variable_v(v);
    d[axes.fixed] = Jet2<T>(T(axes.sign));
    return d;
  }
  template <class T>
  Jet2<T> level(const std::array<Jet2<T>, 3>& d) const {
    const Jet2<T>&x = d[0], &y = d[1];
    const Waist<T> w(x.f, y.f, p, q);
    // x and y are linear in u and v
    const auto second = [&](T xa, T ya, T xb, T yb) {
      return w.xx * xa * xb + w.xy * (xa * yb + ya * xb) + w.yy * ya * yb;
    };
    const Jet2<T> waist(w.h, w.x * x.u + w.y * y.u, w.x * x.v + w.y * y.v,
                        second(x.u, y.u, x.u, y.u), second(x.u, y.u, x.v, y.v),
                        second(x.v, y.v, x.v, y.v));
    const T z = d[2].f;
    return waist + detail::chain(power_of_abs(z, q),
                                 T(q) * with_sign_of(z, power_of_abs(z, q, 1.0)),
                                 T(q) * (T(q) - T(1.0)) * power_of_abs(z, q, 2.0), d[2]);
  }
  template <class T>
  Terms<T> terms(T u, T v) const {
    const auto d = direction(u, v);
    const Jet2<T> radius = pow(level(d), -1.0 / q);
    return terms_of(T(semi_axes[0]) * (d[0] * radius), T(semi_axes[1]) * (d[1] * radius),
                    T(semi_axes[2]) * (d[2] * radius));
  }
  /// The gradient of F, which is the same along a ray up to its length.
  Vec3 normal(double u, double v) const {
    const auto d = direction(u, v);
    const Waist<double> w(d[0].f, d[1].f, p, q);
    const double z = d[2].f;
    return Vec3(w.x / semi_axes[0], w.y / semi_axes[1],
                q * with_sign_of(z, power_of_abs(z, q, 1.0)) / semi_axes[2])
        .normalized();
  }
};

Fault check_exponent(const char* name, double e) {
  if (e >= kLeastExponent && e <= 1.0) return std::nullopt;
  return fault("/" + std::string(name), fmt::format("{}", e),
               e > 1.0 ? "the surface would have creases" : "not a usable exponent",
               fmt::format("a number in [{}, 1]", kLeastExponent));
}

}  // namespace

Result<PatchPtr> superellipsoid_patch(const Superellipsoid& s, CubeFace face) {
  if (auto error = first_fault(
          check_length("/semi_axes", s.semi_axes[0]), check_length("/semi_axes", s.semi_axes[1]),
          check_length("/semi_axes", s.semi_axes[2]), check_exponent("north_south", s.north_south),
          check_exponent("east_west", s.east_west)))
    return *error;
  if (s.north_south == 1.0 && s.east_west != 1.0)
    return fault("/north_south", "1", "the curvature would jump at the poles",
                 "less than 1 unless east_west is 1 too");
  SuperellipsoidChart kind;
  kind.semi_axes = {s.semi_axes[0], s.semi_axes[1], s.semi_axes[2]};
  kind.axes = cube_axes(face);
  kind.p = 2.0 / s.east_west;
  kind.q = 2.0 / s.north_south;
  return make_patch(kind);
}

Result<std::vector<PatchPtr>> superellipsoid_patches(const Superellipsoid& s) {
  std::vector<PatchPtr> out;
  for (const CubeFace face : kCubeFaces) {
    auto patch = superellipsoid_patch(s, face);
    if (!patch) return patch.error();
    out.push_back(*patch);
  }
  return out;
}

std::optional<ChartNumbers> superellipsoid_numbers(const Patch& patch) {
  const auto* chart = kind_of<SuperellipsoidChart>(patch);
  if (!chart) return std::nullopt;
  const auto& a = chart->semi_axes;
  return ChartNumbers{Vec3(a[0], a[1], a[2]),
                      chart->p,
                      chart->q,
                      chart->domain,
                      static_cast<int>(chart->axes.fixed),
                      chart->axes.sign};
}

}  // namespace repose::shape
