#include "repose/collide/nearest.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "repose/base/random.h"

namespace repose::collide {
namespace {

std::vector<int> by_trying_all(const std::vector<Vec3>& points, const Vec3& to, std::size_t count,
                               int self) {
  std::vector<std::pair<double, int>> all;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (static_cast<int>(i) != self)
      all.emplace_back((points[i] - to).squaredNorm(), static_cast<int>(i));
  std::sort(all.begin(), all.end());
  if (all.size() > count) {
    const double far = all[count - 1].first * (1.0 + 1e-6);
    std::erase_if(all, [&](const auto& entry) { return entry.first > far; });
  }
  std::vector<int> out;
  for (const auto& entry : all) out.push_back(entry.second);
  return out;
}

Vec3 random_point(Random& random, const Vec3& size) {
  return Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0))
      .cwiseProduct(size);
}

TEST(nearest, the_grid_finds_what_trying_all_finds) {
  Random random(4);
  // full, flat, thin and one place; asked for from within and from far outside
  for (const Vec3& size : {Vec3(1.0, 1.0, 1.0), Vec3(1.0, 2.0, 0.0), Vec3(5.0, 1e-3, 1e-3),
                           Vec3(0.0, 0.0, 0.0), Vec3(1e3, 1e-3, 1.0)}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 300; ++i) points.push_back(random_point(random, size));
    const NearestPoints grid(points);
    for (int k = 0; k < 40; ++k) {
      const Vec3 to = k % 2 == 0 ? points[static_cast<std::size_t>(k)]
                                 : random_point(random, 3.0 * size + Vec3::Ones());
      const int self = k % 4 == 0 ? k : -1;
      EXPECT_EQ(grid.nearest(to, 20, self), by_trying_all(points, to, 20, self));
      EXPECT_EQ(grid.nearest(to, 1000, self), by_trying_all(points, to, 1000, self));
    }
  }
}

TEST(nearest, all_that_are_as_near_as_the_last_are_found) {
  std::vector<Vec3> lattice;
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      for (int k = -3; k <= 3; ++k) lattice.push_back(0.1 * Vec3(i, j, k));
  EXPECT_EQ(NearestPoints(lattice).nearest(Vec3::Zero(), 8, 171).size(), 18U);
  EXPECT_TRUE(NearestPoints({}).nearest(Vec3::Zero(), 8).empty());
}

}  // namespace
}  // namespace repose::collide
