#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/base/work.h"
#include "repose/math/quadrature.h"
#include "repose/shape/make.h"

namespace repose::shape {
namespace {

constexpr double kPi = std::numbers::pi;

ShapePtr must(const Result<ShapePtr>& made) {
  EXPECT_TRUE(made) << made.error().text();
  return *made;
}

struct Disc {
  double x, y, r;
};

/// Area of a union of discs: Green's theorem along the arcs of each circle outside all others.
double union_area(const std::vector<Disc>& discs) {
  double area = 0.0;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const Disc& a = discs[i];
    std::vector<double> cuts{-kPi, kPi};
    for (std::size_t j = 0; j < discs.size(); ++j) {
      const Disc& b = discs[j];
      const double dx = b.x - a.x, dy = b.y - a.y, d = std::hypot(dx, dy);
      if (j == i || d >= a.r + b.r || d <= std::fabs(a.r - b.r)) continue;
      const double half = std::acos((d * d + a.r * a.r - b.r * b.r) / (2.0 * d * a.r));
      for (const double angle : {std::atan2(dy, dx) - half, std::atan2(dy, dx) + half})
        cuts.push_back(std::remainder(angle, 2.0 * kPi));
    }
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      const double t0 = cuts[k - 1], t1 = cuts[k], t = 0.5 * (t0 + t1);
      const double x = a.x + a.r * std::cos(t), y = a.y + a.r * std::sin(t);
      bool covered = false;
      for (std::size_t j = 0; j < discs.size() && !covered; ++j)
        covered = j != i && std::hypot(x - discs[j].x, y - discs[j].y) < discs[j].r;
      if (covered) continue;
      area += 0.5 * (a.r * a.r * (t1 - t0) + a.x * a.r * (std::sin(t1) - std::sin(t0)) -
                     a.y * a.r * (std::cos(t1) - std::cos(t0)));
    }
  }
  return area;
}

struct Ball {
  Vec3 center;
  double radius;
};

/// Volume of a union of balls from its level slices, between the heights where slices change.
double union_volume(const std::vector<Ball>& balls) {
  const auto slice = [&](double z) {
    std::vector<Disc> discs;
    for (const Ball& b : balls) {
      const double h = z - b.center.z();
      if (std::fabs(h) < b.radius)
        discs.push_back({b.center.x(), b.center.y(), std::sqrt(b.radius * b.radius - h * h)});
    }
    return union_area(discs);
  };
  double low = 1e300, high = -1e300;
  for (const Ball& b : balls) {
    low = std::min(low, b.center.z() - b.radius);
    high = std::max(high, b.center.z() + b.radius);
  }
  const QuadratureRule rule = gauss_legendre(4);
  constexpr int kSlabs = 1000;
  double volume = 0.0;
  for (int k = 0; k < kSlabs; ++k) {
    const double h = 0.5 * (high - low) / kSlabs;
    for (std::size_t i = 0; i < rule.nodes.size(); ++i)
      volume += h * rule.weights[i] * slice(low + h * (2.0 * k + 1.0 + rule.nodes[i]));
  }
  return volume;
}

TEST(Union, clusters_of_balls_have_the_volume_of_their_slices) {
  Random random(11);
  struct Case {
    int count;
    double scale;
  };
  for (const auto& [count, s] : {Case{3, 1e-3}, Case{12, 1.0}, Case{25, 1e3}}) {
    std::vector<Ball> balls;
    UnionInput in;
    for (int i = 0; i < count; ++i) {
      const Vec3 c(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
      balls.push_back({s * c, s * random.between(0.2, 0.7)});
      in.parts.push_back(
          {must(make_ball({balls.back().radius})), {balls.back().center, Quat::Identity()}});
    }
    const double want = union_volume(balls);
    const VolumeProperties got = must(make_union(in))->volume;
    EXPECT_NEAR(got.volume, want, 1e-5 * want) << count << " balls at scale " << s;
    EXPECT_LT(got.error, 1e-4);
  }
}

TEST(Union, a_ball_that_barely_pokes_through_another_is_counted) {
  const double out = 0.02, small = 0.3;
  const double d = 1.0 + out - small;  // the small ball's top stands `out` above the large one
  const auto both = must(
      make_union({{{must(make_ball({1.0})), {}},
                   {must(make_ball({small})), {d * Vec3(0.48, 0.6, 0.64), Quat::Identity()}}}}));
  // what the small ball adds: its cap beyond their common plane, less the large ball's cap there
  const double plane = (d * d + 1.0 - small * small) / (2.0 * d);
  const auto cap = [](double r, double h) { return kPi * h * h * (3.0 * r - h) / 3.0; };
  const double more = cap(small, d + small - plane) - cap(1.0, 1.0 - plane);
  EXPECT_NEAR(both->volume.volume - 4.0 / 3.0 * kPi, more, 1e-2 * more);
}

TEST(Union, boxes_that_share_a_face_count_once_and_leave_no_wall) {
  const auto box = must(make_box({Vec3(1.0, 1.0, 1.0)}));
  const auto two = must(make_union({{{box, {}}, {box, {Vec3(1.0, 0.0, 0.0), Quat::Identity()}}}}));
  EXPECT_NEAR(two->volume.volume, 2.0, 1e-9);
  EXPECT_NEAR(two->volume.area, 10.0, 1e-6);
  const auto same = must(make_union({{{box, {}}, {box, {}}}}));
  EXPECT_NEAR(same->volume.volume, 1.0, 1e-9);
}

TEST(Union, two_balls_weigh_what_their_closed_form_tells_at_little_cost) {
  // cells are cut where the other ball's surface crosses them, found by false position
  for (const double s : {1e-3, 1.0, 1e3})
    for (const double d : {0.3, 0.9, 1.4, 1.7}) {
      const double r = 0.8;
      const Vec3 way = Vec3(0.48, 0.6, 0.64);
      UnionInput in;
      in.parts = {{must(make_ball({s})), {}},
                  {must(make_ball({s * r})), {s * d * way, Quat::Identity()}}};
      const std::uint64_t before = work_spent();
      const VolumeProperties got = must(make_union(in))->volume;
      const auto work = static_cast<double>(work_spent() - before);
      // Weisstein, sphere-sphere intersection
      const double sum = 1.0 + r - d;
      const double lens = kPi * sum * sum *
                          (d * d + 2.0 * d * (1.0 + r) - 3.0 * (1.0 - r) * (1.0 - r)) / (12.0 * d);
      const double want = 4.0 / 3.0 * kPi * (1.0 + r * r * r) - lens;
      EXPECT_LE(std::fabs(got.volume / (s * s * s) / want - 1.0), got.error) << d;
      EXPECT_LT(got.error, 1e-5) << d;
      EXPECT_LT(work, 200'000) << d;
    }
}

}  // namespace
}  // namespace repose::shape
