#include "repose/shape/patches.h"

#include "shape/patch_checks.h"

namespace repose::shape {
namespace {

double level(const Superellipsoid& s, const Vec3& x) {
  const double p = 2.0 / s.east_west, q = 2.0 / s.north_south;
  const Vec3 a = x.cwiseQuotient(s.semi_axes).cwiseAbs();
  return std::pow(std::pow(a[0], p) + std::pow(a[1], p), q / p) + std::pow(a[2], q);
}

std::vector<PatchPtr> charts(const Superellipsoid& s) {
  return *superellipsoid_patches(s);
}

TEST(Superellipsoid, whole_powers_have_exact_derivatives_and_enclosures) {
  for (const double a : {1e-3, 1.0, 1e3}) {
    for (const auto& [n, e] : {std::pair{0.5, 0.5}, {0.5, 1.0}, {1.0, 1.0}, {0.2, 0.25}}) {
      const Superellipsoid s{a * Vec3(1.0, 0.8, 0.6), n, e};
      for (const auto& patch : charts(s)) {
        const std::string name = "superellipsoid " + std::to_string(n) + " " + std::to_string(e);
        expect_exact_derivatives(*patch, {.size = a, .tolerance = 1e-6, .name = name});
        expect_enclosures_hold(*patch, name, 1e-13);
        expect_exact_normals(*patch, name);
        EXPECT_NEAR(level(s, patch->point(0.4, -0.7)), 1.0, 1e-13);
      }
    }
  }
}

TEST(Superellipsoid, derivatives_are_exact_on_the_axes_and_face_centres) {
  const Superellipsoid s{Vec3(1.0, 0.8, 0.6), 0.5, 0.4};
  for (const auto& patch : charts(s))
    for (const auto& [u, v] :
         {std::pair{0.0, 0.0}, {0.0, 0.5}, {0.3, 0.0}, {1.0, 0.0}, {1.0, -1.0}})
      expect_derivatives_at(*patch, u, v, {.tolerance = 1e-6, .name = "axis"});
}

TEST(Superellipsoid, broken_powers_keep_exact_derivatives_off_the_axes) {
  const Superellipsoid s{Vec3(1.0, 0.8, 0.6), 0.7, 0.9};
  for (const auto& patch : charts(s)) {
    for (const auto& [u, v] : {std::pair{0.3, 0.2}, {-0.5, 0.9}, {0.9, -0.4}})
      expect_derivatives_at(*patch, u, v, {.tolerance = 1e-6, .name = "broken power"});
    expect_enclosures_hold(*patch, "broken power", 1e-13);
    expect_first_order_shrinking(*patch, "broken power", 3);
  }
}

TEST(Superellipsoid, with_unit_exponents_is_the_ellipsoid) {
  const Vec3 axes(1.0, 2.0, 0.5);
  const auto a = *superellipsoid_patches({axes}), b = *ellipsoid_patches(axes);
  for (std::size_t i = 0; i < 6; ++i) {
    const PatchJet p = a[i]->jet(0.3, -0.6), q = b[i]->jet(0.3, -0.6);
    EXPECT_NEAR((p.s - q.s).norm() + (p.suv - q.suv).norm() + (p.svv - q.svv).norm(), 0.0, 1e-14);
  }
}

TEST(Superellipsoid, exponents_that_crease_the_surface_are_refused) {
  EXPECT_EQ(superellipsoid_patches({Vec3::Ones(), 1.5, 1.0}).error().pointer, "/north_south");
  EXPECT_EQ(superellipsoid_patches({Vec3::Ones(), 0.5, 0.0}).error().pointer, "/east_west");
  EXPECT_EQ(superellipsoid_patches({Vec3::Ones(), 1.0, 0.5}).error().pointer, "/north_south");
  EXPECT_EQ(superellipsoid_patches({Vec3(1, 0, 1), 0.5, 0.5}).error().pointer, "/semi_axes");
}

}  // namespace
}  // namespace repose::shape
