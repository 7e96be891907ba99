#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/shape/inside.h"
#include "repose/shape/make.h"
#include "repose/shape/tessellate.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;

ShapePtr must(const Result<ShapePtr>& made) {
  EXPECT_TRUE(made) << made.error().text();
  return *made;
}

/// One of every kind made of patches, about one metre large times `s`.
std::vector<ShapePtr> solids(double s) {
  std::vector<ShapePtr> out{must(make_ball({s})),
                            must(make_box({s * Vec3(1.0, 2.0, 0.5)})),
                            must(make_ellipsoid({s * Vec3(1.0, 0.7, 0.4)})),
                            must(make_superellipsoid({s * Vec3(1.0, 0.8, 0.6), 0.5, 0.5})),
                            must(make_cylinder({s * 0.5, s * 1.5})),
                            must(make_cone({s * 0.5, s * 1.2, 0.0})),
                            must(make_cone({s * 0.5, s * 1.2, s * 0.2})),
                            must(make_capsule({s * 0.4, s * 1.0})),
                            must(make_torus({s * 1.0, s * 0.25})),
                            must(make_revolution({{s * Vec2(0.0, 0.0), s * Vec2(0.5, 0.1),
                                                   s * Vec2(0.6, 0.6), s * Vec2(0.3, 1.0)},
                                                  {},
                                                  false}))};
  return out;
}

const Part& only_part(const ShapePtr& shape) {
  return std::get<Solid>(shape->geometry).parts[0];
}

/// The same solid by quadrature over its patches: what the factories know in closed form must be
/// what the surface integrals say, wherever the solid is put.
TEST(Mass, closed_forms_agree_with_surface_integrals_at_three_scales_under_motions) {
  Random random(3);
  for (const double s : {1e-3, 1.0, 1e3})
    for (const ShapePtr& shape : solids(s)) {
      const Pose pose{s * Vec3(random.normal(), random.normal(), random.normal()),
                      random_rotation(random)};
      const ShapePtr moved = must(make_union({{{shape, pose}}}));
      const ShapePtr far = must(make_union(
          {{{shape, pose}, {must(make_ball({s})), {s * Vec3(20.0, 0.0, 0.0), Quat::Identity()}}}}));
      // disjoint: volumes add; the union is integrated, not assembled
      const double ball = 4.0 / 3.0 * kPi * s * s * s;
      EXPECT_NEAR(far->volume.volume, shape->volume.volume + ball, 1e-8 * far->volume.volume)
          << name_of(shape->kind);
      EXPECT_NEAR(moved->volume.volume, shape->volume.volume, 1e-12 * shape->volume.volume);
    }
}

TEST(Mass, simple_solids_have_their_textbook_values) {
  for (const double s : {1e-3, 1.0, 1e3}) {
    const double s3 = s * s * s, s5 = s3 * s * s;
    const auto torus = must(make_torus({s, 0.25 * s}))->volume;
    EXPECT_NEAR(torus.volume, 1.2337005501 * s3, 1e-9 * s3);
    EXPECT_NEAR(torus.inertia(2, 2) / torus.volume, 1.046875 * s * s, 1e-12 * s * s);
    EXPECT_NEAR(torus.inertia(0, 0) / torus.volume, 0.5390625 * s * s, 1e-12 * s * s);
    const auto cylinder = must(make_cylinder({0.5 * s, 2.0 * s}))->volume;
    EXPECT_NEAR(cylinder.volume, kPi * 0.5 * s3, 1e-12 * s3);
    EXPECT_NEAR(cylinder.inertia(0, 0), cylinder.volume * (3 * 0.25 + 4.0) / 12.0 * s * s,
                1e-12 * s5);
    const auto cone = must(make_cone({0.5 * s, 2.0 * s, 0.0}))->volume;
    EXPECT_NEAR(cone.volume, kPi * 0.25 * 2.0 / 3.0 * s3, 1e-12 * s3);
    EXPECT_NEAR(cone.center.z(), 0.5 * s, 1e-12 * s);
    EXPECT_NEAR(cone.inertia(2, 2), cone.volume * 0.3 * 0.25 * s * s, 1e-12 * s5);
    EXPECT_NEAR(cone.inertia(0, 0), cone.volume * (3.0 / 20.0 * 0.25 + 3.0 / 80.0 * 4.0) * s * s,
                1e-12 * s5);
    const auto box = must(make_box({s * Vec3(1, 2, 3)}))->volume;
    EXPECT_NEAR(box.inertia(0, 0), 6.0 * (4.0 + 9.0) / 12.0 * s5, 1e-12 * s5);
  }
}

TEST(Mass, a_superellipsoid_has_its_beta_function_volume) {
  const auto beta = [](double a, double b) { return std::beta(a, b); };
  for (const double n : {0.5, 0.8})
    for (const double e : {0.5, 0.8}) {
      const auto shape = must(make_superellipsoid({Vec3(1.0, 0.8, 0.6), n, e}));
      const double want = 2.0 * 0.48 * e * n * beta(n / 2.0 + 1.0, n) * beta(e / 2.0, e / 2.0);
      EXPECT_NEAR(shape->volume.volume, want, 1e-9 * want) << n << " " << e;
      EXPECT_LT(shape->volume.error, 1e-8);
    }
}

VolumeProperties of_mesh(const Tessellation& t) {
  TriangleMesh mesh;
  mesh.points.resize(t.welded_count);
  for (std::size_t i = 0; i < t.points.size(); ++i) mesh.points[t.welded[i]] = t.points[i];
  for (const auto& c : t.triangles)
    mesh.triangles.push_back({t.welded[c[0]], t.welded[c[1]], t.welded[c[2]]});
  return must(make_mesh({.mesh = mesh}))->volume;
}

TEST(Mass, the_tessellation_tends_to_the_surface_integrals) {
  for (const ShapePtr& shape : solids(1.0)) {
    double last = 1.0;
    for (const double chord : {1e-2, 1e-3, 1e-4}) {
      TessellateSettings settings;
      settings.chord_fraction = chord;
      const VolumeProperties mesh = of_mesh(tessellate(*shape, settings));
      const double off = std::fabs(mesh.volume / shape->volume.volume - 1.0);
      EXPECT_LT(off, 10.0 * chord) << name_of(shape->kind);
      EXPECT_LT((mesh.center - shape->volume.center).norm(), 10.0 * chord) << name_of(shape->kind);
      EXPECT_LT((mesh.inertia - shape->volume.inertia).norm(),
                20.0 * chord * shape->volume.inertia.norm())
          << name_of(shape->kind);
      EXPECT_LE(off, last + 1e-12) << name_of(shape->kind);
      last = off;
    }
  }
}

TEST(Tessellation, every_part_is_watertight) {
  for (const ShapePtr& shape : solids(1.0))
    for (const int cells : {0, 1, 2, 5}) {
      TessellateSettings settings;
      settings.cells_per_side = cells;
      const Tessellation t = tessellate(*shape, settings);
      std::map<std::pair<int, int>, int> count;
      for (const auto& c : t.triangles)
        for (int k = 0; k < 3; ++k) ++count[{t.welded[c[k]], t.welded[c[(k + 1) % 3]]}];
      for (const auto& [edge, times] : count) {
        ASSERT_EQ(times, 1) << name_of(shape->kind);
        ASSERT_EQ((count.count({edge.second, edge.first})), 1u)
            << name_of(shape->kind) << " " << cells;
      }
      // vertices of one number lie at one place, normals point out
      for (std::size_t i = 0; i < t.points.size(); ++i)
        EXPECT_NEAR(t.normals[i].norm(), 1.0, 1e-12) << name_of(shape->kind);
    }
}

/// Distance of p to the triangle nearest of those given, slowly.
double distance_to(const InsideTest& mesh, const Vec3& p) {
  return std::fabs(mesh.signed_gap(p));
}

TEST(Tessellation, no_surface_point_is_farther_than_the_chord_error) {
  for (const ShapePtr& shape : solids(1.0)) {
    TessellateSettings settings;
    settings.chord_fraction = 5e-3;
    const Tessellation t = tessellate(*shape, settings);
    EXPECT_LE(t.chord_error, 5e-3 * shape->bounding_radius) << name_of(shape->kind);
    TriangleMesh mesh;
    mesh.points.resize(t.welded_count);
    for (std::size_t i = 0; i < t.points.size(); ++i) mesh.points[t.welded[i]] = t.points[i];
    for (const auto& c : t.triangles)
      mesh.triangles.push_back({t.welded[c[0]], t.welded[c[1]], t.welded[c[2]]});
    const InsideTest test(*must(make_mesh({.mesh = mesh})));
    const auto solid = patches_of(shape);
    for (const Part& part : solid->parts)
      for (const Face& face : part.faces) {
        const UvBox d = face.patch->domain();
        for (int i = 0; i <= 40; ++i)
          for (int j = 0; j <= 40; ++j) {
            const Vec3 p =
                face.patch->point(d.u0 + (d.u1 - d.u0) * i / 40.0, d.v0 + (d.v1 - d.v0) * j / 40.0);
            ASSERT_LE(distance_to(test, p), t.chord_error + 1e-14) << name_of(shape->kind);
            ASSERT_LE((p - shape->bounding_center).norm(), shape->bounding_radius * (1.0 + 1e-12))
                << name_of(shape->kind);
          }
      }
  }
}

TEST(Sewing, sharp_edges_and_corners_are_found) {
  const auto count = [](const ShapePtr& shape, std::size_t edges, std::size_t vertices) {
    const Part& part = only_part(shape);
    EXPECT_EQ(part.edges.size(), edges) << name_of(shape->kind);
    EXPECT_EQ(part.vertices.size(), vertices) << name_of(shape->kind);
    for (const Edge& edge : part.edges) EXPECT_TRUE(edge.convex) << name_of(shape->kind);
  };
  count(must(make_box({})), 12, 8);
  count(must(make_cylinder({})), 2, 0);
  count(must(make_cone({})), 1, 1);
  count(must(make_cone({0.5, 1.0, 0.3})), 2, 0);
  count(must(make_capsule({})), 0, 0);
  count(must(make_torus({})), 0, 0);
  count(must(make_ellipsoid({Vec3(1, 2, 3)})), 0, 0);
  const ShapePtr box = must(make_box({}));
  for (const Vertex& corner : only_part(box).vertices) EXPECT_EQ(corner.edges.size(), 3u);
}

TEST(Inside, the_signed_gap_is_the_distance_to_the_true_surface) {
  Random random(5);
  const auto torus = must(make_torus({1.0, 0.3}));
  const auto ellipsoid = must(make_ellipsoid({Vec3(0.5, 0.5, 0.5)}));
  const auto cylinder = must(make_cylinder({0.5, 1.0}));
  const InsideTest in_torus(*torus), in_ellipsoid(*ellipsoid), in_cylinder(*cylinder);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p(random.between(-1.5, 1.5), random.between(-1.5, 1.5), random.between(-1, 1));
    const double ring = std::hypot(std::hypot(p.x(), p.y()) - 1.0, p.z()) - 0.3;
    EXPECT_NEAR(in_torus.signed_gap(p), ring, 1e-9);
    EXPECT_NEAR(in_ellipsoid.signed_gap(p), p.norm() - 0.5, 1e-9);
    const double r = std::hypot(p.x(), p.y()) - 0.5, h = std::fabs(p.z()) - 0.5;
    const double round =
        r <= 0 && h <= 0 ? std::max(r, h) : std::hypot(std::max(r, 0.0), std::max(h, 0.0));
    EXPECT_NEAR(in_cylinder.signed_gap(p), round, 1e-9);
  }
}

TEST(Inside, points_above_a_thin_flat_rim_are_outside) {
  const ShapePtr bowl = must(make_revolution({{Vec2(0.0, 0.0), Vec2(1.0, 0.2), Vec2(1.2, 0.9),
                                               Vec2(1.16, 0.9), Vec2(0.9, 0.3), Vec2(0.0, 0.1)},
                                              {2, 3},
                                              false}));
  const InsideTest test(*bowl);
  for (int i = 0; i < 90; ++i)
    for (const double r : {0.9, 1.0, 1.1, 1.18, 1.25}) {
      const double turn = 2.0 * kPi * i / 90.0, x = r - std::clamp(r, 1.16, 1.2);
      const Vec3 p(r * std::cos(turn), r * std::sin(turn), 1.2);
      EXPECT_NEAR(test.signed_gap(p), std::hypot(x, 0.3), 1e-12) << r << " at " << turn;
    }
}

TEST(Union, two_overlapping_balls_have_the_lens_taken_once) {
  for (const double s : {1e-3, 1.0, 1e3}) {
    const auto ball = must(make_ball({s}));
    const double d = 1.2 * s;
    const auto both = must(make_union(
        {{{ball, {}}, {ball, {Vec3(0.6, 0.0, 0.0).normalized() * d, Quat::Identity()}}}}));
    const double lens = kPi * (4.0 * s + d) * (2.0 * s - d) * (2.0 * s - d) / 12.0;
    const double want = 2.0 * 4.0 / 3.0 * kPi * s * s * s - lens;
    EXPECT_NEAR(both->volume.volume, want, 1e-5 * want);
    EXPECT_NEAR(both->volume.volume, want, std::max(both->volume.error, 1e-9) * want);
    EXPECT_LT((both->volume.center - Vec3(0.5 * d, 0, 0)).norm(), 1e-5 * s);
    const double cap = s - 0.5 * d;
    EXPECT_NEAR(both->volume.area, 2.0 * (4.0 * kPi * s * s - 2.0 * kPi * s * cap), 1e-4 * s * s);
    EXPECT_TRUE(inside(*both, {0.5 * d, 0.0, 0.0}));
  }
}

TEST(BadInput, absurd_sizes_are_refused_saying_what_would_be_right) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, -1.0, nan, std::numeric_limits<double>::infinity(), 1e308}) {
    EXPECT_FALSE(make_ball({bad}));
    EXPECT_FALSE(make_box({Vec3(1, bad, 1)}));
    EXPECT_FALSE(make_ellipsoid({Vec3(1, 1, bad)}));
    EXPECT_FALSE(make_superellipsoid({Vec3(1, 1, 1), bad, 0.5}));
    EXPECT_FALSE(make_cylinder({bad, 1}));
    EXPECT_FALSE(make_cone({1, bad, 0}));
    EXPECT_FALSE(make_capsule({bad, 1}));
    EXPECT_FALSE(make_torus({1, bad}));
    EXPECT_FALSE(make_sphere_set({{Vec3::Zero()}, {bad}, {}}));
    EXPECT_FALSE(make_plane_region({{}, {{Vec2::Zero(), bad}}, 0.1}));
  }
  const auto made = make_torus({1.0, 1.5});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().pointer, "/tube_radius");
  EXPECT_FALSE(make_union({}));
  EXPECT_FALSE(make_union({{{must(make_half_space()), {}}}}));
  EXPECT_FALSE(make_revolution({{Vec2(1, 0), Vec2(-1, 1), Vec2(1, 2)}, {}, false}));
}

/// A cylinder of radius 1 between z = 0 and z = 2, as formulas.
FormulaInput formula_cylinder() {
  FormulaInput in;
  in.parameters = {{"r", 1.0}, {"h", 2.0}};
  in.patches = {{"r*cos(u)", "r*sin(u)", "h*v", -kPi, kPi, 0.0, 1.0},
                {"r*v*cos(u)", "r*v*sin(u)", "0", -kPi, kPi, 0.0, 1.0},
                {"r*v*cos(u)", "r*v*sin(u)", "h", -kPi, kPi, 0.0, 1.0}};
  return in;
}

TEST(Sewing, formulas_become_a_solid_with_its_two_rims) {
  const auto shape = must(make_formula(formula_cylinder()));
  EXPECT_NEAR(shape->volume.volume, 2.0 * kPi, 1e-10);
  EXPECT_LT((shape->volume.center - Vec3(0, 0, 1)).norm(), 1e-10);
  EXPECT_EQ(only_part(shape).edges.size(), 2u);
  EXPECT_EQ(only_part(shape).vertices.size(), 0u);
}

TEST(Sewing, an_open_body_is_refused_naming_the_patch_and_its_side) {
  FormulaInput open = formula_cylinder();
  open.patches.pop_back();
  const auto made = make_formula(open);
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().wrong.find("patch 0 along v = 1"), std::string::npos)
      << made.error().text();
  FormulaInput wrong = formula_cylinder();
  wrong.patches[1].x = "r*v*cos(u";
  EXPECT_FALSE(make_formula(wrong));
}

TEST(Sewing, bezier_patches_make_a_cube) {
  BezierInput in;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {0.0, 1.0}) {
      std::array<std::array<Vec3, 4>, 4> net;
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
          net[i][j][axis] = side;
          net[i][j][(axis + 1) % 3] = i / 3.0;
          net[i][j][(axis + 2) % 3] = j / 3.0;
        }
      in.patches.push_back(net);
    }
  const auto shape = must(make_bezier(in));
  EXPECT_NEAR(shape->volume.volume, 1.0, 1e-12);
  EXPECT_EQ(only_part(shape).edges.size(), 12u);
  EXPECT_EQ(only_part(shape).vertices.size(), 8u);
}

TEST(Sewing, a_bspline_box_is_cut_and_sewn) {
  BsplineInput in;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {0.0, 1.0}) {
      BsplinePatchInput patch;
      patch.degree_u = patch.degree_v = 1;
      patch.knots_u = patch.knots_v = {0, 0, 1, 1};
      patch.points.assign(2, std::vector<Vec3>(2));
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          patch.points[i][j][axis] = side;
          patch.points[i][j][(axis + 1) % 3] = i;
          patch.points[i][j][(axis + 2) % 3] = j;
        }
      in.patches.push_back(patch);
    }
  EXPECT_NEAR(must(make_bspline(in))->volume.volume, 1.0, 1e-12);
}

TEST(Sewing, a_straight_tube_is_a_capsule_or_a_cylinder) {
  TubeInput in;
  in.spine = {Vec3(0, 0, 0), Vec3(0, 0, 0.5), Vec3(0, 0, 1)};
  in.radii = {0.25};
  const auto capsule = must(make_capsule({0.25, 1.0}));
  const auto round = must(make_tube(in));
  EXPECT_NEAR(round->volume.volume, capsule->volume.volume, 1e-9);
  EXPECT_EQ(only_part(round).edges.size(), 0u);
  in.cap = TubeCap::flat;
  const auto flat = must(make_tube(in));
  EXPECT_NEAR(flat->volume.volume, kPi * 0.0625, 1e-9);
  EXPECT_EQ(only_part(flat).edges.size(), 2u);
  in.radii = {0.1, -0.1, 0.1};
  EXPECT_FALSE(make_tube(in));
}

TEST(PlaneRegion, a_bar_with_round_ends_is_a_union) {
  PlaneRegion bar;
  bar.polygons = {{{{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}}, {}}};
  bar.discs = {{Vec2(-1, 0), 0.5}, {Vec2(1, 0), 0.5}};
  bar.thickness = 0.2;
  const auto shape = must(make_plane_region(bar));
  EXPECT_NEAR(shape->volume.volume, 0.2 * (2.0 + kPi * 0.25), 1e-12);
  EXPECT_NEAR(shape->volume.area, 2.0 * (2.0 + kPi * 0.25) + 0.2 * (4.0 + kPi), 1e-12);
  EXPECT_LT(shape->volume.center.norm(), 1e-12);
  EXPECT_TRUE(inside(*shape, {1.3, 0.0, 0.0}));
  EXPECT_FALSE(inside(*shape, {1.3, 0.0, 0.2}));
}

TEST(PlaneRegion, a_hole_is_taken_out_whichever_way_it_runs) {
  PlaneRegion frame;
  frame.polygons = {{{{0, 0}, {3, 0}, {3, 3}, {0, 3}}, {{{1, 1}, {2, 1}, {2, 2}, {1, 2}}}}};
  frame.thickness = 1.0;
  const auto shape = must(make_plane_region(frame));
  EXPECT_NEAR(shape->volume.volume, 8.0, 1e-12);
  EXPECT_NEAR(shape->volume.inertia(2, 2), (81.0 * 2.0 - 2.0) / 12.0, 1e-12);
  EXPECT_NEAR(of_mesh(tessellate(*shape)).volume, 8.0, 1e-12);
}

TEST(PlaneRegion, holes_that_meet_are_refused) {
  const std::vector<Vec2> outer{{0, 0}, {9, 0}, {9, 9}, {0, 9}};
  const std::vector<Vec2> hole{{1, 1}, {5, 1}, {5, 5}, {1, 5}},
      within{{2, 2}, {3, 2}, {3, 3}, {2, 3}};
  const std::vector<Vec2> across{{4, 4}, {7, 4}, {7, 7}, {4, 7}},
      beside{{6, 6}, {8, 6}, {8, 8}, {6, 8}};
  for (const auto* other : {&hole, &within, &across, &beside})
    for (const bool first : {false, true}) {
      PlaneRegion region;
      region.polygons = {{outer, {first ? *other : hole, first ? hole : *other}}};
      EXPECT_EQ(static_cast<bool>(make_plane_region(region)), other == &beside);
    }
}

TEST(PlaneRegion, a_hole_is_taken_where_it_lies_within_a_star_and_refused_outside) {
  // r(turn) between 0.7 and 1.3: whether a small hole lies within is known from its middle
  Random random(261);
  int within = 0, outside = 0;
  for (int k = 0; k < 120; ++k) {
    const int points = 3 + k % 5;
    const double ahead = random.between(0.0, 2.0 * kPi);
    const auto reach = [&](double turn) { return 1.0 + 0.3 * std::cos(points * turn + ahead); };
    std::vector<Vec2> outer, hole;
    constexpr int kSides = 60;
    for (int i = 0; i < kSides; ++i) {
      const double turn = 2.0 * kPi * i / kSides;
      outer.push_back(reach(turn) * Vec2(std::cos(turn), std::sin(turn)));
    }
    const double at = random.between(0.0, 2.0 * kPi), far = random.between(0.0, 1.6);
    if (std::fabs(far - reach(at)) < 0.15) continue;
    for (int i = 0; i < 5; ++i)
      hole.push_back(far * Vec2(std::cos(at), std::sin(at)) +
                     0.02 * Vec2(std::cos(1.0 + 1.2 * i), std::sin(1.0 + 1.2 * i)));
    PlaneRegion region;
    region.polygons = {{outer, {hole}}};
    const bool inside = far < reach(at);
    EXPECT_EQ(static_cast<bool>(make_plane_region(region)), inside) << k;
    (inside ? within : outside)++;
  }
  EXPECT_GT(within, 30);
  EXPECT_GT(outside, 15);
}

TEST(PlaneRegion, pieces_that_cross_are_counted_once) {
  // a cross of two bars, and a disc over a corner of a square: a quarter of it lies inside
  PlaneRegion cross;
  cross.polygons = {{{{1, 2.5}, {5, 2.5}, {5, 3.5}, {1, 3.5}}, {}},
                    {{{2.5, 1}, {3.5, 1}, {3.5, 5}, {2.5, 5}}, {}}};
  cross.thickness = 1.0;
  const auto bars = must(make_plane_region(cross));
  EXPECT_NEAR(bars->volume.volume, 7.0, 1e-12);
  EXPECT_LT((bars->volume.center - Vec3(3, 3, 0)).norm(), 1e-12);
  EXPECT_NEAR(bars->volume.inertia(2, 2), 2.0 * 4.0 * 17.0 / 12.0 - 2.0 / 12.0, 1e-11);
  PlaneRegion corner;
  corner.polygons = {{{{1, 1}, {3, 1}, {3, 3}, {1, 3}}, {}}};
  corner.discs = {{Vec2(3, 3), 0.5}};
  corner.thickness = 1.0;
  EXPECT_NEAR(must(make_plane_region(corner))->volume.volume, 4.0 + 0.75 * kPi * 0.25, 1e-12);
}

TEST(Lattice, joins_every_pair_of_its_neighbourhood) {
  // pairs along the axes and across the faces of cells, counted by hand
  const auto links = [](std::array<int, 3> n) {
    LatticeInput in;
    in.counts = n;
    const auto shape = must(make_lattice(in));
    for (const auto& [a, b] : std::get<SphereSet>(shape->geometry).links) {
      const auto& centers = std::get<SphereSet>(shape->geometry).centers;
      EXPECT_LE(
          (centers[static_cast<std::size_t>(a)] - centers[static_cast<std::size_t>(b)]).norm(),
          in.pitch * 1.5);
    }
    return std::get<SphereSet>(shape->geometry).links.size();
  };
  EXPECT_EQ(links({2, 1, 1}), 1u);
  EXPECT_EQ(links({2, 2, 1}), 6u);
  EXPECT_EQ(links({2, 2, 2}), 24u);
  EXPECT_EQ(links({5, 5, 3}), 426u);
  EXPECT_EQ(links({15, 15, 1}), 812u);
}

TEST(Fill, a_box_of_whole_cells_is_filled_to_its_sides_without_drawing) {
  // cells along x, y, z, odd and even: their corners are the places, whatever side is odd
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const std::array<int, 3> cells :
         {std::array{4, 4, 2}, {3, 4, 2}, {4, 3, 2}, {4, 2, 3}, {3, 3, 5}}) {
      FillInput in;
      const double inset = 0.03 * scale;
      in.pitch = 0.1 * scale;
      in.radius = inset;
      in.skin = true;
      const Vec3 reach = 0.5 * in.pitch * Vec3(cells[0], cells[1], cells[2]);
      in.shape = must(make_box({2.0 * (reach + Vec3::Constant(inset))}));
      const auto shape = must(make_fill(in));
      const auto& centers = std::get<SphereSet>(shape->geometry).centers;
      EXPECT_EQ(centers.size(),
                static_cast<std::size_t>((cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1)));
      for (const Vec3& p : centers) {
        const Vec3 steps = (p + reach) / in.pitch;
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(steps[k], std::round(steps[k]), 1e-6);
        EXPECT_LE((p.cwiseAbs() - reach).maxCoeff(), 1e-6 * in.pitch);
      }
    }
}

TEST(SphereSet, a_star_of_links_is_taken_and_a_link_twice_is_not) {
  SphereSet star;
  star.centers = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  star.radii = {0.1, 0.1, 0.1, 0.1};
  star.links = {{0, 1}, {0, 2}, {3, 0}, {1, 2}, {3, 2}};
  EXPECT_TRUE(make_sphere_set(star));
  for (const std::array<int, 2> again : {std::array{0, 2}, std::array{2, 0}, std::array{0, 3}}) {
    SphereSet twice = star;
    twice.links.push_back(again);
    EXPECT_FALSE(make_sphere_set(twice));
  }
  star.links.push_back({1, 1});
  EXPECT_FALSE(make_sphere_set(star));
}

}  // namespace
}  // namespace repose::shape
