#include <numbers>

#include <fmt/format.h>

#include "repose/shape/patches.h"

#include "shape/define/patches.h"
#include "shape/define/terms.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;

/// Radius and height linear in v.
struct Cone {
  static constexpr bool kClosedU = true, kClosedV = false, kPlanar = false, kOneFormula = true;
  UvBox domain{-kPi, kPi, 0.0, 1.0};
  double r0, r1, z0, z1;

  template <class T>
  Terms<T> terms(T u, T v) const {
    using std::cos;
    using std::sin;
    const T c = cos(u), s = sin(u), zero(0.0);
    const T dr = T(r1) - T(r0), dz = T(z1) - T(z0), r = T(r0) + dr * v;
    return {{r * c, r * s, T(z0) + dz * v}, {-r * s, r * c, zero},   {dr * c, dr * s, dz},
            {-r * c, -r * s, zero},         {-dr * s, dr * c, zero}, {zero, zero, zero}};
  }
  /// Su x Sv divided by the radius: good at the apex too.
  Vec3 normal(double u, double) const {
    const double dz = z1 - z0;
    return Vec3(dz * std::cos(u), dz * std::sin(u), r0 - r1).normalized();
  }
};

struct Torus {
  static constexpr bool kClosedU = true, kClosedV = true, kPlanar = false, kOneFormula = true;
  UvBox domain{-kPi, kPi, -kPi, kPi};
  double major, minor;

  template <class T>
  Terms<T> terms(T u, T v) const {
    using std::cos;
    using std::sin;
    const T c = cos(u), s = sin(u), rc = T(minor) * cos(v), rs = T(minor) * sin(v), zero(0.0);
    const T r = T(major) + rc;
    return {{r * c, r * s, rs},     {-r * s, r * c, zero},   {-rs * c, -rs * s, rc},
            {-r * c, -r * s, zero}, {rs * s, -rs * c, zero}, {-rc * c, -rc * s, -rs}};
  }
  Vec3 normal(double u, double v) const {
    return {std::cos(v) * std::cos(u), std::cos(v) * std::sin(u), std::sin(v)};
  }
};

}  // namespace

Result<PatchPtr> cylinder_side(double radius, double z0, double z1) {
  if (auto error = check_length("/radius", radius)) return *error;
  return cone_side(radius, radius, z0, z1);
}

Result<PatchPtr> cone_side(double r0, double r1, double z0, double z1) {
  if (auto error = first_fault(check_length_or_zero("/r0", r0), check_length_or_zero("/r1", r1),
                               check_coordinate("/z0", z0), check_coordinate("/z1", z1)))
    return *error;
  if (r0 == 0.0 && r1 == 0.0)
    return fault("/r1", "0", "both radii are 0", "at most one radius of 0");
  if (z0 == z1) return fault("/z1", fmt::format("{}", z1), "no height", "z1 other than z0");
  Cone cone;
  cone.r0 = r0;
  cone.r1 = r1;
  cone.z0 = z0;
  cone.z1 = z1;
  return make_patch(cone);
}

Result<PatchPtr> torus_patch(double major, double minor) {
  if (auto error = first_fault(check_length("/major", major), check_length("/minor", minor)))
    return *error;
  if (!(major > minor))
    return fault("/minor", fmt::format("{}", minor), "the torus would meet itself",
                 fmt::format("less than the major radius {}", major));
  Torus torus;
  torus.major = major;
  torus.minor = minor;
  return make_patch(torus);
}

std::optional<FrustumForm> cone_numbers(const Patch& patch) {
  const Cone* cone = kind_of<Cone>(patch);
  if (!cone) return std::nullopt;
  return FrustumForm{cone->r0, cone->r1, cone->z0, cone->z1};
}

std::optional<TorusForm> torus_numbers(const Patch& patch) {
  const Torus* torus = kind_of<Torus>(patch);
  if (!torus) return std::nullopt;
  return TorusForm{torus->major, torus->minor};
}

}  // namespace repose::shape
