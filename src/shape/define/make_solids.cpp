#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "repose/shape/patches.h"

#include "shape/define/build_solid.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;

/// An argument error of a patch, told with the maker's own field name.
InputError renamed(InputError error, const std::string& pointer) {
  error.pointer = pointer;
  return error;
}

PatchPtr shifted(PatchPtr patch, double z) {
  return placed(std::move(patch), {Vec3(0.0, 0.0, z), Quat::Identity()});
}

/// A sphere's mean of x^2 over its volume is r^2 / 5.
VolumeProperties ball_properties(double r) {
  return symmetric_properties(4.0 / 3.0 * kPi * r * r * r, 4.0 * kPi * r * r, Vec3::Zero(),
                              Vec3::Constant(r * r / 5.0));
}

/// Of a frustum from radius r0 at z = 0 to r1 at z = h: closed forms of the integrals of r^2 and
/// r^4 over z.
VolumeProperties frustum_properties(double r0, double r1, double h) {
  const double s2 = r0 * r0 + r0 * r1 + r1 * r1;
  const double volume = kPi * h / 3.0 * s2;
  const double z1 = h * (r0 * r0 + 2.0 * r0 * r1 + 3.0 * r1 * r1) / (4.0 * s2);
  const double z2 = h * h * (r0 * r0 + 3.0 * r0 * r1 + 6.0 * r1 * r1) / (10.0 * s2);
  const double r4 = r0 * r0 * r0 * r0 + r0 * r0 * r0 * r1 + r0 * r0 * r1 * r1 + r0 * r1 * r1 * r1 +
                    r1 * r1 * r1 * r1;
  const double x2 = 3.0 / 20.0 * r4 / s2;
  const double slant = std::hypot(h, r0 - r1);
  const double area = kPi * (r0 + r1) * slant + kPi * (r0 * r0 + r1 * r1);
  return symmetric_properties(volume, area, Vec3(0.0, 0.0, z1), Vec3(x2, x2, z2 - z1 * z1));
}

/// Smallest ball about two coaxial discs, r0 at z = 0 and r1 at z = h.
BoundingBall frustum_ball(double r0, double r1, double h) {
  // equal distance to both rims, kept between them
  double z = 0.5 * (h * h + r1 * r1 - r0 * r0) / h;
  z = std::min(std::max(z, 0.0), h);
  return {Vec3(0.0, 0.0, z), std::max(std::hypot(r0, z), std::hypot(r1, h - z))};
}

Result<ShapePtr> make_frustum(const ConeInput& in, double z0, ShapeKind kind) {
  const double r0 = in.radius, r1 = in.top_radius, h = in.height;
  auto side = r0 == r1 ? cylinder_side(r0, z0, z0 + h) : cone_side(r0, r1, z0, z0 + h);
  auto base = disc_patch(r0);
  if (!side) return renamed(side.error(), "/radius");
  if (!base) return renamed(base.error(), "/radius");
  std::vector<PatchPtr> patches{*side, shifted(*base, z0)};
  if (r1 > 0.0) {
    auto top = disc_patch(r1);
    if (!top) return renamed(top.error(), "/top_radius");
    patches.push_back(shifted(*top, z0 + h));
  }
  BoundingBall ball = frustum_ball(r0, r1, h);
  VolumeProperties volume = frustum_properties(r0, r1, h);
  ball.center.z() += z0;
  volume.center.z() += z0;
  return build_known_solid(kind, patches, ball, volume);
}

Fault check_radii(const Vec3& radii) {
  for (int i = 0; i < 3; ++i)
    if (auto bad = check_length(fmt::format("/radii/{}", i), radii[i])) return bad;
  return {};
}

}  // namespace

Result<ShapePtr> make_ball(const BallInput& in) {
  if (auto bad = check_length("/radius", in.radius)) return *bad;
  return finished(ShapeKind::ball, Ball{in.radius}, {Vec3::Zero(), in.radius},
                  ball_properties(in.radius));
}

Result<ShapePtr> make_half_space() {
  return finished(ShapeKind::half_space, HalfSpace{},
                  {Vec3::Zero(), std::numeric_limits<double>::infinity()}, {});
}

Result<ShapePtr> make_box(const BoxInput& in) {
  for (int i = 0; i < 3; ++i)
    if (auto bad = check_length(fmt::format("/size/{}", i), in.size[i])) return *bad;
  const Vec3 h = 0.5 * in.size;
  std::vector<PatchPtr> patches;
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      const int j = (axis + 1) % 3, k = (axis + 2) % 3;
      Vec3 origin = -h, edge_j = Vec3::Zero(), edge_k = Vec3::Zero();
      origin[axis] = sign * h[axis];
      edge_j[j] = in.size[j];
      edge_k[k] = in.size[k];
      auto patch =
          sign > 0.0 ? plane_patch(origin, edge_j, edge_k) : plane_patch(origin, edge_k, edge_j);
      if (!patch) return renamed(patch.error(), "/size");
      patches.push_back(*patch);
    }
  const Vec3 s = in.size;
  const auto volume =
      symmetric_properties(s.prod(), 2.0 * (s.x() * s.y() + s.y() * s.z() + s.z() * s.x()),
                           Vec3::Zero(), s.cwiseProduct(s) / 12.0);
  return build_known_solid(ShapeKind::box, patches, {Vec3::Zero(), h.norm()}, volume);
}

Result<ShapePtr> make_ellipsoid(const EllipsoidInput& in) {
  if (auto bad = check_radii(in.radii)) return *bad;
  auto patches = ellipsoid_patches(in.radii);
  if (!patches) return renamed(patches.error(), "/radii");
  // Knud Thomsen has only an approximation; the quadrature of the patches gives the area
  const double area = area_of(*patches);
  const auto volume = symmetric_properties(4.0 / 3.0 * kPi * in.radii.prod(), area, Vec3::Zero(),
                                           in.radii.cwiseProduct(in.radii) / 5.0);
  return build_known_solid(ShapeKind::ellipsoid, *patches, {Vec3::Zero(), in.radii.maxCoeff()},
                           volume);
}

Result<ShapePtr> make_superellipsoid(const SuperellipsoidInput& in) {
  if (auto bad = check_radii(in.radii)) return *bad;
  auto patches = superellipsoid_patches({in.radii, in.north_south, in.east_west});
  if (!patches) return patches.error();
  return build_solid(ShapeKind::superellipsoid, *patches, {}, "/radii");
}

Result<ShapePtr> make_cylinder(const CylinderInput& in) {
  if (auto bad = check_length("/radius", in.radius)) return *bad;
  if (auto bad = check_length("/height", in.height)) return *bad;
  return make_frustum({in.radius, in.height, in.radius}, -0.5 * in.height, ShapeKind::cylinder);
}

Result<ShapePtr> make_cone(const ConeInput& in) {
  if (auto bad = check_length("/radius", in.radius)) return *bad;
  if (auto bad = check_length("/height", in.height)) return *bad;
  if (in.top_radius != 0.0)
    if (auto bad = check_length("/top_radius", in.top_radius)) {
      bad->right += ", or 0 for an apex";
      return *bad;
    }
  return make_frustum(in, 0.0, ShapeKind::cone);
}

Result<ShapePtr> make_capsule(const CapsuleInput& in) {
  if (auto bad = check_length("/radius", in.radius)) return *bad;
  if (auto bad = check_length("/height", in.height)) return *bad;
  const double r = in.radius, h = in.height;
  auto side = cylinder_side(r, -0.5 * h, 0.5 * h);
  auto cap = hemisphere_patches(r);
  if (!side) return renamed(side.error(), "/radius");
  if (!cap) return renamed(cap.error(), "/radius");
  std::vector<PatchPtr> patches{*side};
  const Quat over = Quat(0.0, 1.0, 0.0, 0.0);  // half a turn about x
  for (const PatchPtr& p : *cap) patches.push_back(shifted(p, 0.5 * h));
  for (const PatchPtr& p : *cap) patches.push_back(placed(p, {Vec3(0.0, 0.0, -0.5 * h), over}));
  // a cylinder and a ball cut in two
  const double cylinder = kPi * r * r * h, ball = 4.0 / 3.0 * kPi * r * r * r;
  const double volume = cylinder + ball;
  const double x2 = (cylinder * r * r / 4.0 + ball * r * r / 5.0) / volume;
  const double z2 =
      (cylinder * h * h / 12.0 + ball * (r * r / 5.0 + h * h / 4.0 + 3.0 / 8.0 * h * r)) / volume;
  return build_known_solid(ShapeKind::capsule, patches, {Vec3::Zero(), r + 0.5 * h},
                           symmetric_properties(volume, 2.0 * kPi * r * h + 4.0 * kPi * r * r,
                                                Vec3::Zero(), Vec3(x2, x2, z2)));
}

Result<ShapePtr> make_torus(const TorusInput& in) {
  if (auto bad = check_length("/ring_radius", in.ring_radius)) return *bad;
  if (auto bad = check_length("/tube_radius", in.tube_radius)) return *bad;
  const double R = in.ring_radius, r = in.tube_radius;
  if (!(r < R))
    return fault("/tube_radius", number_text(r), "the tube fills its own ring",
                 fmt::format("less than ring_radius = {}", R));
  auto patch = torus_patch(R, r);
  if (!patch) return renamed(patch.error(), "/tube_radius");
  const double x2 = 0.5 * (R * R + 0.75 * r * r);
  return build_known_solid(
      ShapeKind::torus, {*patch}, {Vec3::Zero(), R + r},
      symmetric_properties(2.0 * kPi * kPi * R * r * r, 4.0 * kPi * kPi * R * r, Vec3::Zero(),
                           Vec3(x2, x2, r * r / 4.0)));
}

Result<ShapePtr> make_revolution(const RevolutionInput& in) {
  constexpr std::size_t kMaxPoints = 10000;
  if (auto bad = check_count("/profile", in.profile.size(), 2, kMaxPoints)) return *bad;
  std::vector<ProfilePoint> profile;
  for (std::size_t i = 0; i < in.profile.size(); ++i) {
    const std::string here = fmt::format("/profile/{}", i);
    if (auto bad = check_point(here, in.profile[i])) return *bad;
    if (in.profile[i].x() < 0.0)
      return fault(here, number_text(in.profile[i].x()), "the profile crosses the axis",
                   "a distance from the axis of 0 or more");
    profile.push_back({in.profile[i].x(), in.profile[i].y(), false});
  }
  for (std::size_t i = 0; i < in.corners.size(); ++i) {
    if (auto bad = check_index(fmt::format("/corners/{}", i), in.corners[i], profile.size()))
      return *bad;
    profile[in.corners[i]].corner = true;
  }
  if (!in.closed) {
    // an end off the axis is closed by a flat piece to the axis
    if (profile.front().r > 0.0) {
      profile.front().corner = true;
      profile.insert(profile.begin(), {0.0, profile.front().z, true});
    }
    if (profile.back().r > 0.0) {
      profile.back().corner = true;
      profile.push_back({0.0, profile.back().z, true});
    }
  }
  auto patches = revolved_patches(profile, in.closed);
  if (!patches) return renamed(patches.error(), "/profile");
  return build_solid(ShapeKind::revolution, *patches, {}, "/profile");
}

}  // namespace repose::shape
