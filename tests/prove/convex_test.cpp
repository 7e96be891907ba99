#include "repose/prove/convex.h"

#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "repose/base/random.h"
#include "repose/prove/fine.h"

namespace repose::prove {
namespace {

using Long = long double;
using LongVec = Eigen::Matrix<Long, 3, 1>;
using LongMat = Eigen::Matrix<Long, 3, 3>;

LongMat turn_of(const Quat& q) {
  return Eigen::Quaternion<Long>(Long(q.w()), Long(q.x()), Long(q.y()), Long(q.z()))
      .normalized()
      .toRotationMatrix();
}

/// A body, and points of its surface by its own equation in spherical or cylindrical coordinates.
struct Sampled {
  Convex body;
  std::function<LongVec(Long, Long)> point;  // of two numbers in [0, 1]
  double reach;
};

LongVec on_sphere(Long s, Long t) {
  const Long pi = std::acos(Long(-1)), z = 2 * t - 1, r = std::sqrt(std::max(Long(0), 1 - z * z));
  return {r * std::cos(2 * pi * s), r * std::sin(2 * pi * s), z};
}

/// On the ray of a direction, by the body's own equation.
LongVec on_superellipsoid(const shape::SuperellipsoidForm& f, const LongVec& d) {
  const LongVec x = d.cwiseQuotient(f.semi_axes.cast<Long>()).cwiseAbs();
  const Long p = f.p, q = f.q;
  const Long waist = std::pow(std::pow(x.x(), p) + std::pow(x.y(), p), q / p);
  return d / std::pow(waist + std::pow(x.z(), q), 1 / q);
}

std::vector<Sampled> bodies(double size, const std::vector<Vec3>& points, Random& random) {
  const auto length = [&] { return size * random.between(0.2, 1.0); };
  std::vector<Sampled> out;
  const Vec3 axes(length(), length(), length());
  out.push_back({{shape::EllipsoidForm{axes}},
                 [axes](Long s, Long t) -> LongVec {
                   return on_sphere(s, t).cwiseProduct(axes.cast<Long>());
                 },
                 axes.norm()});
  const shape::SuperellipsoidForm super{axes, 2.0 / random.between(0.1, 1.0),
                                        2.0 / random.between(0.1, 1.0)};
  out.push_back(
      {{super},
       [super](Long s, Long t) -> LongVec { return on_superellipsoid(super, on_sphere(s, t)); },
       axes.norm()});
  const double r = length(), z = length();
  out.push_back({{Segment{-z, 0.5 * z}, r},
                 [r, z](Long s, Long t) -> LongVec {
                   const LongVec d = on_sphere(s, t);
                   return Long(r) * d + LongVec(0, 0, d.z() > 0 ? Long(0.5 * z) : -Long(z));
                 },
                 r + z});
  const shape::FrustumForm cone{length(), random.below(2) == 0 ? 0.0 : length(), length(),
                                -length()};
  out.push_back({{cone},
                 [cone](Long s, Long t) -> LongVec {
                   const Long turn = 2 * std::acos(Long(-1)) * s;
                   const bool low = t < Long(0.5);
                   const Long rim = low ? cone.r0 : cone.r1, h = low ? cone.z0 : cone.z1;
                   return {rim * std::cos(turn), rim * std::sin(turn), h};
                 },
                 4.0 * size});
  out.push_back({{Hull{points}},
                 [&points](Long s, Long) -> LongVec {
                   const auto k = static_cast<std::size_t>(s * Long(points.size() - 1));
                   return points[k].cast<Long>();
                 },
                 size});
  return out;
}

Pose random_pose(double far, Random& random) {
  return {far * random_direction(random), random_rotation(random)};
}

/// The farthest of many points along a direction; a little of the way may be missing.
Long seen_along(const Sampled& body, const LongVec& d) {
  constexpr int kAround = 160, kUp = 160;
  Long most = -std::numeric_limits<Long>::infinity();
  for (int i = 0; i <= kAround; ++i)
    for (int k = 0; k <= kUp; ++k)
      most = std::max(most, d.dot(body.point(Long(i) / kAround, Long(k) / kUp)));
  return most;
}

TEST(Convex, a_plane_parts_bodies_no_farther_than_their_points_show) {
  Random random(7);
  for (int k = 0; k < 30; ++k) {
    const double size = std::pow(10.0, random.between(-3.0, 3.0));
    std::vector<Vec3> cloud;
    for (int i = 0; i < 20; ++i) cloud.push_back(size * random_direction(random));
    const auto some = bodies(size, cloud, random), others = bodies(size, cloud, random);
    const Sampled &a = some[random.below(some.size())], &b = others[random.below(others.size())];
    const Pose at_a = random_pose(size, random), at_b = random_pose(4.0 * size, random);
    const Vec3 normal = random.between(0.1, 3.0) * random_direction(random);
    const LongVec n = normal.cast<Long>().normalized(), world = turn_of(at_a.rotation) * n;
    const LongVec in_b = turn_of(at_b.rotation).transpose() * world;
    const Long shift = world.dot(at_b.position.cast<Long>() - at_a.position.cast<Long>());
    const Long seen = shift - seen_along(a, n) - seen_along(b, -in_b);
    for (const Numbers numbers : {Numbers::plain, Numbers::fine}) {
      const double bound = apart_along(a.body, at_a, b.body, at_b, normal, numbers);
      ASSERT_LE(Long(bound), seen) << k;
      // samples a degree or two apart, of bodies bent in a tenth of their size or more
      ASSERT_GE(Long(bound), seen - Long(0.02 * size)) << k;
    }
  }
}

TEST(Convex, finer_numbers_are_within_plain_ones_and_the_two_agree) {
  Random random(8);
  for (int k = 0; k < 300; ++k) {
    std::vector<Vec3> cloud;
    for (int i = 0; i < 20; ++i) cloud.push_back(random_direction(random));
    const auto some = bodies(1.0, cloud, random), others = bodies(1.0, cloud, random);
    const Convex &a = some[random.below(some.size())].body,
                 &b = others[random.below(others.size())].body;
    const Pose at_a = random_pose(1.0, random), at_b = random_pose(3.0, random);
    const Vec3 n = random_direction(random);
    const double plain = apart_along(a, at_a, b, at_b, n);
    const double fine = apart_along(a, at_a, b, at_b, n, Numbers::fine);
    ASSERT_LE(plain, fine);
    ASSERT_NEAR(plain, fine, 1e-13);
    // the same plane seen from b
    const Vec3 back = -(at_b.rotation.normalized().inverse() * (at_a.rotation.normalized() * n));
    ASSERT_NEAR(apart_along(b, at_b, a, at_a, back), plain, 1e-13);
  }
}

TEST(Convex, points_far_from_their_origins_are_parted_to_rounding_of_what_they_differ_by) {
  // quarter turns by whole quaternions: where the points lie is known without rounding
  constexpr double kFar = 0x1p27, kNear = 0x1p-20;
  const std::array<Quat, 3> turns = {Quat(1, 0, 0, 0), Quat(1, 0, 0, 1), Quat(0, 3, 0, 0)};
  for (const Quat& turn : turns) {
    const Vec3 up = Vec3::UnitX();
    const Vec3 in_world = turn.coeffs() == Quat(1, 0, 0, 1).coeffs() ? Vec3(Vec3::UnitY()) : up;
    const Vec3 corner(kFar, 3.0, -5.0);
    const std::vector<Vec3> points = {corner, corner - Vec3(1.0, 0.5, 0.25), corner - 8.0 * up};
    const Convex a{Hull{points}};
    const Convex ball{Segment{}, kNear};
    const Pose at_a{-kFar * in_world, turn};
    // the farthest point along the normal lies in the world's origin, but for 3 and -5 across
    for (const double gap : {0.0, 0x1p-40, -0x1p-40, 0x1p-60}) {
      const Pose at_b{(kNear + gap) * in_world, Quat::Identity()};
      const double held = kNear + gap - kNear;  // what the pose has of it
      const double fine = apart_along(a, at_a, ball, at_b, up, Numbers::fine);
      EXPECT_LE(fine, held) << gap;
      EXPECT_GE(fine, held - 0x1p-75) << gap;
      EXPECT_LE(apart_along(ball, at_b, a, at_a, -in_world, Numbers::fine), held);
    }
  }
}

TEST(Convex, the_errors_of_both_bodies_are_taken_off_the_gap) {
  constexpr double kRounding = 1e-12;
  const Pose here, there{Vec3(0.0, 0.0, 5.0), Quat::Identity()};
  Convex a{Segment{}, 1.0}, b{Segment{}, 1.5};
  for (const Numbers numbers : {Numbers::plain, Numbers::fine})
    for (const double error_a : {0.0, 0.25})
      for (const double error_b : {0.0, 0.5}) {
        a.error = error_a;
        b.error = error_b;
        const double gap = apart_along(a, here, b, there, Vec3(0.0, 0.0, 2.0), numbers);
        EXPECT_LE(gap, 2.5 - error_a - error_b);
        EXPECT_NEAR(gap, 2.5 - error_a - error_b, kRounding);
      }
  // and widen the bracket of the gap to the ground
  b.error = 0.5;
  const Bracket over_ground = Ground(here).gap(b, there);
  EXPECT_NEAR(over_ground.lower(), 3.0, kRounding);
  EXPECT_NEAR(over_ground.upper(), 4.0, kRounding);
}

TEST(Convex, what_is_no_number_parts_nothing) {
  const Convex ball{Segment{}, 1.0};
  const Pose here, there{Vec3(5, 0, 0), Quat::Identity()};
  EXPECT_NEAR(apart_along(ball, here, ball, there, Vec3::UnitX()), 3.0, 1e-13);
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  for (const Numbers numbers : {Numbers::plain, Numbers::fine}) {
    for (const Vec3& n : {Vec3(nan, 0, 0), Vec3(0, 0, 0), Vec3(inf, 0, 0), Vec3(1, nan, 0)})
      EXPECT_FALSE(apart_along(ball, here, ball, there, n, numbers) > 0.0);
    EXPECT_FALSE(apart_along(ball, here, {Segment{}, nan}, there, Vec3::UnitX(), numbers) > 0.0);
    EXPECT_FALSE(apart_along(ball, {Vec3(nan, 0, 0), Quat::Identity()}, ball, there, Vec3::UnitX(),
                             numbers) > 0.0);
    EXPECT_FALSE(apart_along(ball, here, ball, {Vec3(5, 0, 0), Quat(0, 0, 0, 0)}, Vec3::UnitX(),
                             numbers) > 0.0);
  }
}

TEST(Convex, the_ground_bears_what_stands_on_it_at_its_lowest_point) {
  Random random(9);
  for (int k = 0; k < 40; ++k) {
    std::vector<Vec3> cloud;
    for (int i = 0; i < 20; ++i) cloud.push_back(random_direction(random));
    const auto all = bodies(1.0, cloud, random);
    const Sampled& body = all[random.below(all.size())];
    const Pose at_ground = random_pose(10.0, random), at_body = random_pose(10.0, random);
    const Bracket gap = Ground(at_ground).gap(body.body, at_body);
    const LongVec up = turn_of(at_ground.rotation).col(2);
    const LongVec down = -(turn_of(at_body.rotation).transpose() * up);
    const Long height = up.dot(at_body.position.cast<Long>() - at_ground.position.cast<Long>());
    const Long seen = height - seen_along(body, down);
    ASSERT_LE(Long(gap.lower()), seen);
    ASSERT_GE(Long(gap.upper()), seen - Long(0.02));
    ASSERT_LT(gap.upper() - gap.lower(), 1e-12);
    const Bracket ball = Ground(at_ground).gap_of_ball(at_body.position, 0.5);
    ASSERT_LE(Long(ball.lower()), height - Long(0.5));
    ASSERT_GE(Long(ball.upper()), height - Long(0.5));
    ASSERT_LT(ball.upper() - ball.lower(), 1e-12);
  }
}

/// Every point of a frustum that lies so deep is in what is left when its border is drawn in.
TEST(Convex, a_frustum_drawn_in_holds_all_that_lies_deep_enough) {
  Random random(10);
  int held = 0;
  for (int k = 0; k < 4000; ++k) {
    const shape::FrustumForm f{random.between(0.0, 1.0), random.between(0.0, 1.0),
                               random.between(-1.0, 1.0), random.between(-1.0, 1.0)};
    const double low = std::min(f.z0, f.z1), high = std::max(f.z0, f.z1);
    const Long z = random.between(low, high), depth = 0.5 * random.unit() * (high - low);
    // in the half plane of a point the side is a line; its distance by its normal
    const Long dr = Long(f.r1) - f.r0, dz = Long(f.z1) - f.z0, side = std::hypot(dr, dz);
    const Long r = random.unit();
    const Long in_side = ((f.r0 - r) * std::fabs(dz) + dr * (z - f.z0) * (dz > 0 ? 1 : -1)) / side;
    const Long in = std::min({in_side, z - low, high - z});
    if (in < depth) continue;
    const auto left = drawn_in(f, static_cast<double>(depth));
    ASSERT_TRUE(left);
    ++held;
    const Long share = (z - left->z0) / (Long(left->z1) - left->z0);
    ASSERT_GE(share, -1e-18L);
    ASSERT_LE(share, 1 + 1e-18L);
    ASSERT_LE(r, left->r0 + share * (Long(left->r1) - left->r0) + 1e-17L);
  }
  EXPECT_GT(held, 500);
}

/// No more is left than the border drawn in leaves: its ends and radii in long doubles.
TEST(Convex, a_frustum_drawn_in_is_no_larger_than_it_must_be) {
  Random random(12);
  int whole = 0, tipped = 0, gone = 0;
  for (int k = 0; k < 4000; ++k) {
    const double size = std::pow(10.0, random.between(-3.0, 3.0));
    const auto some = [&](double from) { return size * random.between(from, 1.0); };
    const shape::FrustumForm f{some(0.0), some(0.0), some(-1.0), some(-1.0)};
    const Long low = std::min(f.z0, f.z1), high = std::max(f.z0, f.z1);
    if (high - low < Long(0.1 * size)) continue;
    const double depth = random.unit() * static_cast<double>(high - low);
    const Long slope = (Long(f.r1) - f.r0) / (Long(f.z1) - f.z0),
               inward = depth * std::hypot(1, slope);
    const auto radius = [&](Long z) { return f.r0 + slope * (z - f.z0) - inward; };
    Long from = low + depth, to = high - depth;
    const auto left = drawn_in(f, depth);
    if (from > to || (radius(from) < 0 && radius(to) < 0)) {
      ASSERT_FALSE(left);
      ++gone;
      continue;
    }
    const Long tip = f.z0 - (f.r0 - inward) / slope;
    (radius(from) < 0 || radius(to) < 0 ? tipped : whole) += 1;
    if (radius(from) < 0) from = tip;
    if (radius(to) < 0) to = tip;
    ASSERT_TRUE(left);
    const bool up = f.z1 > f.z0;
    const Long close = Long(1e-12) * size * (1 + 1 / std::fabs(slope));
    ASSERT_NEAR(up ? left->z0 : left->z1, from, close);
    ASSERT_NEAR(up ? left->z1 : left->z0, to, close);
    ASSERT_NEAR(up ? left->r0 : left->r1, std::max(Long(0), radius(from)), 1e-12 * size);
    ASSERT_NEAR(up ? left->r1 : left->r0, std::max(Long(0), radius(to)), 1e-12 * size);
  }
  EXPECT_GT(std::min({whole, tipped, gone}), 100);
}

TEST(Convex, balls_and_tori_hold_their_closed_forms) {
  Random random(11);
  for (int k = 0; k < 2000; ++k) {
    const Vec3 a = random.between(0.0, 3.0) * random_direction(random),
               b = random.between(0.0, 3.0) * random_direction(random);
    const double ra = random.between(0.1, 2.0), rb = random.between(0.1, 2.0);
    const Long d = (b.cast<Long>() - a.cast<Long>()).norm();
    // deepest point of one in the other: on the line of the centres, inside the other
    const Long truth = d >= Long(ra) + rb ? d - ra - rb
                                          : -std::max(std::min(Long(ra), Long(ra) + rb - d),
                                                      std::min(Long(rb), Long(ra) + rb - d));
    const Bracket g = ball_ball(a, ra, b, rb);
    ASSERT_LE(Long(g.lower()), truth);
    ASSERT_GE(Long(g.upper()), truth);
    ASSERT_LT(g.upper() - g.lower(), 1e-13);
    const Pose torus = random_pose(1.0, random);
    const double ring = random.between(1.0, 2.0), tube = random.between(0.1, 0.9);
    const LongVec p =
        turn_of(torus.rotation).transpose() * (a.cast<Long>() - torus.position.cast<Long>());
    const Long away = std::hypot(std::hypot(p.x(), p.y()) - ring, p.z());
    const Long around = away >= Long(ra) + tube
                            ? away - ra - tube
                            : -std::max(std::min(Long(ra), Long(ra) + tube - away),
                                        std::min(Long(tube), Long(ra) + tube - away));
    const Bracket t = ball_torus(a, ra, torus, ring, tube);
    ASSERT_LE(Long(t.lower()), around);
    ASSERT_GE(Long(t.upper()), around);
    ASSERT_LT(t.upper() - t.lower(), 1e-13);
  }
}

}  // namespace
}  // namespace repose::prove
