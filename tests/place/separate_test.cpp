#include "../../src/place/separate.h"

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/make.h"

namespace repose::place {
namespace {

Vec3 random_vector(Random& random, double size) {
  return size *
         Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
}

/// Cells of the surface, halved at random.
int some_cell(Surface& surface, Random& random, int halvings) {
  int cell = surface.faces();
  for (int k = 0; k < halvings; ++k)
    cell = surface.split(cell, random_vector(random, 1.0), 8.0) +
           (random.between(0.0, 1.0) < 0.5 ? 0 : 1);
  return cell;
}

double phi(const Sheet& sheet, const Vec3& point) {
  const Vec3 x = point - sheet.origin;
  return sheet.n.dot(x) + 0.5 * x.dot(sheet.bending * x);
}

TEST(Separate, a_sheet_is_never_lower_on_a_piece_than_its_bound) {
  Random random(31);
  for (const auto& shape :
       {shape::make_torus({1.0, 0.25}), shape::make_ellipsoid({Vec3(3.0, 2.0, 1.0)})}) {
    Surface surface(*shape.value());
    for (int trial = 0; trial < 200; ++trial) {
      const Cell cell = surface.cell(some_cell(surface, random, 4 + trial % 12));
      const Curving* second = surface.curving(cell);
      if (second == nullptr) continue;
      Sheet sheet;
      sheet.n = random_vector(random, 1.0).normalized();
      const Vec3 a = random_vector(random, 1.5), b = random_vector(random, 1.5);
      sheet.bending = a * a.transpose() - b * b.transpose();
      sheet.origin = second->middle + random_vector(random, cell.radius);
      const double bound = least_over(cell, *second, sheet);
      const double flat = least_along(cell, *second, sheet.n);
      const Feature& f = surface.feature(cell.feature);
      for (int i = 0; i <= 12; ++i)
        for (int j = 0; j <= 12; ++j) {
          const Vec3 p = f.face.patch->point(cell.box.u0 + (cell.box.u1 - cell.box.u0) * i / 12,
                                             cell.box.v0 + (cell.box.v1 - cell.box.v0) * j / 12);
          ASSERT_GE(phi(sheet, p), bound - 1e-14);
          ASSERT_GE(sheet.n.dot(p), flat - 1e-14);
        }
    }
  }
}

TEST(Separate, with_the_bending_of_the_surface_itself_a_piece_is_thin_to_third_order) {
  Surface surface(*shape::make_torus({1.0, 0.25}).value());
  Random random(5);
  const int at = some_cell(surface, random, 14);
  const auto thickness = [&](const Cell& cell) {
    const Curving* second = surface.curving(cell);
    const Sheet sheet{cell.normal, second->bending, second->middle};
    return -least_over(cell, *second, sheet) - least_over(cell, *second, sheet.opposite());
  };
  const Cell large = surface.cell(at);
  const int half = surface.split(at, large.normal, 1.0);
  const Cell small = surface.cell(surface.split(half, large.normal, 1.0));
  EXPECT_LT(small.radius, 0.8 * large.radius);
  const double ratio = small.radius / large.radius;
  EXPECT_LT(thickness(small), 2.0 * ratio * ratio * ratio * thickness(large));
}

}  // namespace
}  // namespace repose::place
