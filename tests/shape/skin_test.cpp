#include "repose/shape/skin.h"

#include <map>
#include <numbers>
#include <set>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/base/stage_clock.h"
#include "repose/math/pose.h"
#include "repose/shape/make.h"

namespace repose::shape {
namespace {

/// Each edge is used once in each direction; answers V - E + F.
long closed_and_oriented(const TriangleMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  for (const auto& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
  for (const auto& [edge, count] : edges) {
    EXPECT_EQ(count, 1);
    EXPECT_EQ(edges.count({edge.second, edge.first}), 1U);
  }
  std::set<int> used;
  for (const auto& t : mesh.triangles) used.insert(t.begin(), t.end());
  EXPECT_EQ(used.size(), mesh.points.size()) << "every point is a corner";
  return static_cast<long>(mesh.points.size()) - static_cast<long>(edges.size() / 2) +
         static_cast<long>(mesh.triangles.size());
}

double volume(const TriangleMesh& mesh) {
  double out = 0.0;
  for (const auto& [a, b, c] : mesh.triangles)
    out += mesh.points[a].dot(mesh.points[b].cross(mesh.points[c])) / 6.0;
  return out;
}

TEST(Skin, a_ball_alone_keeps_its_radius_to_second_order) {
  double before = 0.0;
  for (const double spacing : {0.2, 0.1, 0.05}) {
    SkinSettings settings;
    settings.spacing = spacing;
    const Skin skin = skin_of({Vec3(0.013, -0.3, 2.0)}, {0.5}, settings);
    EXPECT_EQ(closed_and_oriented(skin.mesh), 2);
    double worst = 0.0;
    for (std::size_t i = 0; i < skin.mesh.points.size(); ++i) {
      const Vec3 from = skin.mesh.points[i] - Vec3(0.013, -0.3, 2.0);
      worst = std::max(worst, std::fabs(from.norm() - 0.5));
      EXPECT_GT(skin.normals[i].dot(from.normalized()), 0.8);
    }
    if (before > 0.0) {
      EXPECT_LT(worst, 0.4 * before);
    }
    before = worst;
    EXPECT_NEAR(volume(skin.mesh), 4.0 / 3.0 * std::numbers::pi * 0.125, 8.0 * spacing * spacing);
  }
  EXPECT_LT(before, 2e-3);
}

TEST(Skin, every_surface_over_random_balls_is_closed_and_oriented_outward) {
  Random random(5);
  for (int k = 0; k < 150; ++k) {
    std::vector<Vec3> centers;
    std::vector<double> radii;
    const int count = 1 + static_cast<int>(random.unit() * 30);
    for (int i = 0; i < count; ++i) {
      centers.push_back(Vec3(random.unit(), random.unit(), random.unit()));
      radii.push_back(random.between(0.05, 0.3));
    }
    SkinSettings settings;
    settings.spacing = random.between(0.03, 0.2);
    const Skin skin = skin_of(centers, radii, settings);
    EXPECT_EQ(closed_and_oriented(skin.mesh) % 2, 0);
    if (skin.mesh.triangles.empty()) continue;  // balls that slip between the samples
    EXPECT_GT(volume(skin.mesh), 0.0);
  }
}

TEST(Skin, lies_between_the_balls_and_the_reach_beyond_them) {
  const auto lattice = make_lattice({{5, 5, 3}, 0.015, 0.012}).value();
  const auto& set = std::get<SphereSet>(lattice->geometry);
  SkinSettings settings;
  settings.spacing = 0.003;
  const Skin skin = skin_of(set.centers, set.radii, settings);
  EXPECT_EQ(closed_and_oriented(skin.mesh), 2);
  for (const Vec3& p : skin.mesh.points) {
    double gap = std::numeric_limits<double>::infinity();
    for (const Vec3& c : set.centers) gap = std::min(gap, (p - c).norm() - 0.012);
    EXPECT_GT(gap, -0.0005) << "linear cuts between samples go a little into the balls";
    EXPECT_LT(gap, 0.5 * 0.012);
  }
}

TEST(Skin, a_ring_of_balls_has_a_hole_and_two_heaps_two_surfaces) {
  std::vector<Vec3> ring;
  for (int k = 0; k < 20; ++k) {
    const double a = 2.0 * std::numbers::pi * k / 20;
    ring.push_back(Vec3(std::cos(a), std::sin(a), 0.0));
  }
  EXPECT_EQ(closed_and_oriented(skin_of(ring, std::vector<double>(20, 0.2)).mesh), 0);
  EXPECT_EQ(
      closed_and_oriented(skin_of({Vec3::Zero(), Vec3(5, 0, 0)}, std::vector<double>(2, 0.4)).mesh),
      4);
}

TEST(Skin, the_same_balls_anywhere_and_at_any_size_have_the_same_skin) {
  std::vector<Vec3> row{Vec3(0, 0, 0), Vec3(1, 0.2, 0.1), Vec3(1.5, 1, 0)};
  const Skin one = skin_of(row, {0.7, 0.6, 0.8});
  for (Vec3& p : row) p *= 1024.0;
  const Skin large = skin_of(row, {0.7 * 1024, 0.6 * 1024, 0.8 * 1024});
  ASSERT_EQ(one.mesh.triangles, large.mesh.triangles);
  for (std::size_t i = 0; i < one.mesh.points.size(); ++i)
    EXPECT_EQ(one.mesh.points[i] * 1024.0, large.mesh.points[i]);
}

TEST(Skin, balls_far_apart_get_a_coarser_grid_that_is_told) {
  const Skin skin = skin_of({Vec3::Zero(), Vec3(1e5, 1e5, 1e5)}, {0.5, 0.5});
  EXPECT_GT(skin.spacing, 1.0);
  closed_and_oriented(skin.mesh);
}

TEST(Skin, the_papers_rule_gives_its_spacing) {
  EXPECT_NEAR(paper_spacing(0.01), 0.01, 1e-15);
}

}  // namespace
}  // namespace repose::shape
