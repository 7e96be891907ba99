#include <numbers>

#include "repose/shape/inside.h"

#include "shape/mesh_files.h"

namespace repose::shape {
namespace {

TEST(Mesh, an_open_mesh_is_refused_as_a_solid_naming_its_edges) {
  TriangleMesh open = cube();
  open.triangles.pop_back();
  const auto made = make_mesh({.mesh = open});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().wrong.find("3 edges with one triangle"), std::string::npos)
      << made.error().text();
  const auto surroundings = make_mesh({.mesh = open, .open = true});
  ASSERT_TRUE(surroundings);
  EXPECT_EQ((*surroundings)->volume.volume, 0.0);
}

TEST(Mesh, an_edge_with_three_triangles_is_refused) {
  TriangleMesh crowded = cube();
  crowded.points.push_back({0.5, -1.0, 0.5});
  const auto t = crowded.triangles[0];
  crowded.triangles.push_back({t[0], t[1], 8});
  const auto made = make_mesh({.mesh = crowded});
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().wrong.find("1 with more than two"), std::string::npos)
      << made.error().text();
}

TEST(Mesh, triangles_that_disagree_are_turned_outward) {
  TriangleMesh mixed = cube();
  for (std::size_t t = 0; t < mixed.triangles.size(); t += 3)
    std::swap(mixed.triangles[t][0], mixed.triangles[t][1]);
  const auto made = make_mesh({.mesh = mixed});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NEAR((*made)->volume.volume, 1.0, 1e-14);
  EXPECT_TRUE(inside(**made, {0.4, 0.3, 0.2}));
  EXPECT_NEAR(signed_gap(**made, {0.5, 0.5, 3.0}), 2.0, 1e-14);
}

TEST(Mesh, a_moebius_band_doubled_shut_is_not_taken_for_a_solid) {
  TriangleMesh band;
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double a = 2.0 * std::numbers::pi * i / n, half = 0.5 * a;
    for (const double s : {-0.3, 0.3})
      band.points.emplace_back((1.0 + s * std::cos(half)) * std::cos(a),
                               (1.0 + s * std::cos(half)) * std::sin(a), s * std::sin(half));
  }
  for (int i = 0; i < n; ++i) {
    const bool last = i == n - 1;
    const int a = 2 * i, b = 2 * i + 1, c = last ? 1 : 2 * i + 2, d = last ? 0 : 2 * i + 3;
    band.triangles.push_back({a, b, c});
    band.triangles.push_back({b, d, c});
  }
  EXPECT_FALSE(make_mesh({.mesh = band}));
}

TEST(Mesh, absurd_numbers_are_refused) {
  TriangleMesh bad = cube();
  bad.points[3].x() = 1e308;
  EXPECT_FALSE(make_mesh({.mesh = bad}));
  bad = cube();
  bad.triangles[2][1] = 77;
  EXPECT_FALSE(make_mesh({.mesh = bad}));
  EXPECT_FALSE(make_mesh({}));
}

/// Moves and scales a mesh, turned inside out if asked, and appends it.
void append_moved(const TriangleMesh& mesh, const Vec3& by, double scale, bool turned,
                  TriangleMesh* out) {
  const int first = static_cast<int>(out->points.size());
  for (const Vec3& p : mesh.points) out->points.push_back(scale * p + by);
  for (const auto& t : mesh.triangles) {
    out->triangles.push_back({first + t[0], first + t[1], first + t[2]});
    if (turned) std::swap(out->triangles.back()[0], out->triangles.back()[1]);
  }
}

TEST(Mesh, only_pieces_within_larger_ones_are_hollows) {
  TriangleMesh all;
  append_moved(cube(), Vec3::Zero(), 3.0, false, &all);
  append_moved(cube(), Vec3::Ones(), 1.0, true, &all);          // a hollow in it
  append_moved(cube(), Vec3(5.0, 0.0, 0.0), 1.0, true, &all);   // inside out by mistake
  append_moved(cube(), Vec3(-2.0, 1.0, 1.0), 2.5, true, &all);  // reaches out of the first
  const auto made = make_mesh({.mesh = all});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NEAR((*made)->volume.volume, 27.0 - 1.0 + 1.0 + 15.625, 1e-12);
}

TEST(Mesh, many_pieces_inside_out_are_turned_in_a_moment) {
  TriangleMesh all;
  const TriangleMesh one = cube();
  for (int i = 0; i < 30000; ++i)
    append_moved(one, Vec3(2.0 * (i % 200), 2.0 * (i / 200), 0.0), 1.0, true, &all);
  const auto made = make_mesh({.mesh = all});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NEAR((*made)->volume.volume, 30000.0, 1e-6);
}

TEST(Mesh, triangles_without_area_stay_and_change_nothing) {
  // the cube's first edge gets a point in its middle, on one side only as a sliver
  TriangleMesh mesh = cube();
  const auto t = mesh.triangles[0];
  const Vec3 middle = 0.5 * (mesh.points[t[0]] + mesh.points[t[1]]);
  const int m = static_cast<int>(mesh.points.size());
  mesh.points.push_back(middle);
  mesh.triangles[0] = {t[0], m, t[2]};
  mesh.triangles.push_back({m, t[1], t[2]});
  mesh.triangles.push_back({t[0], t[1], m});
  const auto made = make_mesh({.mesh = mesh});
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NEAR((*made)->volume.volume, 1.0, 1e-14);
  EXPECT_NEAR(signed_gap(**made, {0.5, 0.5, 0.75}), -0.25, 1e-14);
  EXPECT_NEAR(signed_gap(**made, middle + 2.0 * (middle - Vec3::Constant(0.5))),
              2.0 * (middle - Vec3::Constant(0.5)).norm(), 1e-14);
}

}  // namespace
}  // namespace repose::shape
