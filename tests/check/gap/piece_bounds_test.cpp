// Every term of what bounds a piece of surface, each shown where no other hides it; and hollows.
#include <array>

#include <gtest/gtest.h>

#include "check/sweep_bodies.h"
#include "src/check/gap/inside.h"
#include "src/check/gap/least_along.h"
#include "src/check/gap/surface.h"

namespace repose::check {
namespace {

/// Height (uu u^2 + 2 uv u v + vv v^2) / 2 over a square; exact for binary fractions.
struct Saddle : shape::Patch {
  double uu, uv, vv;
  Saddle(double bend_u, double mixed, double bend_v) : uu(bend_u), uv(mixed), vv(bend_v) {}
  shape::UvBox domain() const override { return {-1, 1, -1, 1}; }
  shape::PatchJet jet(double u, double v) const override {
    return {Vec3(u, v, 0.5 * (uu * u * u + 2.0 * uv * u * v + vv * v * v)),
            Vec3(1, 0, uu * u + uv * v),
            Vec3(0, 1, vv * v + uv * u),
            Vec3(0, 0, uu),
            Vec3(0, 0, uv),
            Vec3(0, 0, vv)};
  }
  shape::PatchEnclosure enclose(const shape::UvBox& b) const override {
    const Interval u(b.u0, b.u1), v(b.v0, b.v1), one(1.0), zero(0.0), half(0.5);
    const Interval a(uu), c(uv), d(vv);
    return {{u, v, half * (a * u * u + d * v * v) + c * u * v},
            {one, zero, a * u + c * v},
            {zero, one, d * v + c * u},
            {zero, zero, a},
            {zero, zero, c},
            {zero, zero, d}};
  }
};

TEST(Piece, no_corner_of_what_bounds_it_is_farther_from_its_centre_than_its_size) {
  const auto expect_within = [](const Piece& p) {
    for (int k = 0; k < 32; ++k) {
      const auto sign = [k](int bit) { return k >> bit & 1 ? 1.0 : -1.0; };
      const Vec3 corner = sign(0) * p.half_u + sign(1) * p.half_v +
                          sign(2) * p.thickness * p.normal + sign(3) * p.sway_u +
                          sign(4) * p.sway_v;
      EXPECT_LE(corner.norm() + p.slack, p.size * (1.0 + 1e-12));
    }
  };
  Random random(70);
  for (const auto make : sweep::makers()) {
    const sweep::Body body = make(random);
    const auto* solid = std::get_if<shape::Solid>(&body.shape->geometry);
    if (!solid) continue;
    for (const auto& face : solid->parts[0].faces)
      for (const double share : {1.0, 0.3, 0.1, 0.01, 1e-4}) {
        const shape::UvBox d = face.patch->domain();
        expect_within(patch_piece(
            *face.patch, {d.u0, d.u0 + share * (d.u1 - d.u0), d.v0, d.v0 + share * (d.v1 - d.v0)}));
      }
  }
  // slivers have no width that could hide a missing term: bent ones their thickness, flat ones far
  // from the origin what rounding adds
  expect_within(patch_piece(Saddle(1, 0, 0), {-0.5, 0.5, -1e-9, 1e-9}));
  expect_within(patch_piece(Saddle(0, 0, 1), {-1e-9, 1e-9, -0.5, 0.5}));
  const auto far =
      shape::placed(std::make_shared<Saddle>(0, 0, 0), {Vec3(1e6, 0, 0), Quat(1, 0, 0, 0)});
  expect_within(patch_piece(*far, {-1e-3, 1e-3, -1e-12, 1e-12}));
}

TEST(LeastAlong, leaves_room_for_every_bending_that_enters) {
  // from the middle of a saddle the bound is that of the form itself: only the room keeps it below
  for (const auto& [uu, uv, vv] :
       {std::array{0.125, 1.0, 0.125}, {1.0 / 128, 0.25, 1.0}, {1.0, 0.25, 1.0 / 128}})
    for (const double half : {1.0, 0.5, 0.125}) {
      const LeastAlong got =
          least_along(Saddle(uu, uv, vv), {-half, half, -half, half}, Vec3::UnitZ());
      // on the side where the smaller bending is followed to its end
      const double more = std::max(uu, vv), less = std::min(uu, vv);
      const double form = uv < more ? less - uv * uv / more : uu - 2.0 * uv + vv;
      const double truth = 0.5 * form * half * half;
      EXPECT_LE(got.lower, truth) << uu << ' ' << uv << ' ' << vv;
      EXPECT_GE(got.lower, truth - 1e-14) << uu << ' ' << uv << ' ' << vv;
    }
}

TEST(Inside, a_hollow_is_outside_though_every_ray_meets_both_of_its_walls) {
  const auto wide = box_mesh(Vec3(2, 2, 2)), narrow = box_mesh(Vec3(1, 1, 1));
  const auto& inner = std::get<shape::TriangleMesh>(narrow->geometry);
  shape::TriangleMesh both = std::get<shape::TriangleMesh>(wide->geometry);
  for (const Vec3& p : inner.points) both.points.push_back(p);
  for (const auto& t : inner.triangles) both.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  Surface shell(*mesh(both.points, both.triangles));
  Random random(71);
  for (int k = 0; k < 60; ++k) {
    const Vec3 d(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    EXPECT_EQ(side_of(shell, 0.49 * d), Side::outside) << d.transpose();
    const Vec3 out = d / d.cwiseAbs().maxCoeff();
    EXPECT_EQ(side_of(shell, random.between(0.51, 0.99) * out), Side::inside) << d.transpose();
    EXPECT_EQ(side_of(shell, random.between(1.01, 3.0) * out), Side::outside) << d.transpose();
  }
}

}  // namespace
}  // namespace repose::check
