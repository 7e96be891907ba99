#include "repose/measure/measures.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose::measure {
namespace {

constexpr double kPi = std::numbers::pi;

/// Pairs of balls that touch to a millionth of the radius, as contacts without force.
void touch_all(Grains& grains) {
  for (std::size_t i = 0; i < grains.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double gap =
          (grains.centers[i] - grains.centers[j]).norm() - grains.radii[i] - grains.radii[j];
      if (std::fabs(gap) > 1e-6 * grains.radii[i]) continue;
      Contact c;
      c.body_a = static_cast<int>(i);
      c.body_b = static_cast<int>(j);
      grains.contacts.push_back(c);
    }
}

/// Balls of radius 1 on a lattice of cubic cells of side `cell`, at these places of each cell.
Grains lattice(int cells, double cell, const std::vector<Vec3>& places) {
  Grains out;
  for (int i = 0; i < cells; ++i)
    for (int j = 0; j < cells; ++j)
      for (int k = 0; k < cells; ++k)
        for (const Vec3& p : places) {
          out.centers.push_back(cell * (Vec3(i, j, k) + p));
          out.radii.push_back(1.0);
        }
  touch_all(out);
  return out;
}
Grains simple_cubic(int cells) {
  return lattice(cells, 2.0, {Vec3::Constant(0.5)});
}
Grains face_centred(int cells) {
  return lattice(cells, 2.0 * std::sqrt(2.0),
                 {Vec3(0.25, 0.25, 0.25), Vec3(0.75, 0.75, 0.25), Vec3(0.75, 0.25, 0.75),
                  Vec3(0.25, 0.75, 0.75)});
}

TEST(Measure, a_ball_and_a_region_have_the_volume_in_common_that_geometry_says) {
  Region half;
  half.low = Vec3(-5.0, -5.0, -5.0);
  half.high = Vec3(5.0, 5.0, 0.0);
  const double ball = 4.0 / 3.0 * kPi;
  EXPECT_NEAR(volume_within(half, Vec3::Zero(), 1.0), ball / 2.0, 1e-9);
  // a cap of height 0.3
  EXPECT_NEAR(volume_within(half, Vec3(0.0, 0.0, 0.7), 1.0), kPi * 0.09 * (3.0 - 0.3) / 3.0, 1e-9);
  Region octant = half;
  octant.high = Vec3::Zero();
  EXPECT_NEAR(volume_within(octant, Vec3::Zero(), 1.0), ball / 8.0, 1e-6);
  EXPECT_EQ(volume_within(octant, Vec3(1.1, 0.0, 0.0), 1.0), 0.0);
  // the same from the other side, and together they are whole
  Random random(3);
  for (int n = 0; n < 50; ++n) {
    const Vec3 c(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
    double sum = 0.0;
    for (int part = 0; part < 8; ++part) {
      Region r;
      for (int k = 0; k < 3; ++k) {
        r.low[k] = (part >> k & 1) != 0 ? 0.2 : -5.0;
        r.high[k] = (part >> k & 1) != 0 ? 5.0 : 0.2;
      }
      sum += volume_within(r, c, 1.0);
    }
    EXPECT_NEAR(sum, ball, 1e-5);
  }
  // a thin rod through the middle: a cylinder with two caps
  Region rod;
  rod.cylinder = true;
  rod.low = Vec3(-0.1, -0.1, -5.0);
  rod.high = Vec3(0.1, 0.1, 5.0);
  EXPECT_NEAR(volume_within(rod, Vec3::Zero(), 1.0), ball * (1.0 - std::pow(0.99, 1.5)), 1e-5);
}

TEST(Measure, packing_and_contacts_of_the_simple_cubic_lattice_are_pi_over_6_and_6) {
  const Grains grains = simple_cubic(8);
  Region cell;  // a whole number of periods, cutting balls
  cell.low = Vec3::Constant(3.0);
  cell.high = Vec3::Constant(11.0);
  EXPECT_NEAR(packing_fraction(grains, cell), kPi / 6.0, 1e-7);
  cell.low = Vec3::Constant(3.4);
  cell.high = Vec3::Constant(11.4);
  EXPECT_NEAR(packing_fraction(grains, cell), kPi / 6.0, 1e-6);
  const Coordination inner = coordination(grains, cell);
  EXPECT_DOUBLE_EQ(inner.mean, 6.0);
  EXPECT_DOUBLE_EQ(inner.mean_without_rattlers, 6.0);
  EXPECT_EQ(inner.rattlers, 0);
  EXPECT_EQ(inner.grains_with.size(), 7U);
}

TEST(Measure, packing_and_contacts_of_the_face_centred_lattice_are_74_percent_and_12) {
  const Grains grains = face_centred(5);
  const double side = 2.0 * std::sqrt(2.0);
  Region cell;
  cell.low = Vec3::Constant(1.3 * side);
  cell.high = Vec3::Constant(3.3 * side);
  EXPECT_NEAR(packing_fraction(grains, cell), 0.7404804897, 1e-6);
  EXPECT_DOUBLE_EQ(coordination(grains, cell).mean, 12.0);
  // what `measure` takes by itself: without the boundary layer it comes near
  MeasureSettings thin;
  thin.layer = 0.5;
  const Measures all = measure(grains, thin);
  EXPECT_LT(all.packing, all.packing_inner);
  EXPECT_NEAR(all.packing_inner, 0.7405, 0.02);
  EXPECT_LT(all.coordination.mean, all.coordination_inner.mean);
}

TEST(Measure, peaks_of_a_lattice_lie_at_its_own_distances) {
  const Grains grains = simple_cubic(8);
  Region whole;
  whole.high = Vec3::Constant(16.0);
  const double bin = 0.05;
  const Curve g = radial_distribution(grains, whole, bin, 8.0);
  ASSERT_EQ(g.x.size(), 160U);
  std::vector<bool> expected(g.x.size(), false);
  for (int i = 0; i <= 4; ++i)
    for (int j = 0; j <= 4; ++j)
      for (int k = 0; k <= 4; ++k) {
        const double far = 2.0 * std::sqrt(i * i + j * j + k * k);
        const auto at = static_cast<std::size_t>(far / bin);
        if (far > 0.0 && at < expected.size()) expected[at] = true;
      }
  for (std::size_t k = 0; k < g.x.size(); ++k) EXPECT_EQ(g.y[k] > 0.0, expected[k]) << g.x[k];
  // the first peak holds six neighbours
  const auto first = static_cast<std::size_t>(2.0 / bin);
  const double shell = 4.0 / 3.0 * kPi * (std::pow(2.05, 3) - 8.0);
  EXPECT_NEAR(g.y[first] * shell / 8.0, 6.0, 0.02);
}

TEST(Measure, points_without_order_have_the_radial_distribution_1_in_box_and_cylinder) {
  for (const bool round : {false, true}) {
    Region region;
    region.cylinder = round;
    region.low = Vec3(-3.0, -3.0, 0.0);
    region.high = Vec3(3.0, 3.0, 4.0);
    std::vector<double> mean(10, 0.0);
    const int draws = 12;
    for (int draw = 0; draw < draws; ++draw) {
      Grains grains;
      Random random(static_cast<std::uint64_t>(11 + draw));
      while (grains.size() < 1200) {
        const Vec3 p(random.between(-3.0, 3.0), random.between(-3.0, 3.0),
                     random.between(0.0, 4.0));
        if (!region.holds(p)) continue;
        grains.centers.push_back(p);
        grains.radii.push_back(0.1);
      }
      const Curve g = radial_distribution(grains, region, 0.2, 2.0);
      ASSERT_EQ(g.y.size(), mean.size());
      for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += g.y[k] / draws;
    }
    for (std::size_t k = 2; k < mean.size(); ++k) EXPECT_NEAR(mean[k], 1.0, 0.02) << k;
  }
}

TEST(Measure, a_cone_has_its_angle_and_a_noisy_one_within_its_error) {
  Random random(5);
  for (const double angle : {12.0, 30.0, 48.0}) {
    std::vector<Vec3> exact, noisy;
    for (int n = 0; n < 2000; ++n) {
      const double x = random.between(-1.0, 1.0), y = random.between(-1.0, 1.0);
      const double h = 2.0 - std::tan(angle * kPi / 180.0) * std::hypot(x - 0.2, y + 0.1);
      exact.emplace_back(x, y, h);
      noisy.emplace_back(x, y, h + 0.03 * random.normal());
    }
    const auto clean = fit_cone(exact);
    ASSERT_TRUE(clean);
    EXPECT_NEAR(clean->angle_deg, angle, 1e-6);
    EXPECT_LT((clean->apex - Vec3(0.2, -0.1, 2.0)).norm(), 1e-7);
    EXPECT_LT(clean->error_deg, 1e-6);
    const auto rough = fit_cone(noisy);
    ASSERT_TRUE(rough);
    EXPECT_GT(rough->error_deg, 0.01);
    EXPECT_NEAR(rough->angle_deg, angle, 4.0 * rough->error_deg);
    EXPECT_NEAR(rough->residual, 0.03, 0.003);
  }
}

TEST(Measure, a_heap_of_balls_in_a_cone_has_the_cones_angle) {
  for (const double angle : {20.0, 32.0}) {
    Grains heap;
    heap.on_plane = true;
    Random random(9);
    const double slope = std::tan(angle * kPi / 180.0), wide = 20.0, height = slope * wide;
    // three balls of radius 0.5 for each cubic metre; that they overlap does not change the surface
    for (int n = 0; n < static_cast<int>(3.0 * 4.0 * wide * wide * height); ++n) {
      const Vec3 p(random.between(-wide, wide), random.between(-wide, wide),
                   random.between(0.0, height));
      if (p.z() > slope * (wide - std::hypot(p.x(), p.y()))) continue;
      heap.centers.push_back(p);
      heap.radii.push_back(0.5);
    }
    const auto found = measure(heap).heap;
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->angle_deg, angle, 0.5);
    EXPECT_LT(found->error_deg, 0.5);
  }
}

TEST(Measure, forces_of_a_column_are_its_weights) {
  Grains column;
  const int count = 10;
  const double weight = 3.0;
  for (int n = 0; n < count; ++n) {
    column.centers.emplace_back(0.0, 0.0, 2.0 * n + 1.0);
    column.radii.push_back(1.0);
    Contact below;
    below.body_a = n == 0 ? count : n - 1;  // the ground is body `count`
    below.body_b = n;
    below.force_on_b = Vec3(0.0, 0.0, 0.5 * weight * (count - n));
    column.contacts.push_back(below);
    column.contacts.push_back(below);  // two points of one pair
  }
  const ForceHistogram f = force_histogram(column, 0.5, 8);
  EXPECT_NEAR(f.mean, weight * 5.5, 1e-12);
  // forces 1 to 10 over 5.5 in bins of half a mean force, 2.75: 2, 3, 3 and 2 of them
  EXPECT_EQ(f.counts, (std::vector<int>{2, 3, 3, 2, 0, 0, 0, 0}));
  double whole = 0.0;
  for (const double y : f.density.y) whole += 0.5 * y;
  EXPECT_NEAR(whole, 1.0, 1e-12);
  const Coordination z = coordination(column, Region::everywhere());
  EXPECT_NEAR(z.mean, 1.9, 1e-12);          // the uppermost has one
  EXPECT_NEAR(z.mean_between, 1.8, 1e-12);  // and the lowest lies on the ground
  EXPECT_EQ(z.rattlers, 10) << "no ball of a column is held sideways";
}

}  // namespace
}  // namespace repose::measure
