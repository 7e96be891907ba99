// Every field of every shape's input: what no body can have is refused under the field's own name,
// what is just within its limits is taken.
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "repose/shape/make.h"
#include "repose/shape/sample.h"

namespace repose::shape {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// Where the input was refused; "taken" where it was not.
template <class Input>
std::string refused(Result<ShapePtr> (*make)(const Input&), const Input& good,
                    const std::function<void(Input&)>& change) {
  Input in = good;
  change(in);
  const auto made = make(in);
  return made ? "taken" : made.error().pointer;
}

/// A length: none, endless, not positive, below 1e-9 m or above 1e9 m are refused.
template <class Input>
void expect_length(const char* where, Result<ShapePtr> (*make)(const Input&), const Input& good,
                   const std::function<double&(Input&)>& field) {
  for (const double wrong : {kNone, kInf, -kInf, 0.0, -1.0, 0.5e-9, 2e9})
    EXPECT_EQ(refused<Input>(make, good, [&](Input& in) { field(in) = wrong; }), where) << wrong;
  EXPECT_EQ(refused<Input>(make, good, [](Input&) {}), "taken") << where;
}

/// A coordinate: any number up to 1e9 m on either side.
template <class Input>
void expect_coordinate(const char* where, Result<ShapePtr> (*make)(const Input&), const Input& good,
                       const std::function<double&(Input&)>& field) {
  for (const double wrong : {kNone, kInf, -kInf, 2e9, -2e9})
    EXPECT_EQ(refused<Input>(make, good, [&](Input& in) { field(in) = wrong; }), where) << wrong;
  EXPECT_EQ(refused<Input>(make, good, [](Input&) {}), "taken") << where;
}

TEST(Refusals, of_lengths_of_simple_solids) {
  expect_length<BallInput>("/radius", make_ball, {}, [](auto& in) -> double& { return in.radius; });
  for (int k = 0; k < 3; ++k) {
    const std::string at = std::to_string(k);
    expect_length<BoxInput>(("/size/" + at).c_str(), make_box, {},
                            [k](auto& in) -> double& { return in.size[k]; });
    expect_length<EllipsoidInput>(("/radii/" + at).c_str(), make_ellipsoid, {},
                                  [k](auto& in) -> double& { return in.radii[k]; });
    expect_length<SuperellipsoidInput>(("/radii/" + at).c_str(), make_superellipsoid,
                                       {Vec3::Ones(), 0.5, 0.5},
                                       [k](auto& in) -> double& { return in.radii[k]; });
  }
  expect_length<CylinderInput>("/radius", make_cylinder, {},
                               [](auto& in) -> double& { return in.radius; });
  expect_length<CylinderInput>("/height", make_cylinder, {},
                               [](auto& in) -> double& { return in.height; });
  for (const double top : {0.0, 0.2}) {
    expect_length<ConeInput>("/radius", make_cone, {0.5, 1.0, top},
                             [](auto& in) -> double& { return in.radius; });
    expect_length<ConeInput>("/height", make_cone, {0.5, 1.0, top},
                             [](auto& in) -> double& { return in.height; });
  }
  for (const double wrong : {kNone, kInf, -1.0, 0.5e-9, 2e9})
    EXPECT_EQ(refused<ConeInput>(make_cone, {}, [&](auto& in) { in.top_radius = wrong; }),
              "/top_radius");
  expect_length<CapsuleInput>("/radius", make_capsule, {},
                              [](auto& in) -> double& { return in.radius; });
  expect_length<CapsuleInput>("/height", make_capsule, {},
                              [](auto& in) -> double& { return in.height; });
  expect_length<TorusInput>("/ring_radius", make_torus, {},
                            [](auto& in) -> double& { return in.ring_radius; });
  expect_length<TorusInput>("/tube_radius", make_torus, {},
                            [](auto& in) -> double& { return in.tube_radius; });
  EXPECT_EQ(refused<TorusInput>(make_torus, {}, [](auto& in) { in.tube_radius = 1.0; }),
            "/tube_radius");
  // the least and the largest lengths are lengths
  for (const double size : {2e-9, 1e-6, 1e6, 0.9e9}) {
    EXPECT_TRUE(make_ball({size}));
    EXPECT_TRUE(make_box({Vec3::Constant(size)}));
    EXPECT_TRUE(make_ellipsoid({Vec3(size, size, 0.5 * size + 0.5e-9)}));
  }
}

TEST(Refusals, of_exponents) {
  for (const double wrong : {kNone, 0.0, -0.5, 0.005, 1.1}) {
    EXPECT_FALSE(make_superellipsoid({Vec3::Ones(), wrong, 0.5})) << wrong;
    EXPECT_FALSE(make_superellipsoid({Vec3::Ones(), 0.5, wrong})) << wrong;
  }
  EXPECT_FALSE(make_superellipsoid({Vec3::Ones(), 1.0, 0.5}));
  for (const double right : {0.02, 0.5, 0.9})
    EXPECT_TRUE(make_superellipsoid({Vec3::Ones(), right, right})) << right;
}

TEST(Refusals, of_profiles_and_tubes) {
  RevolutionInput vase;
  vase.profile = {{0.0, 0.0}, {0.5, 0.1}, {0.4, 0.6}, {0.0, 1.0}};
  vase.corners = {1, 2};
  for (const int axis : {0, 1})
    expect_coordinate<RevolutionInput>("/profile/2", make_revolution, vase,
                                       [axis](auto& in) -> double& { return in.profile[2][axis]; });
  const auto refuse = [&](const std::function<void(RevolutionInput&)>& change) {
    return refused<RevolutionInput>(make_revolution, vase, change);
  };
  EXPECT_EQ(refuse([](auto& in) { in.profile[1].x() = -0.1; }), "/profile/1");
  EXPECT_EQ(refuse([](auto& in) { in.profile.resize(1); }), "/profile");
  for (const int wrong : {-1, 4})
    EXPECT_EQ(refuse([&](auto& in) { in.corners[1] = wrong; }), "/corners/1");
  TubeInput tube;
  tube.spine = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 1, 0)};
  tube.radii = {0.1, 0.2, 0.1};
  for (int axis = 0; axis < 3; ++axis)
    expect_coordinate<TubeInput>("/spine/1", make_tube, tube,
                                 [axis](auto& in) -> double& { return in.spine[1][axis]; });
  expect_length<TubeInput>("/radii/2", make_tube, tube,
                           [](auto& in) -> double& { return in.radii[2]; });
  const auto refuse_tube = [&](const std::function<void(TubeInput&)>& change) {
    return refused<TubeInput>(make_tube, tube, change);
  };
  EXPECT_EQ(refuse_tube([](auto& in) { in.radii.resize(2); }), "/radii");
  EXPECT_EQ(refuse_tube([](auto& in) { in.radii.clear(); }), "/radii");
  EXPECT_EQ(refuse_tube([](auto& in) { in.spine.resize(1); }), "/spine");
  EXPECT_EQ(refuse_tube([](auto& in) {
              in.spine.resize(2);
              in.radii.resize(1);
              in.closed = true;
            }),
            "/spine");
  EXPECT_EQ(refuse_tube([](auto& in) { in.radii.resize(1); }), "taken");
}

TEST(Refusals, of_polyhedra_and_their_faces) {
  ConvexInput cube;
  for (int k = 0; k < 8; ++k) cube.points.push_back(Vec3(k & 1, k >> 1 & 1, k >> 2));
  for (int axis = 0; axis < 3; ++axis)
    expect_coordinate<ConvexInput>("/points/3", make_convex, cube,
                                   [axis](auto& in) -> double& { return in.points[3][axis]; });
  const auto refuse = [&](const std::function<void(ConvexInput&)>& change) {
    return refused<ConvexInput>(make_convex, cube, change);
  };
  EXPECT_EQ(refuse([](auto& in) { in.points.resize(3); }), "/points");
  EXPECT_EQ(refuse([](auto& in) { in.points.resize(4); }), "/points");  // in one plane
  EXPECT_EQ(refuse([](auto& in) {
              for (Vec3& p : in.points) p *= 1e-10;
            }),
            "/points");
  cube.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  EXPECT_EQ(refuse([](auto&) {}), "taken");
  for (const int wrong : {-1, 8})
    EXPECT_EQ(refuse([&](auto& in) { in.faces[2][3] = wrong; }), "/faces/2/3");
  EXPECT_EQ(refuse([](auto& in) { in.faces[4].resize(2); }), "/faces/4");
  EXPECT_EQ(refuse([](auto& in) { in.faces.pop_back(); }), "/faces");
  // a corner a little out of its plane is taken, one that lies beyond a face is not
  EXPECT_EQ(refuse([](auto& in) { in.points[7] *= 1.0 - 1e-8; }), "taken");
  EXPECT_EQ(refuse([](auto& in) { in.points[7] *= 1.0 - 1e-4; }).substr(0, 7), "/faces/");
}

TEST(Refusals, of_regions_of_the_plane) {
  PlaneRegion good;
  good.polygons.resize(1);
  good.polygons[0].outer = {{0, 0}, {4, 0}, {4, 3}, {0, 3}};
  good.polygons[0].holes = {{{1, 1}, {2, 1}, {2, 2}}, {{3, 1}, {3.5, 1}, {3.5, 2}}};
  good.discs.push_back({Vec2(7.0, 1.0), 0.5});
  expect_length<PlaneRegion>("/thickness", make_plane_region, good,
                             [](auto& in) -> double& { return in.thickness; });
  expect_length<PlaneRegion>("/discs/0/radius", make_plane_region, good,
                             [](auto& in) -> double& { return in.discs[0].radius; });
  for (const int axis : {0, 1}) {
    expect_coordinate<PlaneRegion>(
        "/discs/0/center", make_plane_region, good,
        [axis](auto& in) -> double& { return in.discs[0].center[axis]; });
    expect_coordinate<PlaneRegion>(
        "/polygons/0/outer/2", make_plane_region, good,
        [axis](auto& in) -> double& { return in.polygons[0].outer[2][axis]; });
    expect_coordinate<PlaneRegion>(
        "/polygons/0/holes/1/0", make_plane_region, good,
        [axis](auto& in) -> double& { return in.polygons[0].holes[1][0][axis]; });
  }
  const auto refuse = [&](const std::function<void(PlaneRegion&)>& change) {
    return refused<PlaneRegion>(make_plane_region, good, change);
  };
  const std::string outer = "/polygons/0/outer", second = "/polygons/0/holes/1";
  EXPECT_EQ(refuse([](auto& in) { in.polygons[0].outer.resize(2); }), outer);
  EXPECT_EQ(refuse([](auto& in) { in.polygons[0].outer[1] = in.polygons[0].outer[0]; }),
            outer + "/0");
  EXPECT_EQ(refuse([](auto& in) { in.polygons[0].outer[0] = in.polygons[0].outer[3]; }),
            outer + "/3");
  EXPECT_EQ(refuse([](auto& in) { in.polygons[0].outer = {{0, 0}, {1, 1}, {2, 2}}; }), outer);
  EXPECT_EQ(refuse([](auto& in) {
              in.polygons[0].outer = {{0, 0}, {4, 3}, {4, 0}, {1, 3}};
            }),
            outer);
  // holes: across the outline, outside it, across each other, one in the other either way round
  EXPECT_EQ(refuse([](auto& in) { in.polygons[0].holes[1][2].x() = 5.0; }), second);
  EXPECT_EQ(refuse([](auto& in) {
              for (Vec2& p : in.polygons[0].holes[1]) p.x() += 9.0;
            }),
            second);
  EXPECT_EQ(refuse([](auto& in) { in.polygons[0].holes[1][0] = Vec2(1.5, 1.2); }), second);
  for (const bool larger : {false, true})
    EXPECT_EQ(refuse([&](auto& in) {
                in.polygons[0].holes[1] = in.polygons[0].holes[0];
                for (Vec2& p : in.polygons[0].holes[1])
                  p = Vec2(1.7, 1.3) + (larger ? 1.2 : 0.3) * (p - Vec2(1.7, 1.3));
              }),
              second);
  EXPECT_EQ(refuse([](auto& in) { in.polygons[0].holes.resize(1); }), "taken");
}

TEST(Refusals, of_balls_and_their_links) {
  SphereSet good;
  good.centers = {Vec3::Zero(), Vec3(1, 0, 0), Vec3(0, 1, 0)};
  good.radii = {0.5, 0.5, 0.25};
  good.links = {{0, 1}, {2, 1}};
  expect_length<SphereSet>("/radii/2", make_sphere_set, good,
                           [](auto& in) -> double& { return in.radii[2]; });
  for (int axis = 0; axis < 3; ++axis)
    expect_coordinate<SphereSet>("/centers/1", make_sphere_set, good,
                                 [axis](auto& in) -> double& { return in.centers[1][axis]; });
  const auto refuse = [&](const std::function<void(SphereSet&)>& change) {
    return refused<SphereSet>(make_sphere_set, good, change);
  };
  EXPECT_EQ(refuse([](auto& in) { in = {}; }), "/centers");
  EXPECT_EQ(refuse([](auto& in) { in.radii.pop_back(); }), "/radii");
  for (const int wrong : {-1, 3}) {
    EXPECT_EQ(refuse([&](auto& in) { in.links[1][0] = wrong; }), "/links/1/0");
    EXPECT_EQ(refuse([&](auto& in) { in.links[1][1] = wrong; }), "/links/1/1");
  }
  EXPECT_EQ(refuse([](auto& in) { in.links[1][0] = 1; }), "/links/1/0");
  for (const std::array<int, 2> again : {std::array{0, 1}, {1, 0}})
    EXPECT_EQ(refuse([&](auto& in) { in.links.push_back(again); }), "/links/2");
  EXPECT_EQ(refuse([](auto& in) { in.centers[2] = in.centers[0]; }).substr(0, 9), "/centers/");
}

TEST(Refusals, of_surfels_and_phyxels) {
  PointSet good;
  for (int k = 0; k < 6; ++k) {
    const Vec3 n = (k < 3 ? 1.0 : -1.0) * Vec3::Unit(k % 3);
    good.surfels.push_back(n);
    good.normals.push_back(2.0 * n);  // of any length
    good.surfel_radii.push_back(0.3);
  }
  good.phyxels = {Vec3::Zero(), Vec3(0.1, 0, 0)};
  good.phyxel_volumes = {1.0, 2.0};
  expect_length<PointSet>("/surfel_radii/4", make_point_set, good,
                          [](auto& in) -> double& { return in.surfel_radii[4]; });
  for (int axis = 0; axis < 3; ++axis) {
    expect_coordinate<PointSet>("/surfels/4", make_point_set, good,
                                [axis](auto& in) -> double& { return in.surfels[4][axis]; });
    expect_coordinate<PointSet>("/phyxels/1", make_point_set, good,
                                [axis](auto& in) -> double& { return in.phyxels[1][axis]; });
  }
  const auto refuse = [&](const std::function<void(PointSet&)>& change) {
    return refused<PointSet>(make_point_set, good, change);
  };
  for (const Vec3& wrong : {Vec3(0, 0, 0), Vec3(kNone, 0, 0), Vec3(0, kInf, 0)})
    EXPECT_EQ(refuse([&](auto& in) { in.normals[3] = wrong; }), "/normals/3");
  for (const double wrong : {0.0, -1.0, kNone, kInf})
    EXPECT_EQ(refuse([&](auto& in) { in.phyxel_volumes[1] = wrong; }), "/phyxel_volumes/1");
  EXPECT_EQ(refuse([](auto& in) { in.surfels.clear(); }), "/surfels");
  EXPECT_EQ(refuse([](auto& in) { in.normals.pop_back(); }), "/normals");
  EXPECT_EQ(refuse([](auto& in) { in.surfel_radii.pop_back(); }), "/surfel_radii");
  EXPECT_EQ(refuse([](auto& in) { in.phyxels.clear(); }), "/phyxels");
  EXPECT_EQ(refuse([](auto& in) { in.phyxel_volumes.pop_back(); }), "/phyxel_volumes");
  const auto made = make_point_set(good).value();
  for (const Vec3& n : std::get<PointSet>(made->geometry).normals)
    EXPECT_NEAR(n.norm(), 1.0, 1e-15);
  EXPECT_NEAR(made->volume.volume, 3.0, 1e-14);
  EXPECT_LT((made->volume.center - Vec3(0.2 / 3.0, 0, 0)).norm(), 1e-15);
}

TEST(Refusals, of_samples) {
  const SampleInput good{make_ball({1.0}).value(), 0.2, std::nullopt, 0};
  for (const double wrong : {kNone, kInf, 0.0, -1.0, 1.1, 1e-5}) {
    EXPECT_EQ(refused<SampleInput>(make_sample, good, [&](auto& in) { in.spacing = wrong; }),
              "/spacing")
        << wrong;
  }
  for (const double wrong : {kNone, kInf, 0.0, -1.0, 2.1, 1.9}) {
    EXPECT_EQ(refused<SampleInput>(make_sample, good, [&](auto& in) { in.phyxel_spacing = wrong; }),
              "/phyxel_spacing")
        << wrong;
  }
  EXPECT_EQ(refused<SampleInput>(make_sample, good, [](auto&) {}), "taken");
}

TEST(Refusals, of_unions_and_sewn_patches) {
  UnionInput good;
  good.parts = {{make_ball({1.0}).value(), {}},
                {make_ball({1.0}).value(), {Vec3(1, 0, 0), Quat::Identity()}}};
  for (int axis = 0; axis < 3; ++axis)
    expect_coordinate<UnionInput>(
        "/parts/1/position", make_union, good,
        [axis](auto& in) -> double& { return in.parts[1].pose.position[axis]; });
  const auto refuse = [&](const std::function<void(UnionInput&)>& change) {
    return refused<UnionInput>(make_union, good, change);
  };
  EXPECT_EQ(refuse([](auto& in) { in.parts.clear(); }), "/parts");
  EXPECT_EQ(refuse([](auto& in) { in.parts[1].shape = make_half_space().value(); }), "/parts/1");
  FormulaInput sphere;
  sphere.patches = {
      {"cos(v)*cos(u)", "cos(v)*sin(u)", "sin(v)", 0.0, 2.0 * M_PI, -0.5 * M_PI, 0.5 * M_PI}};
  const auto refuse_formula = [&](const std::function<void(FormulaInput&)>& change) {
    return refused<FormulaInput>(make_formula, sphere, change);
  };
  EXPECT_EQ(refuse_formula([](auto&) {}), "taken");
  for (const double wrong : {0.0, -1e-6, 0.011, kNone})
    EXPECT_EQ(refuse_formula([&](auto& in) { in.sew.gap_fraction = wrong; }), "/sew/gap_fraction");
  for (const double wrong : {0.0, -1.0, 46.0, kNone})
    EXPECT_EQ(refuse_formula([&](auto& in) { in.sew.smooth_angle_deg = wrong; }),
              "/sew/smooth_angle_deg");
  EXPECT_EQ(refuse_formula([](auto& in) { in.sew = {0.009, 44.0}; }), "taken");
  EXPECT_EQ(refuse_formula([](auto& in) { in.patches.clear(); }), "/patches");
  EXPECT_FALSE(make_bezier({}));
  EXPECT_FALSE(make_bspline({}));
  // all control points in one line: no normal anywhere
  BezierInput flat;
  flat.patches.resize(1);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      flat.patches[0][static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
          Vec3(i + 4 * j, 0, 0);
  const auto line = make_bezier(flat);
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().pointer, "/patches/0");
  flat.patches[0][2][1].y() = kNone;
  EXPECT_EQ(make_bezier(flat).error().pointer, "/patches/0/2/1");
}

}  // namespace
}  // namespace repose::shape
