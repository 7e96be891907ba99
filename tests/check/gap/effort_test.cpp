// What a gap costs: sums over pairs of all kinds, apart, touching and overlapping, of what is
// counted and not timed. A search that loses its way in one of its parts still finds the gap, late.
#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

#include "check/items.h"
#include "src/check/verdict/tally.h"

namespace repose::check {
namespace {

struct Kind {
  const char* name;
  shape::ShapePtr shape;
};

std::vector<Kind> kinds() {
  shape::TubeInput tube;
  tube.spine = {Vec3(-0.6, 0, 0), Vec3(0, 0.3, 0.2), Vec3(0.6, 0, 0)};
  tube.radii = {0.2};
  shape::RevolutionInput vase;
  vase.profile = {{0.0, -0.6}, {0.4, -0.6}, {0.6, 0.0}, {0.2, 0.5}, {0.0, 0.6}};
  vase.corners = {1};
  shape::MeshInput ell;
  const std::vector<Vec2> outline{{0, 0}, {1, 0}, {1, 0.5}, {0.5, 0.5}, {0.5, 1}, {0, 1}};
  for (const double z : {-0.2, 0.2})
    for (const Vec2& p : outline) ell.mesh.points.push_back({p.x() - 0.4, p.y() - 0.4, z});
  for (int k = 0; k < 6; ++k) {
    const int next = (k + 1) % 6;
    ell.mesh.triangles.push_back({k, next, next + 6});
    ell.mesh.triangles.push_back({k, next + 6, k + 6});
  }
  for (const auto& [a, b, c] : {std::array{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}}) {
    ell.mesh.triangles.push_back({a, c, b});
    ell.mesh.triangles.push_back({a + 6, b + 6, c + 6});
  }
  shape::UnionInput two;
  two.parts = {{shape::make_ball({0.5}).value(), {}},
               {shape::make_box({Vec3(1.4, 0.3, 0.3)}).value(), {}}};
  return {{"ellipsoid", shape::make_ellipsoid({Vec3(0.8, 0.5, 0.4)}).value()},
          {"superellipsoid", shape::make_superellipsoid({Vec3(0.7, 0.6, 0.5), 0.4, 0.6}).value()},
          {"cone", shape::make_cone({0.5, 0.9, 0.2}).value()},
          {"torus", shape::make_torus({0.6, 0.2}).value()},
          {"tube", shape::make_tube(tube).value()},
          {"vase", shape::make_revolution(vase).value()},
          {"mesh", shape::make_mesh(ell).value()},
          {"union", shape::make_union(two).value()}};
}

/// The effort of all pairs of one kind with every kind, each at three distances along a direction.
Effort effort_of(std::size_t kind, const std::vector<Kind>& all) {
  Random random(4100 + kind);
  const Effort before = tally;
  for (std::size_t other = 0; other < all.size(); ++other) {
    const Vec3 way = random_direction(random);
    const PlacedBody a = at(all[kind].shape, Vec3::Zero(), random_rotation(random));
    PlacedBody b = at(all[other].shape, 3.0 * way, random_rotation(random));
    // near, nearer, and a little into it
    for (const double wanted : {0.05, 1e-6, -0.02}) {
      for (int k = 0; k < 6; ++k) {
        const GapBracket rough = gap(a, b, {.width = 1e-3});
        b.world_from_body.position -= 0.7 * (rough.lower - wanted) * way;
      }
      const GapBracket g = gap(a, b, {.width = 1e-6});
      EXPECT_LE(g.lower, g.upper);
      // how deep curved bodies overlap is not known to the last
      if (wanted > 0.0) {
        EXPECT_LE(g.upper - g.lower, 1e-5) << all[other].name << ' ' << wanted;
      }
    }
  }
  return tally - before;
}

TEST(Effort, of_gaps_stays_within_what_it_is) {
  constexpr double kMore = 1.15;
  // pieces, supports, steps, rays: as they were counted
  constexpr std::array<std::array<long, 4>, 8> kCounted{{{95405, 30949, 51108, 95},
                                                         {42140, 46657, 30072, 40},
                                                         {49420, 12581, 31361, 52},
                                                         {30914, 9499, 28242, 46},
                                                         {498675, 6606, 305684, 295},
                                                         {83205, 26783, 44041, 101},
                                                         {39666, 8405, 43314, 123},
                                                         {150212, 35023, 79052, 98}}};
  const auto all = kinds();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Effort e = effort_of(k, all);
    const std::array<long, 4> spent{e.pieces, e.supports, e.steps, e.rays};
    for (std::size_t n = 0; n < spent.size(); ++n)
      EXPECT_LE(static_cast<double>(spent[n]), kMore * static_cast<double>(kCounted[k][n]))
          << all[k].name << ' ' << n;
  }
}

}  // namespace
}  // namespace repose::check
