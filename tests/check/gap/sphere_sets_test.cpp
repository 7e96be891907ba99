#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/base/stage_clock.h"
#include "repose/check/soft.h"
#include "repose/check/verdict.h"
#include "repose/shape/make.h"

#include "check/items.h"

namespace repose::check {
namespace {

PlacedBody set_of(std::vector<Vec3> centers, std::vector<double> radii,
                  std::vector<std::array<int, 2>> links = {}) {
  PlacedBody out;
  out.shape = shape::make_sphere_set({centers, radii, std::move(links)}).value();
  out.name = "set";
  out.mass = 1.0;
  out.points_world = std::move(centers);
  return out;
}

PlacedBody random_set(Random& random, int count, const Vec3& middle, double spread) {
  std::vector<Vec3> centers;
  std::vector<double> radii;
  for (int i = 0; i < count; ++i) {
    centers.push_back(middle + spread * Vec3(random.unit(), random.unit(), random.unit()));
    radii.push_back(random.between(0.01, 0.1));
  }
  return set_of(std::move(centers), std::move(radii));
}

/// The least gap of two balls by trying all, in long double.
double plain_gap(const PlacedBody& a, const PlacedBody& b) {
  const auto& ra = std::get<shape::SphereSet>(a.shape->geometry).radii;
  const auto& rb = std::get<shape::SphereSet>(b.shape->geometry).radii;
  long double least = INFINITY;
  for (std::size_t i = 0; i < ra.size(); ++i)
    for (std::size_t j = 0; j < rb.size(); ++j) {
      long double sum = 0.0L;
      for (int k = 0; k < 3; ++k) {
        const long double d = static_cast<long double>(a.points_world[i][k]) - b.points_world[j][k];
        sum += d * d;
      }
      const long double apart = std::sqrt(sum) - ra[i] - rb[j];
      // a ball deep in another counts from its nearest point
      if (apart >= -static_cast<long double>(std::min(ra[i], rb[j])))
        least = std::min(least, apart);
      else
        least = std::min(least, -static_cast<long double>(std::max(ra[i], rb[j])));
    }
  return static_cast<double>(least);
}

TEST(SphereSets, the_gap_of_two_sets_is_the_least_of_their_balls) {
  Random random(1);
  for (int k = 0; k < 60; ++k) {
    const PlacedBody a = random_set(random, 60, Vec3::Zero(), 1.0);
    const PlacedBody b = random_set(random, 40, Vec3(1.05, random.unit(), 0.0), 1.0);
    const GapBracket g = gap(a, b);
    const double truth = plain_gap(a, b);
    if (truth < -0.01) continue;  // deep in one another: the depth has another meaning
    EXPECT_LE(g.lower, truth);
    EXPECT_GE(g.upper, truth);
    EXPECT_LT(g.width(), 1e-13);
    EXPECT_EQ(g.status, GapStatus::closed);
    const GapBracket back = gap(b, a);
    EXPECT_NEAR(back.lower, g.lower, 1e-15);
  }
}

TEST(SphereSets, a_set_at_rest_is_its_shape_at_its_pose) {
  const std::vector<Vec3> centers{Vec3(0, 0, 0), Vec3(1, 0, 0)};
  PlacedBody set = set_of(centers, {0.2, 0.3});
  set.points_world.clear();
  set.world_from_body = {Vec3(0, 0, 7), rotation_from_vector(Vec3(0, M_PI_2, 0))};
  // the second ball points down: its lowest point is at 7 - 1 - 0.3
  const GapBracket g = gap(at(ground(), Vec3::Zero()), set);
  EXPECT_NEAR(g.lower, 5.7, 1e-12);
  EXPECT_LE(g.lower, 5.7);
  EXPECT_GE(g.upper, 5.7);
}

TEST(SphereSets, radii_of_now_count_before_those_of_the_shape) {
  PlacedBody set = set_of({Vec3(0, 0, 1)}, {0.2});
  set.radii = {0.5};
  EXPECT_NEAR(gap(at(ground(), Vec3::Zero()), set).upper, 0.5, 1e-13);
}

TEST(SphereSets, a_set_has_a_gap_with_every_kind_of_body) {
  const auto box = shape::make_box({Vec3(2, 2, 2)}).value();
  const auto torus = shape::make_torus({1.0, 0.25}).value();
  const auto mesh =
      shape::make_mesh({{{Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)},
                         {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}}})
          .value();
  const PlacedBody set =
      set_of({Vec3(0, 0, 1.5), Vec3(0.3, 0.1, 2.0), Vec3(5, 5, 5)}, {0.25, 0.25, 1.0});
  EXPECT_NEAR(gap(set, at(box, Vec3::Zero())).lower, 0.25, 1e-8);
  EXPECT_NEAR(gap(at(ball(1.0), Vec3::Zero()), set).lower, 0.25, 1e-13);
  EXPECT_NEAR(gap(set, at(mesh, Vec3::Zero())).lower, 0.25, 1e-8);
  // the middle of the first ball lies on the ring's axis
  const double ring = std::hypot(1.0, 1.5) - 0.25 - 0.25;
  const GapBracket g = gap(set, at(torus, Vec3::Zero()));
  EXPECT_LE(g.lower, ring);
  EXPECT_GE(g.upper, ring - 0.4) << "the second ball may be nearer";
  EXPECT_NE(g.status, GapStatus::unjudged);
}

TEST(SphereSets, a_kind_without_a_gap_leaves_the_verdict_open) {
  Input input;
  input.bodies = {set_of({Vec3(0, 0, 0)}, {0.5}), at(ball(1.0), Vec3(0, 0, 1.1))};
  shape::PlaneRegion region;
  region.discs.push_back({Vec2::Zero(), 1.0});
  input.bodies[1].shape = shape::make_plane_region(region).value();
  Settings settings;
  settings.judge_balance = false;
  EXPECT_EQ(check(input, settings).overlap, Answer::undecided);
}

TEST(SphereSets, points_that_do_not_fit_the_shape_are_not_called_free) {
  PlacedBody set = set_of({Vec3(0, 0, 9), Vec3(0, 0, 8)}, {0.2, 0.2});
  set.points_world.pop_back();
  EXPECT_EQ(gap(at(ground(), Vec3::Zero()), set).status, GapStatus::unjudged);
  Input input;
  input.bodies = {set};
  Settings settings;
  settings.judge_balance = false;
  EXPECT_EQ(check(input, settings).overlap, Answer::undecided);
}

TEST(SphereSets, joined_balls_may_overlap_and_others_may_not) {
  const std::vector<Vec3> row{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0)};
  PlacedBody set = set_of(row, {0.7, 0.7, 0.7}, {{0, 1}, {1, 2}});
  EXPECT_NEAR(self_gap(set).lower, 0.6, 1e-13);
  set.points_world[2] = Vec3(1, 0.9, 0);  // folded: near the first, which it is not joined to
  EXPECT_NEAR(self_gap(set).upper, std::hypot(1.0, 0.9) - 1.4, 1e-13);
  Input input;
  input.bodies = {set};
  Settings settings;
  settings.judge_balance = false;
  const Verdict verdict = check(input, settings);
  EXPECT_EQ(verdict.overlap, Answer::missed);
  EXPECT_NE(verdict.why.find("set overlaps itself"), std::string::npos) << verdict.why;
}

TEST(SphereSets, self_gap_is_that_of_all_pairs_tried) {
  Random random(7);
  for (int k = 0; k < 30; ++k) {
    PlacedBody set = random_set(random, 80, Vec3::Zero(), 2.0);
    std::vector<std::array<int, 2>> links;
    double least = INFINITY;
    const auto& radii = std::get<shape::SphereSet>(set.shape->geometry).radii;
    for (int i = 0; i < 80; ++i)
      for (int j = i + 1; j < 80; ++j) {
        const double g = (set.points_world[i] - set.points_world[j]).norm() - radii[i] - radii[j];
        if (g < 0.15)
          links.push_back({j, i});
        else
          least = std::min(least, g);
      }
    set.shape = shape::make_sphere_set({set.points_world, radii, links}).value();
    const GapBracket g = self_gap(set);
    EXPECT_NEAR(g.lower, least, 1e-13);
    EXPECT_LE(g.lower, g.upper);
  }
}

TEST(SphereSets, a_hundred_thousand_points_are_judged_in_seconds) {
  const auto lattice = shape::make_lattice({{100, 100, 10}, 0.1, 0.055}).value();
  PlacedBody a;
  a.shape = lattice;
  a.mass = 1.0;
  Random random(3);
  for (const Vec3& c : std::get<shape::SphereSet>(lattice->geometry).centers)
    a.points_world.push_back(c + Vec3(0, 0, 1.0) + 0.002 * random_direction(random));
  PlacedBody floor = at(shape::make_box({Vec3(20, 20, 1)}).value(), Vec3(0, 0, -0.5));
  floor.fixed = true;
  Input input;
  input.bodies = {a, floor, at(ball(0.5), Vec3(0, 0, 2.1))};
  Settings settings;
  settings.judge_balance = false;
  const double start = cpu_seconds();
  const Verdict verdict = check(input, settings);
  EXPECT_EQ(verdict.overlap, Answer::proven) << verdict.why;
  EXPECT_LT(cpu_seconds() - start, 10.0);
  RecordProperty("seconds", std::to_string(cpu_seconds() - start));
}

}  // namespace
}  // namespace repose::check
