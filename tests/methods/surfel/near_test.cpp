// The search for near pairs and its bounds, against trying all pairs.
#include "methods/surfel/near.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "repose/base/at.h"
#include "repose/base/random.h"

#include "methods/surfel/deformed.h"
#include "soft_world.h"

namespace repose::surfel {
namespace {

Vec3 random_vector(Random& random, double size) {
  Vec3 out;
  for (int k = 0; k < 3; ++k) out[k] = size * random.between(-1.0, 1.0);
  return out;
}

Mat3 random_matrix(Random& random, double size) {
  Mat3 out;
  for (int k = 0; k < 3; ++k) out.col(k) = random_vector(random, size);
  return out;
}

/// A bar bent so far that its ends come near, and a cube beside it.
struct Bodies {
  Bodies() {
    const World world = world_of(scene_text(
        R"({"name": "bar", "material": "gel", "shape": {"kind": "sample", "spacing": 0.014,
 "shape": {"kind": "box", "size": [0.3, 0.08, 0.08]}}}, )" +
        cube("cube", 0.1, 0.016, "gel", Vec3(0.0, 0.0, 0.16))));
    auto made = prepare_arena(world.problem, SurfelSettings{});
    EXPECT_TRUE(made);
    arena = std::move(*made);
    motion = read_motion(arena, world.state);
  }
  Arena arena;
  Motion motion;
};

/// Every pair that would come nearer than `keep` is told, with velocities as they are.
void expect_all_told(const Arena& arena, const Motion& motion, const NearSearch& search, double h,
                     double keep) {
  const std::set<Pair> told(search.pairs().begin(), search.pairs().end());
  const Balls balls{at_balls(arena, motion.x), at_balls(arena, motion.v)};
  int missing = 0;
  for (int a = 0; a < arena.balls(); ++a)
    for (int b = 0; b < a; ++b) {
      if (arena.belong_together(a, b)) continue;
      const Pair pair{a, b, -1, -1};
      const Parting parting = parting_of(arena, motion, balls, pair);
      const double end =
          parting.gap + h * parting.normal.dot(balls.velocities[at(a)] - balls.velocities[at(b)]);
      if (std::min(parting.gap, end) < keep && told.count(pair) == 0) ++missing;
    }
  EXPECT_EQ(missing, 0);
}

TEST(surfel_near, the_search_tells_all_pairs_that_come_near_while_bodies_bend_turn_and_tremble) {
  Bodies bodies;
  const Arena& arena = bodies.arena;
  Motion& motion = bodies.motion;
  NearSearch search;
  Random random(4711);
  constexpr double kStep = 1e-3;  // s
  const double keep = 2e-3 * arena.least_radius;
  std::size_t most = 0;
  for (int step = 0; step < 60; ++step) {
    // the bar's halves turn towards each other, the cube falls upon it, and all of it turns
    const double bend = step < 35 ? 12.0 : -9.0;
    for (std::size_t i = 0; i < motion.x.size(); ++i) {
      const Vec3& x = motion.x[i];
      const bool bar = arena.body_of[i] == 0;
      const double side = arena.rest[i].x();
      motion.v[i] = Vec3(0.3, -1.0, 2.0).cross(x) + random_vector(random, 0.05);
      motion.v[i] += bar ? Vec3(bend * std::fabs(side) * (side > 0.0 ? -1.0 : 1.0), 0.0,
                                bend * std::fabs(side))
                         : Vec3(0.0, 0.0, -1.5);
    }
    search.begin(arena, motion, kStep, keep);
    search.look(arena, motion);
    expect_all_told(arena, motion, search, kStep, keep);
    // a contact pushes some of them
    for (int n = 0; n < 6; ++n)
      motion.v[random.below(motion.v.size())] += random_vector(random, 3.0);
    search.look(arena, motion);
    expect_all_told(arena, motion, search, kStep, keep);
    most = std::max(most, search.pairs().size());
    for (std::size_t i = 0; i < motion.x.size(); ++i) motion.x[i] += kStep * motion.v[i];
    search.end(motion);
  }
  EXPECT_GT(most, 100U);  // else nothing was near
}

TEST(surfel_near, no_gap_is_smaller_than_what_follows_from_the_gaps_at_rest) {
  Bodies bodies;
  const Arena& arena = bodies.arena;
  const Clusters& clusters = arena.clusters;
  Random random(17);
  std::vector<Vec4> rest, x;
  pad(arena.rest, rest);
  int near = 0, tight = 0;
  for (int round = 0; round < 12; ++round) {
    // a linear map, and a little that is not
    const Mat3 linear = Mat3::Identity() + random_matrix(random, 0.25);
    const Mat3 square = random_matrix(random, 0.3);
    std::vector<Vec3> places;
    for (const Vec3& p : arena.rest)
      places.push_back(linear * p + square * Vec3(p.cwiseProduct(p)));
    pad(places, x);
    std::vector<Vec4> centers;
    for (const int ball : clusters.balls) {
      centers.emplace_back();
      centers.back() << at_ball(arena, places, ball), 0.0;
    }
    Deformed deformed;
    deformed.begin(arena);
    const Deformed::Places now{arena, rest, x, centers};
    for (int n = 0; n < 400; ++n) {
      const auto a = static_cast<int>(random.below(clusters.size()));
      const auto b = static_cast<int>(random.below(clusters.size()));
      const Cluster &p = clusters.all[at(a)], &q = clusters.all[at(b)];
      if (a == b || p.body != q.body) continue;
      const Directions asked{random_vector(random, 1.0).normalized(), random.between(0.0, 1.0)};
      const GapBound bound = deformed.gap_bound(now, a, b, asked);
      for (int i = p.first_ball; i < p.last_ball; ++i)
        for (int j = q.first_ball; j < q.last_ball; ++j) {
          const Vec3 way = (clusters.rest.col(i) - clusters.rest.col(j)).head<3>().matrix();
          const double radii = clusters.rest(3, i) + clusters.rest(3, j);
          const double at_rest = way.norm() - radii;
          const double gap = (centers[at(i)] - centers[at(j)]).norm() - radii;
          EXPECT_GE(gap, bound.least(at_rest) - 1e-12);
          if (std::fabs(way.dot(asked.across)) > asked.tilt * way.norm()) continue;
          EXPECT_GE(gap, bound.least_near(at_rest) - 1e-12);
          ++near;
          tight += bound.least_near(at_rest) > bound.least(at_rest) + 1e-3 ? 1 : 0;
        }
    }
  }
  EXPECT_GT(near, 10000);
  EXPECT_GT(tight, 100);  // directions tell more than none
}

}  // namespace
}  // namespace repose::surfel
