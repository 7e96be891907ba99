#include <numbers>

#include "repose/shape/patches.h"

#include "shape/define/patches.h"
#include "shape/define/terms.h"
#include "shape/define/validate.h"

namespace repose::shape {
namespace {

/// Edges more nearly parallel than this (sine of their angle) span no rectangle.
constexpr double kParallel = 1e-9;

struct Plane {
  static constexpr bool kClosedU = false, kClosedV = false, kPlanar = true, kOneFormula = true;
  UvBox domain;
  std::array<double, 3> origin, edge_u, edge_v;
  Vec3 unit_normal;

  template <class T>
  Terms<T> terms(T u, T v) const {
    Terms<T> out{};
    for (std::size_t k = 0; k < 3; ++k) {
      out.s[k] = T(origin[k]) + T(edge_u[k]) * u + T(edge_v[k]) * v;
      out.su[k] = T(edge_u[k]);
      out.sv[k] = T(edge_v[k]);
    }
    return out;
  }
  Vec3 normal(double, double) const { return unit_normal; }
};

/// a sqrt(1 - b^2/2), a coordinate of the disc, as a function of (a, b); then derivatives follow
/// with h = sqrt(1 - b^2/2), h' = -b/(2h), h'' = -1/(2 h^3).
template <class T>
struct DiscCoordinate {
  T f, a, b, ab, bb;

  DiscCoordinate(T at_a, T at_b) {
    using std::sqrt;
    const T h2 = T(1.0) - T(0.5) * detail::squared(at_b);
    const T h = sqrt(h2);
    const T slope = T(-0.5) * at_b / h;
    f = at_a * h;
    a = h;
    b = at_a * slope;
    ab = slope;
    bb = T(-0.5) * at_a / (h * h2);
  }
};

struct DiscKind {
  static constexpr bool kClosedU = false, kClosedV = false, kPlanar = true, kOneFormula = true;
  UvBox domain{-1.0, 1.0, -1.0, 1.0};
  double radius;

  template <class T>
  Terms<T> terms(T u, T v) const {
    const DiscCoordinate<T> x(u, v), y(v, u);
    const T r(radius), zero(0.0);
    return {{r * x.f, r * y.f, zero}, {r * x.a, r * y.b, zero},   {r * x.b, r * y.a, zero},
            {zero, r * y.bb, zero},   {r * x.ab, r * y.ab, zero}, {r * x.bb, zero, zero}};
  }
  Vec3 normal(double, double) const { return Vec3::UnitZ(); }
};

struct Annulus {
  static constexpr bool kClosedU = true, kClosedV = false, kPlanar = true, kOneFormula = true;
  UvBox domain{-std::numbers::pi, std::numbers::pi, 0.0, 1.0};
  double inner, outer;

  template <class T>
  Terms<T> terms(T u, T v) const {
    using std::cos;
    using std::sin;
    const T c = cos(u), s = sin(u), zero(0.0);
    const T width = T(outer) - T(inner), r = T(inner) + width * v;
    return {{r * c, r * s, zero},   {-r * s, r * c, zero},         {width * c, width * s, zero},
            {-r * c, -r * s, zero}, {-width * s, width * c, zero}, {zero, zero, zero}};
  }
  Vec3 normal(double, double) const { return -Vec3::UnitZ(); }
};

std::array<double, 3> array3(const Vec3& v) {
  return {v[0], v[1], v[2]};
}

}  // namespace

Result<PatchPtr> plane_patch(const Vec3& origin, const Vec3& edge_u, const Vec3& edge_v) {
  if (auto error =
          first_fault(check_point("/origin", origin), check_length("/edge_u", edge_u.norm()),
                      check_length("/edge_v", edge_v.norm())))
    return *error;
  const Vec3 product = edge_u.normalized().cross(edge_v.normalized());
  if (product.norm() < kParallel)
    return fault("/edge_v", "", "the two edges are parallel", "edges that span a plane");
  return make_patch(
      Plane{{}, array3(origin), array3(edge_u), array3(edge_v), product.normalized()});
}

Result<PatchPtr> disc_patch(double radius) {
  if (auto error = check_length("/radius", radius)) return *error;
  DiscKind disc;
  disc.radius = radius;
  return make_patch(disc);
}

Result<PatchPtr> annulus_patch(double inner, double outer) {
  if (auto error = first_fault(check_length("/inner", inner), check_length("/outer", outer)))
    return *error;
  if (!(inner < outer))
    return fault("/outer", std::to_string(outer), "the outer radius is not the larger",
                 "outer > inner");
  Annulus ring;
  ring.inner = inner;
  ring.outer = outer;
  return make_patch(ring);
}

bool parallelogram(const Patch& patch) {
  return kind_of<Plane>(patch) != nullptr;
}

std::optional<double> disc_radius(const Patch& patch) {
  const DiscKind* disc = kind_of<DiscKind>(patch);
  if (!disc) return std::nullopt;
  return disc->radius;
}

std::optional<AnnulusNumbers> annulus_numbers(const Patch& patch) {
  const Annulus* ring = kind_of<Annulus>(patch);
  if (!ring) return std::nullopt;
  return AnnulusNumbers{ring->inner, ring->outer};
}

}  // namespace repose::shape
