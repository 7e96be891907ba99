#include "repose/shape/inside.h"

#include "shape/mesh_files.h"

namespace repose::shape {
namespace {

TEST(Convex, the_hull_of_a_rotated_cube_has_six_faces) {
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const Quat turn = random_rotation(random);
    ConvexInput in;
    for (int i = 0; i < 8; ++i)
      in.points.push_back(turn * Vec3(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1));
    for (int i = 0; i < 50; ++i)
      in.points.push_back(turn * Vec3(random.between(-1, 1), random.between(-1, 1), 1.0));
    const auto made = make_convex(in);
    ASSERT_TRUE(made) << made.error().text();
    EXPECT_EQ(std::get<ConvexPolyhedron>((*made)->geometry).faces.size(), 6u);
    EXPECT_NEAR((*made)->volume.volume, 8.0, 1e-12);
  }
}

TEST(Convex, every_point_lies_within_the_hull) {
  Random random(11);
  ConvexInput in;
  for (int i = 0; i < 2000; ++i) in.points.push_back(random_direction(random) * random.unit());
  for (int i = 0; i < 200; ++i) in.points.push_back(in.points[i]);  // doubles
  const auto made = make_convex(in);
  ASSERT_TRUE(made) << made.error().text();
  const InsideTest test(**made);
  for (const Vec3& p : in.points) EXPECT_LT(test.signed_gap(p), 1e-9);
}

TEST(Convex, points_in_a_plane_and_dented_faces_are_refused) {
  ConvexInput flat;
  for (int i = 0; i < 9; ++i) flat.points.emplace_back(i % 3, i / 3, 0.25 * (i % 3));
  EXPECT_FALSE(make_convex(flat));
  const TriangleMesh mesh = cube();
  ConvexInput dented;
  dented.points = mesh.points;
  for (const auto& t : mesh.triangles) dented.faces.push_back({t[0], t[1], t[2]});
  ASSERT_TRUE(make_convex(dented));
  dented.points[6] = {0.6, 0.6, 0.2};
  EXPECT_FALSE(make_convex(dented));
}

}  // namespace
}  // namespace repose::shape
