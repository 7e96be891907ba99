// Balls on lattices against plain counts: every place by the closed form of the depth, every pair
// of balls by its distance.
#include <cmath>
#include <functional>
#include <set>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/shape/make.h"

#include "src/shape/define/make_lattice.h"

namespace repose::shape {
namespace {

using Place = std::array<int, 3>;
using Links = std::set<std::array<int, 2>>;

constexpr double kClose = 1e-8;  // of the pitch: nearer than drawing needs

/// A closed shape whose signed gap has a closed form; not square, not about the origin.
struct Filled {
  ShapePtr shape;
  Vec3 middle, low, high;
  std::function<double(const Vec3&)> gap;
};

Filled ball(double scale) {
  const double r = 0.83 * scale;
  return {make_ball({r}).value(), Vec3::Zero(), Vec3::Constant(-r), Vec3::Constant(r),
          [r](const Vec3& p) { return p.norm() - r; }};
}

/// A brick, off the origin as a polyhedron.
Filled brick(double scale) {
  const Vec3 half = scale * Vec3(0.71, 0.93, 0.47), at = scale * Vec3(0.3, -1.2, 0.7);
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.push_back(at + Vec3(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(),
                                k & 4 ? half.z() : -half.z()));
  const ShapePtr shape = make_convex({corners, {}}).value();
  return {shape, shape->bounding_center, at - half, at + half, [half, at](const Vec3& p) {
            const Vec3 q = (p - at).cwiseAbs() - half;
            return q.maxCoeff() <= 0.0 ? q.maxCoeff() : q.cwiseMax(0.0).norm();
          }};
}

const SphereSet& balls_of(const ShapePtr& shape) {
  return std::get<SphereSet>(shape->geometry);
}

int squared(const Place& a, const Place& b) {
  int out = 0;
  for (std::size_t k = 0; k < 3; ++k) out += (a[k] - b[k]) * (a[k] - b[k]);
  return out;
}

/// All pairs of places at most so many pitches apart.
Links near_pairs(const SphereSet& set, double neighbourhood) {
  Links out;
  for (std::size_t i = 0; i < set.lattice.size(); ++i)
    for (std::size_t j = i + 1; j < set.lattice.size(); ++j)
      if (squared(set.lattice[i], set.lattice[j]) <= neighbourhood * neighbourhood + 1e-9)
        out.insert({static_cast<int>(i), static_cast<int>(j)});
  return out;
}

Links links_of(const SphereSet& set) {
  Links out;
  for (const auto& [a, b] : set.links) {
    EXPECT_LT(a, b);
    out.insert({a, b});
  }
  EXPECT_EQ(out.size(), set.links.size());
  return out;
}

TEST(Fill, every_place_that_lies_deep_enough_has_its_ball) {
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const Filled& in : {ball(scale), brick(scale)})
      for (const FillRule rule : {FillRule::cells, FillRule::places})
        for (const double inset : {-1.0, 0.0, 0.21}) {
          FillInput fill;
          fill.shape = in.shape;
          fill.pitch = 0.19 * scale;
          fill.radius = 0.06 * scale;
          fill.neighbourhood = rule == FillRule::cells ? kNeighbourhood : 2.0;
          if (inset >= 0.0) fill.inset = inset * scale;
          const double deep = inset >= 0.0 ? inset * scale : fill.radius;
          const ShapePtr made = make_fill_by(fill, rule).value();
          const SphereSet set = balls_of(made);
          std::set<Place> wanted;
          for (int x = -12; x <= 12; ++x)
            for (int y = -12; y <= 12; ++y)
              for (int z = -12; z <= 12; ++z)
                if (in.gap(in.middle + fill.pitch * Vec3(x, y, z)) <= -deep + 1e-9 * scale)
                  wanted.insert({x, y, z});
          EXPECT_EQ(std::set<Place>(set.lattice.begin(), set.lattice.end()), wanted);
          EXPECT_EQ(set.lattice.size(), wanted.size());
          EXPECT_EQ(set.pitch, fill.pitch);
          for (std::size_t i = 0; i < set.centers.size(); ++i) {
            const Vec3 at(set.lattice[i][0], set.lattice[i][1], set.lattice[i][2]);
            EXPECT_LT((set.centers[i] - in.middle - fill.pitch * at).norm(), 1e-12 * scale);
            EXPECT_EQ(set.radii[i], fill.radius);
          }
          EXPECT_EQ(links_of(set), near_pairs(set, fill.neighbourhood));
          // it weighs what the shape would
          EXPECT_EQ(made->volume.volume, in.shape->volume.volume);
        }
}

TEST(Fill, a_skin_follows_the_depth_and_holds_every_cell) {
  for (const double scale : {1e-2, 1.0, 1e2})
    for (const Filled& in : {ball(scale), brick(scale)})
      for (const double pitch : {0.158, 0.19, 0.237}) {
        FillInput fill;
        fill.shape = in.shape;
        fill.pitch = pitch * scale;
        fill.inset = 0.07 * scale;
        // thick ones overlap where they are drawn together
        fill.radius = (pitch == 0.19 ? 0.07 : 0.8 * pitch) * scale;
        fill.skin = true;
        const SphereSet set = balls_of(make_fill(fill).value());
        // an odd number of cells stands half a pitch aside
        Vec3 origin = in.middle;
        for (int k = 0; k < 3; ++k)
          if (std::lround((in.high[k] - in.low[k] - 2.0 * *fill.inset) / fill.pitch) % 2 != 0)
            origin[k] -= 0.5 * fill.pitch;
        const auto place_at = [&](const Place& p, double shift) -> Vec3 {
          return origin + fill.pitch * Vec3(p[0] + shift, p[1] + shift, p[2] + shift);
        };
        const auto deep = [&](const Vec3& p) { return in.gap(p) + *fill.inset; };
        std::map<Place, int> cells;
        for (int x = -10; x <= 10; ++x)
          for (int y = -10; y <= 10; ++y)
            for (int z = -10; z <= 10; ++z) {
              if (deep(place_at({x, y, z}, 0.0)) <= 0.0) cells.try_emplace({x, y, z}, 0);
              if (deep(place_at({x, y, z}, 0.5)) > 0.0) continue;
              for (int k = 0; k < 8; ++k) ++cells[{x + k % 2, y + k / 2 % 2, z + k / 4}];
            }
        std::vector<bool> outer;
        for (std::size_t i = 0; i < set.centers.size(); ++i) {
          const auto found = cells.find(set.lattice[i]);
          ASSERT_NE(found, cells.end());
          const Vec3 at = place_at(set.lattice[i], 0.0);
          outer.push_back(found->second > 0 && found->second < 8);
          if (outer.back()) {
            EXPECT_NEAR(deep(set.centers[i]), 0.0, kClose * fill.pitch);
            EXPECT_LE((set.centers[i] - at).norm(), fill.pitch);
            // straight onto the depth: of a ball towards its middle
            if (in.middle.isZero() && at.norm() > fill.pitch) {
              EXPECT_LT(set.centers[i].normalized().cross(at.normalized()).norm(), kClose);
            }
          } else {
            EXPECT_LT((set.centers[i] - at).norm(), 1e-12 * scale);
          }
        }
        // only what cannot be drawn onto the depth is left out
        EXPECT_LE(set.lattice.size(), cells.size());
        EXPECT_GE(set.lattice.size(), cells.size() - cells.size() / 20);
        Links wanted = near_pairs(set, fill.neighbourhood);
        for (std::size_t i = 0; i < set.centers.size(); ++i)
          for (std::size_t j = i + 1; j < set.centers.size(); ++j)
            if ((outer[i] || outer[j]) && squared(set.lattice[i], set.lattice[j]) <= 9 &&
                (set.centers[i] - set.centers[j]).norm() < 1.01 * 2.0 * fill.radius)
              wanted.insert({static_cast<int>(i), static_cast<int>(j)});
        EXPECT_EQ(links_of(set), wanted);
      }
}

TEST(Fill, by_places_a_skin_draws_what_lies_within_half_a_pitch) {
  for (const Filled& in : {ball(1.0), brick(1.0)}) {
    FillInput fill;
    fill.shape = in.shape;
    fill.pitch = 0.19;
    fill.radius = 0.06;
    fill.skin = true;
    const SphereSet set = balls_of(make_fill_by(fill, FillRule::places).value());
    std::size_t within = 0, drawn = 0;
    for (int x = -9; x <= 9; ++x)
      for (int y = -9; y <= 9; ++y)
        for (int z = -9; z <= 9; ++z)
          within += in.gap(in.middle + 0.19 * Vec3(x, y, z)) <= -0.06 ? 1 : 0;
    for (std::size_t i = 0; i < set.centers.size(); ++i) {
      const Vec3 at =
          in.middle + 0.19 * Vec3(set.lattice[i][0], set.lattice[i][1], set.lattice[i][2]);
      const double above = in.gap(at) + 0.06;
      EXPECT_LE(above, 0.5 * 0.19);
      if (above <= 0.0) {
        EXPECT_LT((set.centers[i] - at).norm(), 1e-12);
        continue;
      }
      ++drawn;
      EXPECT_NEAR(in.gap(set.centers[i]), -0.06, kClose);
    }
    EXPECT_EQ(set.centers.size() - drawn, within);
    EXPECT_GT(drawn, 20u);
  }
}

TEST(Fill, a_lattice_has_its_balls_about_the_origin_and_all_its_links) {
  for (const double neighbourhood : {1.0, kNeighbourhood, 1.7320508075688772, 2.0, 3.0, 4.0}) {
    const LatticeInput in{{3, 5, 2}, 0.2, 0.1, neighbourhood};
    const SphereSet set = balls_of(make_lattice(in).value());
    ASSERT_EQ(set.centers.size(), 30u);
    std::size_t at = 0;
    for (int x = 0; x < 3; ++x)
      for (int y = 0; y < 5; ++y)
        for (int z = 0; z < 2; ++z, ++at) {
          EXPECT_EQ(set.lattice[at], (Place{x, y, z}));
          EXPECT_LT((set.centers[at] - 0.2 * Vec3(x - 1, y - 2, z - 0.5)).norm(), 1e-15);
        }
    EXPECT_EQ(links_of(set), near_pairs(set, neighbourhood));
    EXPECT_EQ(set.pitch, 0.2);
  }
}

TEST(Fill, balls_within_a_distance_are_linked_and_a_lattice_is_known_by_its_places) {
  Random random(17);
  for (const double scale : {1e-3, 1.0, 1e3}) {
    SphereSet cloud;
    for (int k = 0; k < 120; ++k)
      cloud.centers.push_back(scale * Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0),
                                           random.between(-1.0, 1.0)));
    cloud.radii.assign(cloud.centers.size(), 0.1 * scale);
    cloud.links = {{7, 9}};  // what was there is gone
    link_within(0.5 * scale, cloud);
    Links wanted;
    for (int i = 0; i < 120; ++i)
      for (int j = i + 1; j < 120; ++j)
        if ((cloud.centers[static_cast<std::size_t>(i)] -
             cloud.centers[static_cast<std::size_t>(j)])
                .norm() <= 0.5 * scale)
          wanted.insert({i, j});
    EXPECT_EQ(links_of(cloud), wanted);
    EXPECT_TRUE(cloud.lattice.empty());
    EXPECT_EQ(cloud.pitch, 0.0);
    SphereSet grid;
    for (int x = 0; x < 3; ++x)
      for (int y = 0; y < 4; ++y)
        for (int z = 0; z < 2; ++z)
          grid.centers.push_back(scale * (Vec3(-7.3, 0.1, 2.0) + 0.7 * Vec3(-x, y, 2 * z)));
    grid.radii.assign(grid.centers.size(), 0.1 * scale);
    link_within(0.7 * scale, grid);
    ASSERT_EQ(grid.lattice.size(), 24u);
    EXPECT_NEAR(grid.pitch, 0.7 * scale, 1e-12 * scale);
    EXPECT_EQ(grid.lattice[23], (Place{-2, 3, 2}));
    EXPECT_EQ(grid.lattice[0], Place{});
    EXPECT_EQ(grid.links.size(), 2u * (2 * 4 + 3 * 3));
    grid.centers[5].y() += 1e-4 * scale;  // a little off its place
    link_within(0.7 * scale, grid);
    EXPECT_TRUE(grid.lattice.empty());
  }
}

TEST(Fill, what_cannot_be_filled_is_refused) {
  FillInput fill;
  fill.pitch = 0.2;
  fill.radius = 0.05;
  const auto refused = [&](const ShapePtr& shape, const char* where) {
    FillInput in = fill;
    in.shape = shape;
    const auto made = make_fill(in);
    return !made && made.error().pointer == where;
  };
  const ShapePtr good = make_ball({1.0}).value();
  fill.shape = good;
  EXPECT_TRUE(make_fill(fill));
  EXPECT_TRUE(refused(make_half_space().value(), "/shape"));
  EXPECT_TRUE(refused(make_sphere_set({{Vec3::Zero()}, {1.0}, {}}).value(), "/shape"));
  PlaneRegion disc;
  disc.discs.push_back({Vec2::Zero(), 1.0});
  EXPECT_TRUE(refused(make_plane_region(disc).value(), "/shape"));
  PointSet points;
  points.surfels = points.normals = {Vec3::UnitX()};
  points.surfel_radii = {0.1};
  points.phyxels = {Vec3::Zero()};
  points.phyxel_volumes = {1.0};
  EXPECT_TRUE(refused(make_point_set(points).value(), "/shape"));
  MeshInput open;
  open.mesh.points = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY()};
  open.mesh.triangles = {{0, 1, 2}};
  open.open = true;
  EXPECT_TRUE(refused(make_mesh(open).value(), "/shape"));
  for (const double wrong : {-0.1, std::nan("")}) {
    fill.inset = wrong;
    EXPECT_TRUE(refused(good, "/inset"));
  }
  fill.inset = 0.9;  // one ball alone
  EXPECT_TRUE(refused(good, "/pitch"));
  fill.inset.reset();
  fill.pitch = 0.009;
  EXPECT_TRUE(refused(good, "/pitch"));
  for (const double wrong : {0.9, 4.1, std::nan("")}) {
    fill.pitch = 0.2;
    fill.neighbourhood = wrong;
    EXPECT_TRUE(refused(good, "/neighbourhood"));
  }
}

}  // namespace
}  // namespace repose::shape
