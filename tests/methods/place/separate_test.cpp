#include "src/methods/place/separate.h"

#include <array>
#include <limits>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/make.h"

#include "shape/trefoil.h"
#include "src/methods/place/swept_motion.h"

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

TEST(Separate, a_piece_lies_within_the_bound_that_its_halves_give) {
  Random random(33);
  int asked = 0;
  for (const auto& shape :
       {shape::make_tube(shape::trefoil()).value(), shape::make_torus({1.0, 0.25}).value(),
        shape::make_ellipsoid({Vec3(3.0, 2.0, 1.0)}).value()}) {
    Surface surface(*shape);
    for (int trial = 0; trial < 300; ++trial) {
      const int at = some_cell(surface, random, trial % 12);
      surface.tighten(at);
      const Cell cell = surface.tight(at);
      if (surface.cell(at).tight < 0) continue;
      ++asked;
      const Feature& f = surface.feature(cell.feature);
      for (int i = 0; i <= 16; ++i)
        for (int j = 0; j <= 16; ++j) {
          const double a = i / 8.0 - 1.0, b = j / 8.0 - 1.0;
          const Vec2 uv = cell.box.center() + 0.5 * Vec2(a * (cell.box.u1 - cell.box.u0),
                                                         b * (cell.box.v1 - cell.box.v0));
          const Vec3 x = f.face.patch->point(uv.x(), uv.y()) - cell.center;
          ASSERT_LE(x.norm(), cell.radius + 1e-14);
          ASSERT_TRUE(
              ((x - a * cell.g0 - b * cell.g1).cwiseAbs().array() <= cell.rad.array() + 1e-14)
                  .all());
        }
    }
  }
  EXPECT_GT(asked, 50);
}

TEST(Separate, the_bound_that_halves_give_does_not_depend_on_earlier_questions) {
  Random random(34);
  const auto knot = shape::make_tube(shape::trefoil()).value();
  Surface early(*knot), late(*knot);
  const int root = early.split(early.faces(), Vec3::UnitZ(), 8.0);
  for (int trial = 0; trial < 50; ++trial) some_cell(late, random, 14);
  int asked = 0;
  const auto compare = [&](auto self, int a, int b, int depth) -> void {
    late.tighten(b);
    early.tighten(a);
    EXPECT_EQ(early.tight(a).center, late.tight(b).center);
    EXPECT_EQ(early.tight(a).rad, late.tight(b).rad);
    asked += early.cell(a).tight >= 0 ? 1 : 0;
    if (depth == 0) return;
    const int first_a = early.split(a, Vec3::UnitX(), 8.0);
    const int first_b = late.split(b, Vec3::UnitX(), 8.0);
    for (const int k : {0, 1}) self(self, first_a + k, first_b + k, depth - 1);
  };
  compare(compare, root, late.split(late.faces(), Vec3::UnitZ(), 8.0), 8);
  EXPECT_GT(asked, 20);
}

TEST(Separate, a_straight_piece_is_never_lower_than_its_borders_bound) {
  Random random(32);
  shape::ConeInput cone;
  Surface surface(*shape::make_cone(cone).value());
  int asked = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Cell cell = surface.cell(some_cell(surface, random, 4 + trial % 12));
    const Curving* second = surface.curving(cell);
    if (second == nullptr) continue;
    const Vec3 n = random_vector(random, 1.0);
    const Feature& f = surface.feature(cell.feature);
    const double bound = least_on_borders(f, cell, *second, n);
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= 12; ++i)
      for (int j = 0; j <= 12; ++j)
        least = std::min(
            least, n.dot(f.face.patch->point(cell.box.u0 + (cell.box.u1 - cell.box.u0) * i / 12,
                                             cell.box.v0 + (cell.box.v1 - cell.box.v0) * j / 12)));
    ASSERT_GE(least, bound - 1e-14);
    asked += std::isfinite(bound) ? 1 : 0;
  }
  EXPECT_GT(asked, 50);
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

/// How deep the deepest of many points of the torus is in the cone of that radius and height.
double sampled_depth(const Posed& torus, const Posed& cone, double ring, double tube, double radius,
                     double height) {
  const double side = std::hypot(radius, height);
  double deepest = -1.0;
  for (int i = 0; i < 96; ++i)
    for (int j = 0; j < 24; ++j) {
      const double a = 2.0 * std::numbers::pi * i / 96.0, b = 2.0 * std::numbers::pi * j / 24.0;
      const double rho = ring + tube * std::cos(b);
      const Vec3 p =
          cone.to_body(torus.to_world({rho * std::cos(a), rho * std::sin(a), tube * std::sin(b)}));
      const double above = (height * (std::hypot(p.x(), p.y()) - radius) + radius * p.z()) / side;
      deepest = std::max(deepest, -std::max(above, -p.z()));
    }
  return deepest;
}

Journey random_journey(Surface& surface, Random& random, const Vec3& center, double size) {
  Journey out;
  out.surface = &surface;
  out.center = center + random_vector(random, size);
  out.rotation = rotation_from_vector(random_vector(random, 0.5)).toRotationMatrix();
  out.move = random_vector(random, size);
  out.turn = random_vector(random, 0.6);
  return out;
}

TEST(Separate, a_ring_that_is_proven_to_pass_a_cone_by_its_formula_never_enters_it) {
  Surface torus(*shape::make_torus({0.8, 0.25}).value());
  Surface cone(*shape::make_cone({1.2, 2.5, 0.0}).value());
  Random random(77);
  int free = 0, entering = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Journey p = random_journey(torus, random, {0.0, 0.0, 2.0}, 0.8);
    const Journey q = random_journey(cone, random, Vec3::Zero(), trial % 2 == 0 ? 0.0 : 0.2);
    ASSERT_TRUE(one_formula(p, q));
    const bool proven = prove_swept_free(q, p, 20'000).passage == Passage::free;
    double deepest = -1.0;
    for (int k = 0; k <= 8; ++k)
      deepest = std::max(deepest, sampled_depth(p.at(k / 8.0), q.at(k / 8.0), 0.8, 0.25, 1.2, 2.5));
    if (proven) {
      ASSERT_LE(deepest, 0.0) << trial;
    }
    free += proven ? 1 : 0;
    entering += deepest > 0.0 ? 1 : 0;
  }
  EXPECT_GT(free, 50);
  EXPECT_GT(entering, 50);
}

TEST(Separate, a_ring_all_around_a_cone_is_proven_apart_down_to_the_gap_of_rest) {
  Surface torus(*shape::make_torus({0.8, 0.25}).value());
  Surface cone(*shape::make_cone({1.2, 2.5, 0.0}).value());
  Journey p, q;
  p.surface = &torus;
  q.surface = &cone;
  // the ring's centre line stands as far from the cone's side as the tube is thick
  const double side = std::hypot(1.2, 2.5), touch = (0.25 * side - 2.5 * (0.8 - 1.2)) / 1.2;
  for (const double gap : {1e-6, 1e-9}) {
    p.center = Vec3(0.0, 0.0, touch + gap * side / 1.2);
    EXPECT_EQ(prove_swept_free(p, q, 20'000).passage, Passage::free) << gap;
    p.turn = Vec3(0.02, 0.0, 0.0);
    EXPECT_NE(prove_swept_free(p, q, 20'000).passage, Passage::free) << gap;
    p.turn = Vec3::Zero();
  }
}

TEST(FreeMotion, a_plug_in_the_hole_of_a_washer_is_free_though_their_faces_lie_in_one_plane) {
  shape::RevolutionInput profile;
  profile.profile = {{1.0, -0.1}, {2.0, -0.1}, {2.0, 0.1}, {1.0, 0.1}};
  profile.corners = {0, 1, 2, 3};
  profile.closed = true;
  Surface washer(*shape::make_revolution(profile).value());
  Surface plug(*shape::make_cylinder({0.9, 0.2}).value());
  Journey ring, inside;
  ring.surface = &washer;
  inside.surface = &plug;
  const auto free = [&] { return prove_free(inside, ring, {}, 1e-9, 200'000).passage; };
  EXPECT_EQ(free(), Passage::free);
  inside.move = Vec3(0.05, 0.03, 0.0);
  EXPECT_EQ(free(), Passage::free);
  inside.center = Vec3(0.09, 0.0, 0.0);
  inside.move = Vec3(0.02, 0.0, 0.0);
  EXPECT_EQ(free(), Passage::blocked);
}

/// Least distance of points spread over two polygons.
double sampled_distance(const Corners& a, const Corners& b) {
  constexpr int kSamples = 24;
  const auto spread = [&](const Corners& c) {
    std::vector<Vec3> out;
    for (std::size_t k = 2; k < c.count; ++k)
      for (int i = 0; i <= kSamples; ++i)
        for (int j = 0; j <= kSamples - i; ++j)
          out.push_back(c.at[0] + (c.at[k - 1] - c.at[0]) * i / kSamples +
                        (c.at[k] - c.at[0]) * j / kSamples);
    return out;
  };
  double least = std::numeric_limits<double>::infinity();
  const auto on_a = spread(a), on_b = spread(b);
  for (const Vec3& p : on_a)
    for (const Vec3& q : on_b) least = std::min(least, (p - q).norm());
  return least;
}

TEST(Separate, polygons_are_told_apart_along_the_way_between_their_nearest_points) {
  Random random(91);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (int trial = 0; trial < 60; ++trial) {
      std::array<Cell, 2> cells;
      for (std::size_t k = 0; k < 2; ++k) {
        cells[k].center = random_vector(random, 2.0 * scale);
        cells[k].g0 = random_vector(random, scale);
        cells[k].g1 = random_vector(random, scale);
        cells[k].triangle = (trial + static_cast<int>(k)) % 3 != 0;
      }
      const Corners a = corners_of(cells[0], Mat3::Identity(), Vec3::Zero());
      const Corners b = corners_of(cells[1], Mat3::Identity(), Vec3::Zero());
      const Vec3 way = way_between(a, b);
      const double sampled = sampled_distance(a, b);
      if (sampled < 0.25 * scale) continue;  // they may cross
      ASSERT_LE(way.norm(), sampled * (1.0 + 1e-12));
      ASSERT_GE(way.norm(), sampled - 0.2 * scale);
      // the plane square to the way parts them by all of it
      const Vec3 n = way.normalized();
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (std::size_t i = 0; i < a.count; ++i) high = std::max(high, n.dot(a.at[i]));
      for (std::size_t j = 0; j < b.count; ++j) low = std::min(low, n.dot(b.at[j]));
      ASSERT_NEAR(low - high, way.norm(), 1e-9 * scale) << trial;
    }
}

TEST(Separate, the_nearest_point_of_a_triangle_is_found_exactly) {
  Random random(92);
  for (int trial = 0; trial < 300; ++trial) {
    Cell c;
    c.triangle = true;
    c.g0 = random_vector(random, 1.0);
    c.g1 = trial % 2 == 0 ? random_vector(random, 1.0) : c.g0 + random_vector(random, 0.05);
    const Vec3 d = random_vector(random, 2.0);
    const Vec3 way = way_from(c, d), on = d - way;
    // no corner lies beyond the plane through the point, square to the way
    for (const Vec3& corner : {Vec3(Vec3::Zero()), c.g0, c.g1})
      ASSERT_LE(way.dot(corner - on), 1e-12) << trial;
  }
}

}  // namespace
}  // namespace repose::place
