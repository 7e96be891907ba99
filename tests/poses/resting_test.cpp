// Resting poses of bodies of no symmetry against plain searches, and their parts one by one.
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "repose/math/pose.h"
#include "repose/poses/poses.h"
#include "repose/shape/make.h"

#include "src/check/exact/rounding.h"
#include "src/check/gap/prepared.h"
#include "src/check/gap/support.h"
#include "src/check/verdict/tally.h"
#include "src/poses/basins.h"
#include "src/poses/farthest_points.h"
#include "src/poses/pose_groups.h"
#include "src/poses/refine_pose.h"

namespace repose::poses {
namespace {

using namespace check;

constexpr double kPi = std::numbers::pi;

struct Lump {
  std::vector<Vec3> points;
  shape::ShapePtr shape;
  Vec3 center;
};
Lump lump(std::uint64_t seed, int corners) {
  Random random(seed);
  Lump out;
  for (int k = 0; k < corners; ++k)
    out.points.push_back(random_direction(random).cwiseProduct(Vec3(1.3, 0.9, 0.6)));
  out.shape = shape::make_convex({out.points, {}}).value();
  out.center = out.shape->volume.center + Vec3(0.06, -0.04, 0.03);
  return out;
}
const shape::ConvexPolyhedron& hull_of(const Lump& l) {
  return std::get<shape::ConvexPolyhedron>(l.shape->geometry);
}
double height(const Lump& l, const Vec3& u) {
  double top = -1e300;
  for (const Vec3& p : l.points) top = std::max(top, u.dot(p - l.center));
  return top;
}

TEST(Resting, a_lump_rests_on_the_faces_that_hold_its_centre) {
  for (const std::uint64_t seed : {201, 202, 203, 204, 205, 206}) {
    const Lump l = lump(seed, 8 + static_cast<int>(seed % 5));
    const Poses found = resting_poses(l.shape, l.center).value();
    EXPECT_TRUE(found.exact);
    std::size_t stable = 0;
    for (const auto& face : hull_of(l).faces) {
      const auto at = [&](std::size_t k) {
        return Vec3(hull_of(l).points[static_cast<std::size_t>(face[k % face.size()])] - l.center);
      };
      const Vec3 n = (at(1) - at(0)).cross(at(2) - at(0)).normalized();
      const double h = n.dot(at(0));
      const Vec3 foot = h * n;
      double inward = 1e300, area = 0.0;
      for (std::size_t k = 0; k < face.size(); ++k) {
        inward = std::min(inward, n.cross(at(k + 1) - at(k)).normalized().dot(foot - at(k)));
        area += 0.5 * n.dot(at(k).cross(at(k + 1)));
      }
      if (inward <= 0.0) continue;
      ++stable;
      const RestingPose* pose = nullptr;
      for (const RestingPose& p : found.poses)
        if ((p.down_body - n).norm() < 1e-9) pose = &p;
      ASSERT_TRUE(pose) << seed;
      EXPECT_NEAR(pose->height, h, 1e-12);
      EXPECT_NEAR(pose->tilt, std::atan2(inward, h), 1e-9);
      EXPECT_NEAR(pose->support_area, area, 1e-9);
      EXPECT_EQ(pose->contact, SupportKind::area);
      ASSERT_EQ(pose->support_body.size(), face.size());
      // counter-clockwise seen from above: the downward normal the other way round
      double turn = 0.0;
      for (std::size_t k = 0; k < face.size(); ++k) {
        EXPECT_NEAR(n.dot(pose->support_body[k] - l.center), h, 1e-9);
        turn += -n.dot((pose->support_body[k] - l.center)
                           .cross(pose->support_body[(k + 1) % face.size()] - l.center));
      }
      EXPECT_GT(turn, 0.0);
      EXPECT_LT((pose->orientation * pose->down_body + Vec3::UnitZ()).norm(), 1e-12);
      EXPECT_EQ(pose->rolling, Rolling::none);
      EXPECT_GT(pose->height_error, 0.0);
      EXPECT_LT(pose->height_error, 1e-13);
    }
    EXPECT_EQ(found.poses.size(), stable) << seed;
    double sum = 0.0;
    for (std::size_t k = 0; k < found.poses.size(); ++k) {
      sum += found.poses[k].share;
      EXPECT_GT(found.poses[k].share, 0.0);
      if (k) {
        EXPECT_LE(found.poses[k].share, found.poses[k - 1].share);
      }
    }
    EXPECT_NEAR(sum, 1.0, 1e-12);
  }
}

/// Steepest descent of the height by small steps: which pose it ends in.
std::size_t plain_descent(const Lump& l, Vec3 u, const Poses& poses) {
  for (double step = 0.01; step > 5e-5; step *= 0.995) {
    Vec3 top = l.points[0] - l.center;
    for (const Vec3& p : l.points)
      if (u.dot(p - l.center) > u.dot(top)) top = p - l.center;
    u = (u + step * (top.dot(u) * u - top)).normalized();
  }
  std::size_t best = 0;
  for (std::size_t k = 0; k < poses.poses.size(); ++k)
    if (u.dot(poses.poses[k].down_body) > u.dot(poses.poses[best].down_body)) best = k;
  return best;
}

TEST(Resting, shares_of_lumps_are_those_of_plain_descents) {
  for (const std::uint64_t seed : {211, 212, 213}) {
    const Lump l = lump(seed, 9);
    const Poses found = resting_poses(l.shape, l.center).value();
    Random random(seed);
    constexpr int kTries = 600;
    std::vector<int> hits(found.poses.size(), 0);
    for (int k = 0; k < kTries; ++k) ++hits[plain_descent(l, random_direction(random), found)];
    for (std::size_t k = 0; k < hits.size(); ++k) {
      const double p = found.poses[k].share;
      EXPECT_NEAR(hits[k] / double(kTries), p, 4.0 * std::sqrt(p * (1 - p) / kTries) + 5e-3)
          << seed;
    }
  }
}

/// Water rises on the sphere of directions: where two lakes first meet is the pass between them.
std::vector<double> flooded_barriers(const Lump& l, const Poses& poses) {
  constexpr int kRows = 180, kAround = 2 * kRows;
  std::vector<double> h;
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kAround; ++j) {
      const double polar = kPi * (i + 0.5) / kRows, turn = 2.0 * kPi * j / kAround;
      h.push_back(height(l, Vec3(std::sin(polar) * std::cos(turn), std::sin(polar) * std::sin(turn),
                                 std::cos(polar))));
    }
  std::vector<int> order(h.size()), lake(h.size(), -1);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return h[static_cast<std::size_t>(a)] < h[static_cast<std::size_t>(b)];
  });
  const auto find = [&](int i) {
    while (lake[static_cast<std::size_t>(i)] != i) i = lake[static_cast<std::size_t>(i)];
    return i;
  };
  std::vector<double> barrier(poses.poses.size(), 1e300);
  std::vector<std::vector<std::size_t>> in_lake(h.size());
  const auto nearest = [&](const Vec3& u) {
    const double polar = std::acos(std::clamp(u.z(), -1.0, 1.0)), turn = std::atan2(u.y(), u.x());
    const int i = std::clamp(static_cast<int>(polar / kPi * kRows), 0, kRows - 1);
    const int j =
        static_cast<int>(std::lround((turn < 0 ? turn + 2 * kPi : turn) / (2 * kPi) * kAround)) %
        kAround;
    return i * kAround + j;
  };
  std::vector<std::vector<std::size_t>> holds(h.size());
  for (std::size_t k = 0; k < poses.poses.size(); ++k)
    holds[static_cast<std::size_t>(nearest(poses.poses[k].down_body))].push_back(k);
  for (const int at : order) {
    lake[static_cast<std::size_t>(at)] = at;
    in_lake[static_cast<std::size_t>(at)] = holds[static_cast<std::size_t>(at)];
    const int i = at / kAround, j = at % kAround;
    const int beside[4] = {i > 0 ? at - kAround : (j + kAround / 2) % kAround,
                           i + 1 < kRows ? at + kAround : i * kAround + (j + kAround / 2) % kAround,
                           i * kAround + (j + 1) % kAround,
                           i * kAround + (j + kAround - 1) % kAround};
    for (const int other : beside) {
      if (lake[static_cast<std::size_t>(other)] < 0) continue;
      const int a = find(at), b = find(other);
      if (a == b) continue;
      auto &pa = in_lake[static_cast<std::size_t>(a)], &pb = in_lake[static_cast<std::size_t>(b)];
      if (!pa.empty() && !pb.empty())
        for (const auto* side : {&pa, &pb})
          for (const std::size_t k : *side)
            barrier[k] =
                std::min(barrier[k], h[static_cast<std::size_t>(at)] - poses.poses[k].height);
      pa.insert(pa.end(), pb.begin(), pb.end());
      pb.clear();
      lake[static_cast<std::size_t>(b)] = a;
    }
  }
  return barrier;
}

TEST(Resting, barriers_of_lumps_are_those_of_rising_water) {
  for (const std::uint64_t seed : {221, 222}) {
    const Lump l = lump(seed, 8);
    const Poses found = resting_poses(l.shape, l.center).value();
    ASSERT_GT(found.poses.size(), 2u);
    const auto plain = flooded_barriers(l, found);
    for (std::size_t k = 0; k < plain.size(); ++k)
      EXPECT_NEAR(found.poses[k].barrier, plain[k], 0.02) << seed << ' ' << k;
  }
}

TEST(Resting, a_cylinder_with_its_mass_aside_does_not_roll) {
  const double r = 0.5, h = 1.6, aside = 0.1;
  const auto shape = shape::make_cylinder({r, h}).value();
  const Poses found = resting_poses(shape, Vec3(aside, 0, 0.1), {.chord = 3e-4}).value();
  EXPECT_FALSE(found.exact);
  ASSERT_EQ(found.poses.size(), 3u);
  int lying = 0;
  double sum = 0.0;
  for (const RestingPose& p : found.poses) {
    sum += p.share;
    EXPECT_EQ(p.rolling, Rolling::none);
    EXPECT_LT(p.height_error, 1e-8);
    EXPECT_GE(p.share_error, 0.0);
    EXPECT_LT(p.share_error, 0.05);
    EXPECT_GT(p.barrier, 0.0);
    if (std::fabs(p.down_body.z()) > 0.9) {
      EXPECT_NEAR(p.height, 0.5 * h - 0.1 * p.down_body.z(), 1e-9);
      EXPECT_EQ(p.contact, SupportKind::area);
      EXPECT_NEAR(p.support_area, kPi * r * r, 0.05);
      EXPECT_NEAR(p.tilt, std::atan((r - aside) / p.height), 2e-2);
      continue;
    }
    ++lying;
    EXPECT_LT((p.down_body - Vec3::UnitX()).norm(), 1e-4);
    EXPECT_NEAR(p.height, r - aside, 1e-9);
    EXPECT_EQ(p.contact, SupportKind::edge);
    ASSERT_EQ(p.support_body.size(), 2u);
    EXPECT_NEAR((p.support_body[0] - p.support_body[1]).norm(), h, 1e-6);
    EXPECT_NEAR(p.support_body[0].x(), r, 1e-6);
  }
  EXPECT_EQ(lying, 1);
  EXPECT_NEAR(sum, 1.0, 1e-9);
}

TEST(Resting, smooth_bodies_with_their_mass_aside_find_their_lowest_point) {
  // a ball weighted below its middle rights itself from everywhere
  const auto ball = shape::make_ball({0.7}).value();
  const Poses roly = resting_poses(ball, Vec3(0, 0.06, -0.08), {.chord = 1e-2}).value();
  ASSERT_EQ(roly.poses.size(), 1u);
  const RestingPose& p = roly.poses[0];
  EXPECT_LT((p.down_body - Vec3(0, 0.6, -0.8)).norm(), 1e-6);
  EXPECT_NEAR(p.height, 0.6, 1e-9);
  EXPECT_NEAR(p.share, 1.0, 1e-9);
  EXPECT_TRUE(std::isinf(p.barrier));
  EXPECT_EQ(p.contact, SupportKind::point);
  EXPECT_LT((p.support_body[0] - Vec3(0, 0.42, -0.56)).norm(), 1e-5);
  EXPECT_EQ(p.tilt, 0.0);
  // an ellipsoid with its mass off the middle: where the normal passes through the centre
  const Vec3 a(1.0, 0.8, 0.5), c(0.1, 0.05, 0.02);
  const auto egg = shape::make_ellipsoid({a}).value();
  const Poses two = resting_poses(egg, c, {.chord = 2e-3}).value();
  ASSERT_EQ(two.poses.size(), 2u);
  for (const RestingPose& q : two.poses) {
    const Vec3 u = q.down_body;
    const Vec3 far = a.cwiseProduct(a).cwiseProduct(u) / a.cwiseProduct(u).norm();
    // straight below the centre
    EXPECT_LT((far - c - u.dot(far - c) * u).norm(), 1e-6);
    EXPECT_NEAR(q.height, u.dot(far - c), 1e-9);
    EXPECT_GE(q.height_error, std::fabs(q.height - u.dot(far - c)));
    EXPECT_LT(q.height_error, 1e-7);
    EXPECT_LT((q.support_body[0] - far).norm(), 1e-4);
    EXPECT_EQ(q.contact, SupportKind::point);
    EXPECT_EQ(q.rolling, Rolling::none);
  }
  // round all over it lies anyhow
  const Poses any =
      resting_poses(shape::make_ellipsoid({Vec3::Ones()}).value(), Vec3::Zero(), {.chord = 1e-2})
          .value();
  ASSERT_EQ(any.poses.size(), 1u);
  EXPECT_EQ(any.poses[0].rolling, Rolling::anywhere);
  EXPECT_NEAR(any.poses[0].height, 1.0, 1e-9);
}

TEST(Resting, two_balls_in_a_row_roll_about_their_axis) {
  shape::SphereSet set{{Vec3(-0.5, 0, 0), Vec3(0.6, 0, 0)}, {0.4, 0.4}, {}};
  const auto shape = shape::make_sphere_set(set).value();
  const Poses found = resting_poses(shape, Vec3(0.05, 0, 0)).value();
  ASSERT_EQ(found.poses.size(), 1u);
  EXPECT_EQ(found.poses[0].rolling, Rolling::about_axis);
  EXPECT_GT(std::fabs(found.poses[0].rolling_axis_body.x()), 0.999);
  EXPECT_NEAR(found.poses[0].height, 0.4, 1e-3);
  EXPECT_EQ(found.poses[0].contact, SupportKind::edge);
}

TEST(Support, polygons_of_a_pose_are_told_from_edges_and_points) {
  RestingPose pose;
  pose.down_body = Vec3(0, 0, -1);
  pose.height = 1.0;
  const auto kind_of = [&](std::vector<Vec3> points, double reach = 1e-9) {
    for (Vec3& p : points) p.z() -= 1.0;
    points.push_back(Vec3(0.1, 0.2, 0.5));
    pose.tilt = pose.support_area = 0.0;
    set_support(points, reach, 2.0, pose);
    return pose.contact;
  };
  EXPECT_EQ(kind_of({{0.3, 0.2, 0}}), SupportKind::point);
  EXPECT_LT((pose.support_body[0] - Vec3(0.3, 0.2, -1)).norm(), 1e-15);
  // nearer than 4e-4, two ten-thousandths of size, is a point
  EXPECT_EQ(kind_of({{0.3, 0.2, 0}, {0.3 + 2e-4, 0.2, 0}}), SupportKind::point);
  EXPECT_EQ(kind_of({{0.3, 0.2, 0}, {0.3 + 8e-4, 0.2, 0}}), SupportKind::edge);
  EXPECT_EQ(kind_of({{0.3, 0.2, 0}, {-0.5, 0.1, 0}, {-0.1, 0.15, 0}}), SupportKind::edge);
  ASSERT_EQ(pose.support_body.size(), 2u);
  EXPECT_NEAR((pose.support_body[0] - pose.support_body[1]).norm(), std::hypot(0.8, 0.1), 1e-12);
  EXPECT_EQ(kind_of({{0.3, 0, 0}, {-0.5, 0, 0}, {-0.5, 2e-4, 0}}), SupportKind::edge);
  EXPECT_EQ(kind_of({{0.3, 0, 0}, {-0.5, 0, 0}, {-0.5, 2e-3, 0}}), SupportKind::area);
  // a square with points inside and one just above the plane
  EXPECT_EQ(kind_of({{0.5, 0.5, 0},
                     {-0.25, 0.5, 0},
                     {0.5, -0.5, 0},
                     {-0.25, -0.5, 0},
                     {0.1, 0, 0},
                     {2, 2, 1e-6}}),
            SupportKind::area);
  ASSERT_EQ(pose.support_body.size(), 4u);
  EXPECT_NEAR(pose.support_area, 0.75, 1e-12);
  EXPECT_NEAR(pose.tilt, std::atan(0.25), 1e-12);
  double turn = 0.0;
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 &a = pose.support_body[k], &b = pose.support_body[(k + 1) % 4];
    turn += a.x() * b.y() - a.y() * b.x();
  }
  EXPECT_NEAR(turn, 1.5, 1e-12);
  // a grid, in any order: many points of each side
  for (const int stride : {1, 7, 12}) {
    std::vector<Vec3> grid;
    for (int k = 0; k < 25; ++k) {
      const int at = stride * k % 25;
      grid.push_back(Vec3(0.25 * (at % 5) - 0.5, 0.2 * (at / 5) - 0.4, 0.0));
    }
    EXPECT_EQ(kind_of(grid), SupportKind::area);
    EXPECT_EQ(pose.support_body.size(), 4u);
    EXPECT_NEAR(pose.support_area, 0.8, 1e-12);
    EXPECT_NEAR(pose.tilt, std::atan(0.4), 1e-12);
    // and along one line
    std::vector<Vec3> row;
    for (int k = 0; k < 5; ++k) row.push_back(Vec3(0.3, 0.1 * (stride * k % 5) - 0.2, 0.0));
    EXPECT_EQ(kind_of(row), SupportKind::edge);
    EXPECT_NEAR((pose.support_body[0] - pose.support_body[1]).norm(), 0.4, 1e-12);
  }
  // points of few coordinates, in any order, against the hull of the square that they fill
  Random random(241);
  for (int k = 0; k < 200; ++k) {
    std::vector<Vec3> some;
    for (const double x : {-0.5, 0.0, 0.25, 0.5})
      for (const double y : {-0.5, 0.0, 0.25, 0.5}) some.push_back(Vec3(x, y, 0.0));
    for (std::size_t i = some.size(); i > 1; --i) std::swap(some[i - 1], some[random.below(i)]);
    EXPECT_EQ(kind_of(some), SupportKind::area);
    ASSERT_EQ(pose.support_body.size(), 4u);
    EXPECT_NEAR(pose.support_area, 1.0, 1e-12);
    EXPECT_NEAR(pose.tilt, std::atan(0.5), 1e-12);
  }
  // the centre beside the support has no tilt left
  EXPECT_EQ(kind_of({{0.5, 0.5, 0}, {0.1, 0.5, 0}, {0.5, -0.5, 0}}), SupportKind::area);
  EXPECT_EQ(pose.tilt, 0.0);
}

/// Where every pass may be crossed all is one pose, named by its lowest face.
TEST(PoseGroups, are_named_by_their_lowest_face) {
  for (const std::uint64_t seed : {251, 252, 253, 254, 255, 256}) {
    const Lump l = lump(seed, 24);
    const NormalFan fan(hull_of(l), l.center);
    const auto shares = basin_shares(fan);
    std::size_t before = fan.faces().size() + 1;
    for (const double rise : {0.0, 0.01, 0.05, 0.2, 10.0}) {
      const auto groups = group_poses(fan, shares, rise);
      EXPECT_LE(groups.size(), before);
      before = groups.size();
      double sum = 0.0;
      std::size_t members = 0;
      for (const PoseGroup& g : groups) {
        double least = 1e300, share = 0.0;
        for (std::size_t k = 0; k < g.members.size(); ++k) {
          const auto face = static_cast<std::size_t>(g.members[k]);
          EXPECT_EQ(g.shares[k], shares[face]);
          least = std::min(least, fan.faces()[face].height);
          share += shares[face];
        }
        EXPECT_EQ(fan.faces()[static_cast<std::size_t>(g.lowest)].height, least);
        EXPECT_NEAR(g.share, share, 1e-15);
        // no way out is lower than what was crossed
        EXPECT_GT(g.barrier, groups.size() > 1 ? rise : 1e300);
        sum += share;
        members += g.members.size();
      }
      EXPECT_NEAR(sum, 1.0, 1e-12);
      EXPECT_GT(members, 1u);
      if (rise == 10.0) {
        EXPECT_EQ(groups.size(), 1u);
      }
    }
  }
}

/// The end of every direction is that of the faces' own descents, and the share of each end that of
/// many directions.
TEST(NormalFan, shares_are_those_of_many_ends) {
  constexpr int kTries = 4000;
  for (const std::uint64_t seed : {261, 262, 263}) {
    const Lump l = lump(seed, 14);
    const NormalFan fan(hull_of(l), l.center);
    const auto shares = basin_shares(fan);
    std::vector<int> hits(shares.size(), 0);
    Random random(seed);
    for (int k = 0; k < kTries; ++k) {
      const Vec3 u = random_direction(random);
      ++hits[static_cast<std::size_t>(fan.end(cell_of(fan, u), u))];
    }
    for (std::size_t f = 0; f < shares.size(); ++f) {
      const double p = shares[f];
      EXPECT_NEAR(hits[f] / double(kTries), p, 4.0 * std::sqrt(p * (1 - p) / kTries) + 1e-9);
      if (p > 0.0) {
        EXPECT_TRUE(fan.stable(static_cast<int>(f)));
      }
    }
  }
}

/// From a little above a face's edge the descent goes to the side on which it falls.
TEST(NormalFan, a_descent_slides_along_an_arc_to_its_lower_end) {
  for (const std::uint64_t seed : {271, 272}) {
    const Lump l = lump(seed, 12);
    const NormalFan fan(hull_of(l), l.center);
    for (std::size_t c = 0; c < fan.cells().size(); ++c)
      for (std::size_t k = 0; k < fan.cells()[c].arcs.size(); ++k) {
        const auto& arc = fan.cells()[c].arcs[k];
        const Vec3 &a = fan.faces()[static_cast<std::size_t>(arc.from)].normal,
                   &b = fan.faces()[static_cast<std::size_t>(arc.to)].normal;
        for (const double share : {0.1, 0.5, 0.9}) {
          const Vec3 at = ((1.0 - share) * a + share * b).normalized();
          constexpr double kStep = 1e-3;
          const Vec3 on = (at + kStep * (b - a)).normalized(),
                     back = (at - kStep * (b - a)).normalized();
          const double rise = height(l, on) - height(l, back);
          if (std::fabs(rise) < kStep * kStep) continue;
          EXPECT_EQ(fan.slide(static_cast<int>(c), k, at), rise < 0.0 ? arc.to : arc.from);
        }
      }
  }
}

/// The height that a pose tells holds what the judge's own search along its direction finds, and
/// few steps lead to it.
TEST(Resting, heights_are_within_the_error_told_and_few_steps_away) {
  Random random(281);
  for (int k = 0; k < 4; ++k) {
    const Vec3 axes(random.between(0.5, 1.5), random.between(0.5, 1.5), random.between(0.5, 1.5));
    const auto shape = k % 2 == 0 ? shape::make_ellipsoid({axes}).value()
                                  : shape::make_superellipsoid({axes, 0.5, 0.7}).value();
    const Vec3 center = 0.1 * random_direction(random);
    const long before = check::tally.steps;
    const Poses found = resting_poses(shape, center, {.chord = 3e-3}).value();
    EXPECT_LT(check::tally.steps - before, 100'000);
    const auto surface = check::surface_of(shape);
    ASSERT_TRUE(surface);
    for (const RestingPose& p : found.poses) {
      const auto bracket = check::support(*surface, p.down_body, 1e-11, 200'000);
      const double offset = p.down_body.dot(center), size = 2.0 * shape->bounding_radius;
      EXPECT_LE(bracket.lower - offset, p.height + p.height_error);
      EXPECT_GE(bracket.upper - offset, p.height - p.height_error);
      EXPECT_LE(p.height_error, 4e-9 * size);
    }
  }
}

/// A centre that only the finer of its polyhedra holds: an answer or a refusal, never a crash.
TEST(Resting, a_centre_close_beneath_the_surface_is_answered) {
  const auto egg = shape::make_ellipsoid({Vec3(1.0, 0.8, 0.6)}).value();
  const Vec3 way = Vec3(0.3, 0.5, 0.7).normalized();
  const double out = 1.0 / way.cwiseQuotient(Vec3(1.0, 0.8, 0.6)).norm();
  int found = 0, refused = 0;
  for (int k = 0; k <= 12; ++k) {
    const double share = 1.0 - 0.03 * std::pow(0.6, k);
    const auto said = resting_poses(egg, share * out * way, {.chord = 2e-2});
    (said ? found : refused) += 1;
    if (!said) {
      EXPECT_NE(said.error().wrong.find("outside"), std::string::npos);
    }
  }
  EXPECT_GT(found, 0);
  EXPECT_GT(refused, 0);
}

TEST(SolidAngle, of_polygons_of_the_sphere) {
  EXPECT_NEAR(solid_angle({Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()}), kPi / 2, 1e-14);
  // a face of the cube seen from its middle
  std::vector<Vec3> face{Vec3(1, 1, 1), Vec3(-1, 1, 1), Vec3(-1, -1, 1), Vec3(1, -1, 1)};
  for (Vec3& p : face) p.normalize();
  EXPECT_NEAR(solid_angle(face), 4.0 * kPi / 6.0, 1e-14);
  EXPECT_EQ(solid_angle({Vec3::UnitX(), Vec3::UnitY()}), 0.0);
}

TEST(FarthestPoints, are_those_of_the_formulas) {
  Random random(231);
  const Vec3 a(1.0, 0.8, 0.5);
  const FarthestPoints egg(shape::make_ellipsoid({a}).value(), 1e-2);
  const FarthestPoints can(shape::make_cylinder({0.5, 1.2}).value(), 1e-2);
  EXPECT_GT(egg.chord_error(), 0.0);
  EXPECT_LE(egg.chord_error(), 1.001e-2);
  for (int k = 0; k < 60; ++k) {
    const Vec3 d = random_direction(random);
    EXPECT_NEAR(d.dot(egg.farthest(d)), a.cwiseProduct(d).norm(), 1e-10);
    EXPECT_NEAR(egg.farthest(d).cwiseQuotient(a).norm(), 1.0, 1e-9);
    EXPECT_NEAR(d.dot(can.farthest(d)), 0.5 * std::hypot(d.x(), d.y()) + 0.6 * std::fabs(d.z()),
                1e-10);
  }
  // a whole rim: many, well apart
  const auto rim = can.all_farthest(Vec3::UnitZ(), 24);
  EXPECT_EQ(rim.size(), 24u);
  double least = 1e300, far = 0.0;
  for (std::size_t i = 0; i < rim.size(); ++i) {
    EXPECT_NEAR(rim[i].z(), 0.6, 1e-12);
    far = std::max(far, std::hypot(rim[i].x(), rim[i].y()));
    for (std::size_t j = 0; j < i; ++j) least = std::min(least, (rim[i] - rim[j]).norm());
  }
  EXPECT_NEAR(far, 0.5, 1e-6);
  EXPECT_GT(least, 0.02);
  const FarthestPoints balls(
      shape::make_sphere_set({{Vec3(0, 0, 0), Vec3(1, 0, 0)}, {0.5, 0.25}, {}}).value(), 1e-2);
  EXPECT_LT((balls.farthest(Vec3(0.6, 0.8, 0)) - Vec3(1.15, 0.2, 0)).norm(), 1e-12);
  EXPECT_LT((balls.farthest(-Vec3::UnitX()) - Vec3(-0.5, 0, 0)).norm(), 1e-12);
  EXPECT_NEAR(balls.chord_error(), 0.5 * (1.0 - std::cos(kPi / 48)), 1e-12);
  // the tessellation's hull is within the error told
  for (int k = 0; k < 40; ++k) {
    const Vec3 d = random_direction(random);
    double top = -1e300;
    for (const Vec3& p : balls.points()) top = std::max(top, d.dot(p));
    EXPECT_LE(top, d.dot(balls.farthest(d)) + 1e-12);
    EXPECT_GE(top, d.dot(balls.farthest(d)) - balls.chord_error() - 1e-12);
  }
}

TEST(Resting, bodies_without_poses_say_so) {
  auto cloud = std::make_shared<shape::Shape>();
  cloud->geometry = shape::PointSet{};
  cloud->bounding_radius = 1.0;
  EXPECT_FALSE(resting_poses(cloud, Vec3::Zero()));
  const auto box = shape::make_box({Vec3(1, 1, 1)}).value();
  EXPECT_TRUE(resting_poses(box, Vec3(0.45, 0, 0)));
  EXPECT_FALSE(resting_poses(box, Vec3(0.55, 0, 0)));
  EXPECT_FALSE(resting_poses(shape::make_cylinder({0.5, 1.0}).value(), Vec3(0, 0, 0.6)));
}

}  // namespace
}  // namespace repose::poses
