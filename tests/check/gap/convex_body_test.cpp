// Convex bodies answer by their farthest points, depths and outermost corners.
#include "src/check/gap/convex_body.h"

#include <gtest/gtest.h>

#include "repose/check/gap.h"

#include "check/sweep_bodies.h"
#include "src/check/exact/rounding.h"

namespace repose::check {
namespace {

struct Known {
  sweep::Body body;
  std::function<double(const Vec3&)> depth;  // exact inside; empty: not known here
};

double frustum_depth(double r0, double z0, double r1, double z1, const Vec3& p) {
  // the side as a line in the half plane, its distance by the cross product
  const Vec2 a(r0, z0), b(r1, z1), x(std::hypot(p.x(), p.y()), p.z());
  const Vec2 e = b - a, d = x - a;
  const double side = (e.x() * d.y() - e.y() * d.x()) / e.norm() * (z1 > z0 ? 1.0 : -1.0);
  return std::min({side, p.z() - std::min(z0, z1), std::max(z0, z1) - p.z()});
}

sweep::Body plain(const std::string& kind, const shape::ShapePtr& shape) {
  sweep::Body b{kind, shape, {}, {}, {}, true};
  sweep::sample_patches(b, 16);
  return b;
}

std::vector<Known> known_bodies() {
  std::vector<Known> out;
  const Vec3 half(0.4, 0.7, 0.25);
  out.push_back({plain("box", shape::make_box({2.0 * half}).value()),
                 [half](const Vec3& p) { return (half - p.cwiseAbs()).minCoeff(); }});
  out.push_back({plain("cylinder", shape::make_cylinder({0.6, 1.1}).value()),
                 [](const Vec3& p) { return frustum_depth(0.6, -0.55, 0.6, 0.55, p); }});
  out.push_back({plain("cone", shape::make_cone({0.7, 1.3, 0.0}).value()),
                 [](const Vec3& p) { return frustum_depth(0.7, 0.0, 0.0, 1.3, p); }});
  out.push_back({plain("cone", shape::make_cone({0.3, 1.3, 0.8}).value()),
                 [](const Vec3& p) { return frustum_depth(0.3, 0.0, 0.8, 1.3, p); }});
  out.push_back({plain("capsule", shape::make_capsule({0.3, 1.2}).value()), [](const Vec3& p) {
                   return 0.3 - (p - Vec3(0, 0, std::clamp(p.z(), -0.6, 0.6))).norm();
                 }});
  out.push_back({plain("ellipsoid", shape::make_ellipsoid({Vec3(0.5, 0.8, 1.1)}).value()), {}});
  out.push_back(
      {plain("superellipsoid", shape::make_superellipsoid({Vec3(0.5, 0.8, 1.1), 0.7, 0.5}).value()),
       {}});
  return out;
}

TEST(ConvexBody, reaches_as_far_as_its_surface_and_no_farther) {
  Random random(51);
  for (const Known& k : known_bodies()) {
    const auto body = ConvexBody::of(k.body.shape);
    ASSERT_TRUE(body) << k.body.kind;
    double reach = 0.0;
    for (const auto& s : k.body.samples) reach = std::max(reach, s.point.norm());
    EXPECT_GE(body->reach(), reach * (1.0 - 1e-15)) << k.body.kind;
    EXPECT_LE(body->reach(), k.body.kind == "superellipsoid" ? 2.0 * reach : 1.001 * reach);
    for (int i = 0; i < 200; ++i) {
      Vec3 d = random_direction(random);
      if (i < 6) d = (i % 2 ? 1.0 : -1.0) * Vec3::Unit(i / 2);
      double top = -1e300;
      for (const auto& s : k.body.samples) top = std::max(top, d.dot(s.point));
      EXPECT_GE(body->support(d), top - body->error()) << k.body.kind;
      EXPECT_LE(body->support(d), top + 0.02 * reach) << k.body.kind << ' ' << d.transpose();
      // the length of d does not matter
      EXPECT_LT((body->farthest(3.0 * d) - body->farthest(d)).norm(), 1e-12);
      // no core point farther, and the core itself lies `skin` within
      const Vec3 e = random_direction(random);
      EXPECT_GE(d.dot(body->farthest(d)), d.dot(body->farthest(e)) - 1e-12);
    }
  }
}

TEST(ConvexBody, support_points_of_round_bodies_lie_on_their_surface) {
  Random random(52);
  const Vec3 a(0.5, 0.8, 1.1);
  const auto egg = ConvexBody::of(shape::make_ellipsoid({a}).value());
  const double n = 0.7, e = 0.5;
  const auto stone = ConvexBody::of(shape::make_superellipsoid({a, n, e}).value());
  for (int i = 0; i < 300; ++i) {
    const Vec3 d = random_direction(random);
    const Vec3 p = egg->farthest(d) + egg->skin() * d;
    EXPECT_NEAR(p.cwiseQuotient(a).norm(), 1.0, 1e-12);
    // the normal there is d
    EXPECT_LT((p.cwiseQuotient(a.cwiseProduct(a)).normalized() - d).norm(), 1e-12);
    const Vec3 q = (stone->farthest(d) + stone->skin() * d).cwiseQuotient(a);
    const Vec3 x = q.cwiseAbs();
    EXPECT_NEAR(
        std::pow(std::pow(x.x(), 2 / e) + std::pow(x.y(), 2 / e), e / n) + std::pow(x.z(), 2 / n),
        1.0, 1e-10);
    for (int k = 0; k < 3; ++k) EXPECT_GE(q[k] * d[k], 0.0);
  }
}

TEST(ConvexBody, its_round_is_nowhere_above_the_radius_of_curvature) {
  Random random(53);
  const Vec3 a(0.5, 0.8, 1.1);
  const auto egg = ConvexBody::of(shape::make_ellipsoid({a}).value());
  EXPECT_LE(egg->skin(), 0.25 / 1.1);
  EXPECT_GE(egg->skin(), (1.0 - 1e-6) * 0.25 / 1.1);
  for (const auto& body : {egg, ConvexBody::of(shape::make_superellipsoid({a, 0.7, 0.5}).value()),
                           ConvexBody::of(shape::make_superellipsoid({a, 0.95, 0.9}).value())}) {
    EXPECT_GT(body->skin(), 0.0);
    // the surface normal turns by t over an arc of at least skin * t
    double least = 1e300;
    for (int i = 0; i < 500; ++i) {
      const Vec3 d = random_direction(random), t = 1e-4 * d.cross(random_direction(random));
      const Vec3 e = (d + t).normalized();
      const double core = (body->farthest(e) - body->farthest(d)).dot(e - d);
      EXPECT_GE(core, -1e-12);  // convex still
      least = std::min(least, core / (e - d).squaredNorm());
    }
    EXPECT_GE(least, -1e-6);
  }
}

TEST(ConvexBody, depth_is_the_distance_to_the_surface_less_what_rounding_takes) {
  Random random(54);
  for (const Known& k : known_bodies()) {
    const auto body = ConvexBody::of(k.body.shape);
    int inside = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3 p = body->reach() * random.unit() * random_direction(random);
      const double got = body->depth(p, 0.0);
      EXPECT_NEAR(body->depth(p, 1e-3), got - (got == 0.0 ? 0.0 : 1e-3), 1e-15);
      if (k.depth) {
        const double truth = k.depth(p);
        inside += truth > 0.0;
        if (truth <= 0.0) {
          EXPECT_LE(got, 0.0) << k.body.kind << ' ' << p.transpose();
          continue;
        }
        EXPECT_LT(got, truth) << k.body.kind << ' ' << p.transpose();
        const double room = body->error() + kSumError * (p.norm() + body->reach());
        EXPECT_NEAR(truth - got, room, 0.1 * room + 2e-16) << k.body.kind;
      } else {
        double nearest = 1e300;
        for (const auto& s : k.body.samples) nearest = std::min(nearest, (s.point - p).norm());
        EXPECT_LE(got, nearest) << k.body.kind;
      }
    }
    if (k.depth) {
      EXPECT_GT(inside, 50) << k.body.kind;
    }
    EXPECT_LT((body->center() - k.body.shape->volume.center).norm(),
              k.body.kind == "cone" ? 1.0 : 1e-12);
    EXPECT_GT(body->depth(body->center(), 0.0), 0.0);
  }
  const auto egg = ConvexBody::of(shape::make_ellipsoid({Vec3(0.5, 0.8, 1.1)}).value());
  EXPECT_NEAR(egg->depth(Vec3(0.25, 0, 0), 0.0), 0.25, 1e-9);
  EXPECT_NEAR(egg->depth(Vec3(0, 0, 0.55), 0.0), 0.25, 1e-9);
  EXPECT_LT(egg->depth(Vec3(0, 0, 1.11), 0.0), 0.0);
  const auto stone =
      ConvexBody::of(shape::make_superellipsoid({Vec3(0.5, 0.8, 1.1), 0.5, 0.1}).value());
  EXPECT_NEAR(stone->depth(Vec3::Zero(), 0.0), 0.5, 1e-9);
  EXPECT_NEAR(stone->depth(Vec3(0.25, 0, 0), 0.0), 0.25, 1e-9);
  EXPECT_NEAR(stone->depth(Vec3(0, 0, 0.55), 0.0), 0.25, 1e-9);
  EXPECT_NEAR(stone->inner_radius(), 0.5, 1e-9);
  // where the powers of all its coordinates are no doubles
  const Vec3 near_middle(1e-40, 1e-30, 1e-50);
  EXPECT_NEAR(stone->depth(near_middle, 0.0), 0.5, 1e-9);
  EXPECT_LT(stone->depth(Vec3(0.499, 0.799, 0), 0.0), 0.0);
  const auto ball = ConvexBody::of(shape::make_ball({0.6}).value());
  EXPECT_NEAR(ball->depth(Vec3(0.1, 0.2, 0.2), 0.0), 0.3, 1e-12);
  EXPECT_LE(ball->depth(Vec3(0.1, 0.2, 0.2), 0.0), 0.3 - kSumError * 0.9);
}

TEST(ConvexBody, outermost_is_the_whole_face_edge_or_corner) {
  const auto box = ConvexBody::of(shape::make_box({Vec3(2, 4, 6)}).value());
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0}) {
      const auto face = box->outermost(sign * Vec3::Unit(axis));
      ASSERT_EQ(face.size(), 4u);
      Vec3 sum = Vec3::Zero();
      for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(face[k][axis], sign * (axis + 1.0), 1e-12);
        sum += face[k];
        // in order: neighbours share a side
        EXPECT_LT((face[k] - face[(k + 1) % 4]).norm(), 7.0);
        EXPECT_GT((face[k] - face[(k + 2) % 4]).norm(), (face[k] - face[(k + 1) % 4]).norm());
      }
      EXPECT_LT((sum / 4.0 - sign * (axis + 1.0) * Vec3::Unit(axis)).norm(), 1e-12);
    }
  const auto edge = box->outermost(Vec3(1, 1, 0).normalized());
  ASSERT_EQ(edge.size(), 2u);
  for (const Vec3& p : edge) EXPECT_LT((p.head<2>() - Vec2(1, 2)).norm(), 1e-12);
  EXPECT_NEAR(std::fabs(edge[0].z() - edge[1].z()), 6.0, 1e-12);
  const auto corner = box->outermost(Vec3(-1, 2, -3).normalized());
  ASSERT_EQ(corner.size(), 1u);
  EXPECT_LT((corner[0] - Vec3(-1, 2, -3)).norm(), 1e-12);
  // a little off the face's normal, more than rounding: no face any more
  EXPECT_EQ(box->outermost(Vec3(1e-5, 0, 1).normalized()).size(), 2u);
  EXPECT_EQ(box->outermost(Vec3(3e-7, 0, 1).normalized()).size(), 4u);
  // and off an edge's: no edge any more
  EXPECT_EQ(box->outermost(Vec3(1, 1, 1e-6).normalized()).size(), 1u);
  EXPECT_EQ(box->outermost(Vec3(1, 1, 1e-11).normalized()).size(), 2u);
  EXPECT_EQ(box->flat_normals().size(), 6u);

  const auto cup = ConvexBody::of(shape::make_cone({0.3, 1.3, 0.8}).value());
  for (const double sign : {-1.0, 1.0}) {
    const auto rim = cup->outermost(Vec3(0, 0, sign));
    ASSERT_GE(rim.size(), 12u);
    Vec3 sum = Vec3::Zero();
    for (const Vec3& p : rim) {
      EXPECT_NEAR(p.z(), sign > 0 ? 1.3 : 0.0, 1e-12);
      EXPECT_NEAR(std::hypot(p.x(), p.y()), sign > 0 ? 0.8 : 0.3, 1e-12);
      sum += p;
    }
    EXPECT_LT(sum.head<2>().norm(), 1e-9);
  }
  // along the side's own normal the whole line
  const Vec3 side = Vec3(1.3 * 0.6, 1.3 * 0.8, -0.5).normalized();
  const auto line = cup->outermost(side);
  ASSERT_EQ(line.size(), 2u);
  EXPECT_LT((line[0] - Vec3(0.3 * 0.6, 0.3 * 0.8, 0.0)).norm(), 1e-9);
  EXPECT_LT((line[1] - Vec3(0.8 * 0.6, 0.8 * 0.8, 1.3)).norm(), 1e-9);
  ASSERT_EQ(cup->outermost(Vec3(1, 0, 0)).size(), 1u);
  const auto flat = cup->flat_normals();
  ASSERT_EQ(flat.size(), 2u);
  EXPECT_LT((flat[0] + flat[1]).norm(), 1e-15);
  EXPECT_EQ(std::fabs(flat[0].z()), 1.0);
  EXPECT_TRUE(ConvexBody::of(shape::make_ball({1.0}).value())->outermost(Vec3::UnitX()).empty());
}

TEST(ConvexBody, a_polyhedron_knows_its_faces_and_each_edge_direction_once) {
  const auto box = ConvexBody::of(shape::make_box({Vec3(2, 4, 6)}).value());
  ASSERT_TRUE(box->faced());
  EXPECT_EQ(box->faced()->edges.size(), 3u);
  for (const Vec3& e : box->faced()->edges) EXPECT_NEAR(e.norm(), 1.0, 1e-15);
  for (const auto& face : box->faced()->faces) {
    EXPECT_NEAR(face.normal.norm(), 1.0, 1e-15);
    EXPECT_NEAR(face.offset, Vec3(1, 2, 3).dot(face.normal.cwiseAbs()), 1e-12);
  }
  for (const double slant : {1e-7, 1e-11}) {
    // two sides that are parallel up to this angle
    std::vector<Vec3> prism;
    for (const double z : {0.0, 1.0})
      for (const Vec2& p : {Vec2(0, 0), Vec2(1, 0), Vec2(1, 1 + slant), Vec2(0, 1)})
        prism.emplace_back(p.x(), p.y(), z);
    const auto nearly = ConvexBody::of(shape::make_convex({prism, {}}).value());
    ASSERT_TRUE(nearly && nearly->faced());
    EXPECT_EQ(nearly->faced()->edges.size(), slant > 1e-9 ? 4u : 3u) << slant;
  }
  Random random(55);
  std::vector<Vec3> points;
  for (int k = 0; k < 12; ++k) points.push_back(random_direction(random) + Vec3(0.2, 0.1, -0.3));
  const auto shape = shape::make_convex({points, {}}).value();
  const auto body = ConvexBody::of(shape);
  ASSERT_TRUE(body && body->faced());
  for (const auto& face : body->faced()->faces)
    for (const Vec3& p : points) EXPECT_LE(face.normal.dot(p), face.offset + 1e-15);
  EXPECT_GT(body->depth(body->center(), 0.0), 0.0);
  // a triangulated hull: as many edge directions as edges
  const auto& hull = std::get<shape::ConvexPolyhedron>(shape->geometry);
  std::size_t sides = 0;
  for (const auto& f : hull.faces) sides += f.size();
  EXPECT_EQ(body->faced()->edges.size(), sides / 2);
  EXPECT_GE(body->error(), 16.0 * kUlp * body->reach());
  EXPECT_LE(body->error(), 256.0 * kUlp * body->reach());
}

TEST(ConvexBody, drawn_in_by_a_depth_it_holds_what_lies_so_deep_and_no_more) {
  struct Frustum {
    double r0, r1, height;  // r0 at the bottom
  };
  Random random(54);
  for (const Frustum& f : {Frustum{0.7, 0.0, 1.3}, Frustum{0.3, 0.8, 1.3}, Frustum{0.6, 0.6, 1.1},
                           Frustum{0.9, 0.2, 0.4}}) {
    const auto body = ConvexBody::of(shape::make_cone({f.r0, f.height, f.r1}).value());
    const auto depth_at = [&](const Vec3& p) {
      return frustum_depth(f.r0, 0.0, f.r1, f.height, p);
    };
    for (const double t : {0.0, 1e-6, 0.03, 0.1}) {
      const auto inner = body->eroded(t);
      ASSERT_TRUE(inner);
      EXPECT_EQ(inner->skin(), 0.0);
      EXPECT_LT(inner->error(), 1e-12);
      EXPECT_GE(inner->error(), body->error());
      EXPECT_GE(inner->reach(), 0.0);
      EXPECT_GT(depth_at(inner->center()), t);
      for (int k = 0; k < 200; ++k) {
        const Vec3 d = random_direction(random);
        EXPECT_NEAR(depth_at(inner->farthest(d)), t, 1e-14);
        // nothing so deep lies farther out
        const Vec3 p(random.between(-1, 1), random.between(-1, 1), random.between(0, 1.3));
        if (depth_at(p) >= t) {
          EXPECT_LE(d.dot(p), inner->support(d) + 1e-14);
        }
      }
    }
    EXPECT_FALSE(body->eroded(0.46 * std::min(f.height, 2.0 * std::max(f.r0, f.r1))) &&
                 body->eroded(0.7));
  }
  EXPECT_FALSE(ConvexBody::of(shape::make_cylinder({0.6, 1.1}).value())->eroded(0.56));
  EXPECT_TRUE(ConvexBody::of(shape::make_cylinder({0.6, 1.1}).value())->eroded(0.54));
  EXPECT_FALSE(ConvexBody::of(shape::make_cylinder({0.5, 1.1}).value())->eroded(0.51));
  EXPECT_FALSE(ConvexBody::of(shape::make_box({Vec3::Ones()}).value())->eroded(0.1));
  EXPECT_FALSE(ConvexBody::of(ball(1.0))->eroded(0.1));
}

TEST(ConvexGap, rims_across_each_other_have_their_depth_bracketed) {
  Random random(55);
  const auto cone = shape::make_cone({0.7, 1.3, 0.0}).value();
  int deep = 0, closed = 0;
  for (int k = 0; k < 100; ++k) {
    const PlacedBody a = at(cone, Vec3::Zero());
    PlacedBody b = at(cone, Vec3::Zero(), random_rotation(random));
    // moved along a direction until the spans overlap by a little: rims, tips and sides meet
    const Vec3 toward = random_direction(random);
    b.world_from_body.position = 4.0 * toward;
    const GapSettings rough{.width = 1e-6};
    double far = 4.0, near = 0.0;
    for (int step = 0; step < 28; ++step) {
      const double middle = 0.5 * (far + near);
      b.world_from_body.position = middle * toward;
      const GapBracket fine = gap(a, b, {.width = 1e-7, .enough = 0.0});
      EXPECT_NE(fine.status, GapStatus::undecided);
      EXPECT_LT(fine.tests, 500);
      (fine.lower > 0.0 ? far : near) = middle;
    }
    const double sunk = std::pow(10.0, random.between(-6.5, -4.0));
    b.world_from_body.position = (far - sunk) * toward;
    const GapBracket g = gap(a, b, rough);
    EXPECT_NE(g.status, GapStatus::undecided) << k;
    EXPECT_LE(g.lower, g.upper);
    EXPECT_GE(g.lower, -sunk - 1e-6 * a.size());
    if (!(g.upper < 0.0)) continue;
    ++(g.status == GapStatus::closed ? closed : deep);
    const auto depth_at = [&](const Vec3& p) {
      return std::max(frustum_depth(0.7, 0.0, 0.0, 1.3, p),
                      frustum_depth(0.7, 0.0, 0.0, 1.3, b.world_from_body.inverse() * p));
    };
    const auto common = [&](const Vec3& p) {
      return frustum_depth(0.7, 0.0, 0.0, 1.3, p) >= 0.0 &&
             frustum_depth(0.7, 0.0, 0.0, 1.3, b.world_from_body.inverse() * p) >= 0.0;
    };
    EXPECT_TRUE(common(g.point_a));
    EXPECT_NEAR(depth_at(g.point_a), -g.upper, 1e-11);
    // no common point near by lies deeper than the lower bound allows
    for (int s = 0; s < 300; ++s) {
      const double spread = sunk * std::pow(10.0, random.between(-1.0, 1.5));
      const Vec3 p = g.point_a + spread * random_direction(random);
      if (common(p)) {
        EXPECT_LE(depth_at(p), -g.lower + 1e-12);
      }
    }
  }
  EXPECT_GT(deep, 2);
  EXPECT_GT(closed, 10);
}

TEST(ConvexBody, a_part_cut_out_is_the_body_within_the_cube_seen_from_its_middle) {
  // of a box the part is a box, whose sides are plain
  Random random(56);
  for (const double far : {1.0, 1e4, 1e8})
    for (int k = 0; k < 60; ++k) {
      const Vec3 half = far * Vec3(random.between(1.0, 2.0), random.between(1.0, 2.0), 1.0);
      const auto body = ConvexBody::of(shape::make_box({2.0 * half}).value());
      // about a place of the surface, an edge or a corner
      Vec3 middle = half.cwiseProduct(
          Vec3(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)));
      for (int axis = 0; axis <= k % 3; ++axis)
        middle[axis] = std::copysign(half[axis], middle[axis]);
      const double width = random.between(0.1, 0.8);
      const auto part = body->cut_out(middle, width);
      ASSERT_TRUE(part);
      const Vec3 low = (-half - middle).cwiseMax(Vec3::Constant(-width)),
                 high = (half - middle).cwiseMin(Vec3::Constant(width));
      const double rounding = 1e-15 * far;
      for (int j = 0; j < 20; ++j) {
        const Vec3 d = random_direction(random);
        double reach = 0.0;
        for (int axis = 0; axis < 3; ++axis)
          reach += std::max(d[axis] * low[axis], d[axis] * high[axis]);
        EXPECT_NEAR(part->support(d), reach, 1e-14 + 4.0 * rounding) << far << ' ' << k;
      }
      EXPECT_LE(part->reach(), std::sqrt(3.0) * width * (1.0 + 1e-12));
      EXPECT_GE(((part->center() - low).array()).minCoeff(), -1e-14 - 4.0 * rounding);
      EXPECT_GE(((high - part->center()).array()).minCoeff(), -1e-14 - 4.0 * rounding);
    }
  EXPECT_FALSE(
      ConvexBody::of(shape::make_box({Vec3::Ones()}).value())->cut_out(Vec3(5, 0, 0), 1.0));
}

}  // namespace
}  // namespace repose::check
