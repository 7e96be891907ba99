// Bodies of the plane: gaps, depths and contacts against plain formulas.
#include "src/check/gap/plane_gap.h"

#include <gtest/gtest.h>

#include "repose/check/gap.h"
#include "repose/check/verdict.h"

#include "check/items.h"
#include "src/check/gap/plane_body.h"
#include "src/check/gap/surface_gap.h"

namespace repose::check {
namespace {

shape::ShapePtr region(std::vector<shape::Polygon> polygons, std::vector<shape::Disc> discs = {}) {
  auto s = std::make_shared<shape::Shape>();
  for (const auto& p : polygons)
    for (const Vec2& x : p.outer) s->bounding_radius = std::max(s->bounding_radius, x.norm());
  for (const auto& d : discs)
    s->bounding_radius = std::max(s->bounding_radius, d.center.norm() + d.radius);
  s->geometry = shape::PlaneRegion{std::move(polygons), std::move(discs), 0.1};
  return s;
}
/// A convex polygon, counter-clockwise.
std::vector<Vec2> ring(int corners, double radius, double turn, double squeeze = 1.0) {
  std::vector<Vec2> out;
  for (int k = 0; k < corners; ++k) {
    const double t = turn + 2.0 * std::acos(-1.0) * k / corners;
    out.emplace_back(radius * std::cos(t), squeeze * radius * std::sin(t));
  }
  return out;
}
PlacedBody placed(const shape::ShapePtr& s, const Vec2& p, double turn) {
  return at(s, Vec3(p.x(), p.y(), 0), rotation_from_vector(Vec3(0, 0, turn)));
}
std::vector<Vec2> world(const std::vector<Vec2>& loop, const PlacedBody& item) {
  std::vector<Vec2> out;
  for (const Vec2& p : loop)
    out.push_back((item.world_from_body * Vec3(p.x(), p.y(), 0)).head<2>());
  return out;
}
double to_segment(const Vec2& p, const Vec2& a, const Vec2& b) {
  const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (a + t * (b - a) - p).norm();
}
bool in_convex(const std::vector<Vec2>& loop, const Vec2& p) {
  for (std::size_t k = 0; k < loop.size(); ++k) {
    const Vec2 e = loop[(k + 1) % loop.size()] - loop[k], d = p - loop[k];
    if (e.x() * d.y() - e.y() * d.x() < -1e-12) return false;
  }
  return true;
}
/// Signed separation of convex polygons along the best side normal: the gap where they overlap.
double plain_separation(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  double best = -1e300;
  for (const auto* loop : {&a, &b}) {
    const auto& other = loop == &a ? b : a;
    for (std::size_t k = 0; k < loop->size(); ++k) {
      const Vec2 e = ((*loop)[(k + 1) % loop->size()] - (*loop)[k]).normalized(), n(e.y(), -e.x());
      double least = 1e300;
      for (const Vec2& p : other) least = std::min(least, n.dot(p - (*loop)[k]));
      best = std::max(best, least);
    }
  }
  return best;
}
double plain_distance(const std::vector<Vec2>& a, const std::vector<Vec2>& b) {
  double least = 1e300;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b.size(); ++j) {
      least = std::min(least, to_segment(a[i], b[j], b[(j + 1) % b.size()]));
      least = std::min(least, to_segment(b[j], a[i], a[(i + 1) % a.size()]));
    }
  return least;
}

TEST(PlaneGap, of_polygons_is_that_of_plain_formulas) {
  Random random(101);
  int apart = 0, over = 0;
  for (int k = 0; k < 400; ++k) {
    const auto la = ring(3 + k % 4, 1.0, random.unit(), random.between(0.4, 1.0));
    const auto lb = ring(3 + k / 4 % 5, 0.7, random.unit(), random.between(0.4, 1.0));
    const PlacedBody a =
        placed(region({{la, {}}}), {random.unit(), random.unit()}, random.between(0, 6));
    const PlacedBody b = placed(region({{lb, {}}}), {random.between(-1, 3), random.between(-1, 3)},
                                random.between(0, 6));
    const auto wa = world(la, a), wb = world(lb, b);
    const GapBracket g = gap(a, b), back = gap(b, a);
    const double separation = plain_separation(wa, wb);
    EXPECT_LE(g.lower, g.upper);
    EXPECT_NEAR(g.normal_a_to_b.norm(), 1.0, 1e-12);
    EXPECT_EQ(g.normal_a_to_b.z(), 0.0);
    EXPECT_GT(g.tests, 1);
    if (separation > 0.0) {
      ++apart;
      const double d = plain_distance(wa, wb);
      EXPECT_NEAR(g.lower, d, 1e-12);
      EXPECT_NEAR(g.upper, d, 1e-12);
      EXPECT_EQ(g.status, GapStatus::closed);
      EXPECT_NEAR((g.point_b - g.point_a).norm(), d, 1e-12);
      EXPECT_LT(((g.point_b - g.point_a) - d * g.normal_a_to_b).norm(), 1e-9);
      double on_a = 1e300, on_b = 1e300;
      for (std::size_t i = 0; i < wa.size(); ++i)
        on_a = std::min(on_a, to_segment(g.point_a.head<2>(), wa[i], wa[(i + 1) % wa.size()]));
      for (std::size_t i = 0; i < wb.size(); ++i)
        on_b = std::min(on_b, to_segment(g.point_b.head<2>(), wb[i], wb[(i + 1) % wb.size()]));
      EXPECT_LT(on_a, 1e-12);
      EXPECT_LT(on_b, 1e-12);
      EXPECT_NEAR(back.lower, g.lower, 1e-14);
      EXPECT_LT((back.normal_a_to_b + g.normal_a_to_b).norm(), 1e-6);
      // the room for rounding is no more than some hundred units of what the coordinates reach
      EXPECT_LT(g.lower, d);
      EXPECT_GT(g.upper, d);
      EXPECT_EQ(gap(a, b, {.enough = 0.5 * d / std::min(a.size(), b.size())}).status,
                GapStatus::apart);
      EXPECT_EQ(gap(a, b, {.enough = 2.0 * d / std::min(a.size(), b.size())}).status,
                GapStatus::closed);
    } else if (separation < -1e-6) {
      ++over;
      // no lower bound exceeds the depth, and the deepest corner proves some of it
      EXPECT_LE(g.lower, separation + 1e-12);
      EXPECT_LE(back.lower, separation + 1e-12);
      double corner = 0.0, along_sides = 0.0, step = 0.0;
      for (const auto& [from, in] : {std::pair(&wa, &wb), std::pair(&wb, &wa)})
        for (std::size_t c = 0; c < from->size(); ++c)
          for (int t = 0; t < 100; ++t) {
            const Vec2 side = (*from)[(c + 1) % from->size()] - (*from)[c];
            const Vec2 p = (*from)[c] + 0.01 * t * side;
            step = std::max(step, 0.01 * side.norm());
            if (!in_convex(*in, p)) continue;
            double least = 1e300;
            for (std::size_t i = 0; i < in->size(); ++i)
              least = std::min(least, to_segment(p, (*in)[i], (*in)[(i + 1) % in->size()]));
            along_sides = std::max(along_sides, least);
            if (t == 0) corner = std::max(corner, least);
          }
      EXPECT_LE(g.upper, -corner + 1e-12);
      EXPECT_GE(g.upper, -along_sides - step);
      if (along_sides > step) {
        EXPECT_EQ(g.status, GapStatus::overlap);
        EXPECT_TRUE(in_convex(wa, g.point_a.head<2>()) && in_convex(wb, g.point_a.head<2>()));
        EXPECT_EQ(g.point_a, g.point_b);
      }
      // not much below what it must be: within a factor of the ladder of lifts
      if (-separation < 0.01) {
        EXPECT_GE(g.lower, -0.3);
      }
    }
  }
  EXPECT_GT(apart, 80);
  EXPECT_GT(over, 40);
}

TEST(PlaneGap, touching_ends_within_the_width) {
  Random random(102);
  for (int k = 0; k < 60; ++k) {
    const double turn = random.between(0, 6);
    const Vec2 along(std::cos(turn), std::sin(turn)), up(-along.y(), along.x());
    const std::vector<Vec2> box{{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}};
    const PlacedBody a = placed(region({{box, {}}}), Vec2::Zero(), turn);
    const double gap_meant = k % 3 == 0 ? 0.0 : random.between(-1e-4, 1e-4);
    const PlacedBody b = placed(region({{box, {}}}), (1.0 + gap_meant) * up + 0.3 * along, turn);
    const GapBracket g = gap(a, b);
    EXPECT_LE(g.lower, gap_meant + 1e-12);
    EXPECT_GE(g.upper, gap_meant - 1e-12);
    if (gap_meant == 0.0) {
      EXPECT_EQ(g.status, GapStatus::closed);
      EXPECT_GE(g.lower, -1e-8);
    }
    if (gap_meant > 1e-6) {
      EXPECT_LT((g.normal_a_to_b.head<2>() - up).norm(), 1e-9);
    }
    if (gap_meant < -1e-6) {
      EXPECT_GE(g.lower, 10.0 * gap_meant) << "a lift by at most eight times the depth is clear";
    }
    // disc on a side
    const PlacedBody disc = placed(region({}, {{Vec2(0.1, 0.2), 0.4}}), Vec2::Zero(), 0.0);
    PlacedBody over = disc;
    const Vec2 to = (0.9 + gap_meant) * up + 0.2 * along - Vec2(0.1, 0.2);
    over.world_from_body.position = Vec3(to.x(), to.y(), 0);
    const GapBracket d = gap(a, over), e = gap(over, a);
    EXPECT_LE(d.lower, gap_meant + 1e-12);
    EXPECT_GE(d.upper, gap_meant - 1e-12);
    EXPECT_NEAR(e.upper, d.upper, 1e-12);
    if (gap_meant > 1e-6) {
      EXPECT_LT((d.point_b.head<2>() - (0.5 + gap_meant) * up - 0.2 * along).norm(), 1e-9);
      EXPECT_LT((e.point_a.head<2>() - (0.5 + gap_meant) * up - 0.2 * along).norm(), 1e-9);
      EXPECT_LT((e.normal_a_to_b.head<2>() + up).norm(), 1e-9);
    }
  }
}

TEST(PlaneGap, discs_and_nesting) {
  const auto small = region({}, {{Vec2::Zero(), 0.3}}), big = region({}, {{Vec2::Zero(), 1.0}});
  const GapBracket g = gap(placed(big, Vec2::Zero(), 0.3), placed(small, Vec2(1.2, 1.6), 0.1));
  EXPECT_NEAR(g.lower, 0.7, 1e-12);
  EXPECT_NEAR(g.upper, 0.7, 1e-12);
  EXPECT_LT((g.point_a - Vec3(0.6, 0.8, 0)).norm(), 1e-12);
  EXPECT_LT((g.point_b - Vec3(1.02, 1.36, 0)).norm(), 1e-12);
  EXPECT_LT((g.normal_a_to_b - Vec3(0.6, 0.8, 0)).norm(), 1e-12);
  // crossing, nested and in one place: as balls
  for (const auto& [far, deep] :
       {std::pair(1.2, 0.1), {0.9, 0.3}, {0.5, 0.8}, {0.1, 1.0}, {0.0, 1.0}}) {
    const GapBracket over = gap(placed(big, Vec2::Zero(), 0.0), placed(small, Vec2(0, far), 0.0));
    EXPECT_NEAR(over.upper, -deep, 0.21) << far;
    EXPECT_GE(over.upper, -std::min(1.0, 1.3 - far) - 1e-12) << far;
    EXPECT_LT(over.upper, -0.09);
    EXPECT_LE(over.lower, over.upper);
  }
  // sunk into a side: its lowest point is the deepest
  const PlacedBody wide =
      placed(region({{{{-5, -5}, {5, -5}, {5, 0}, {-5, 0}}, {}}}), Vec2::Zero(), 0.0);
  for (const double up : {0.2, 0.0, -0.4}) {
    EXPECT_NEAR(gap(wide, placed(small, Vec2(0.1, up), 0.0)).upper, up - 0.3, 1e-12);
    EXPECT_NEAR(gap(placed(small, Vec2(0.1, up), 0.0), wide).upper, up - 0.3, 1e-12);
  }
  const std::vector<Vec2> box{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const std::vector<Vec2> hole{{-0.8, -0.8}, {-0.8, 0.8}, {0.8, 0.8}, {0.8, -0.8}};
  for (const bool disc : {false, true}) {
    const auto inner = disc ? small : region({{ring(5, 0.3, 0.1), {}}});
    const PlacedBody in = placed(inner, Vec2(0.1, 0.05), 0.2);
    const PlacedBody full = placed(region({{box, {}}}), Vec2::Zero(), 0.0),
                     frame = placed(region({{box, {hole}}}), Vec2::Zero(), 0.0);
    for (const bool first : {true, false}) {
      const GapBracket sunk = first ? gap(full, in) : gap(in, full);
      // the deepest of its points, or the middle of the box
      EXPECT_LT(sunk.upper, -0.5) << "nested is overlap";
      EXPECT_GE(sunk.upper, -1.0 - 1e-12) << "nothing lies deeper in the box";
      EXPECT_EQ(sunk.status, GapStatus::overlap);
      EXPECT_LE(sunk.lower, sunk.upper);
      const GapBracket free = first ? gap(frame, in) : gap(in, frame);
      EXPECT_GT(free.lower, 0.3) << "the hole is no part of it";
    }
  }
  EXPECT_GT(gap(placed(region({{box, {hole}}}), Vec2::Zero(), 0), placed(big, Vec2(9, 0), 0)).lower,
            6.9);
}

TEST(PlaneGap, depth_is_a_signed_distance) {
  const std::vector<Vec2> ell{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const PlaneBody body(placed(region({{ell, {}}}, {{Vec2(3, 0.5), 0.25}}), Vec2::Zero(), 0.0));
  Random random(103);
  for (int k = 0; k < 500; ++k) {
    const Vec2 p(random.between(-0.5, 3.5), random.between(-0.5, 2.5));
    const bool in =
        p.x() > 0 && p.y() > 0 && ((p.x() < 2 && p.y() < 1) || (p.x() < 1 && p.y() < 2));
    double least = 1e300;
    for (std::size_t i = 0; i < ell.size(); ++i)
      least = std::min(least, to_segment(p, ell[i], ell[(i + 1) % ell.size()]));
    const double disc = (p - Vec2(3, 0.5)).norm() - 0.25;
    EXPECT_NEAR(depth_in(body, p), std::min(in ? -least : least, disc), 1e-12);
  }
}

TEST(PlaneGap, layers_do_not_meet_and_tipped_bodies_are_not_judged) {
  const auto box = region({{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {}}});
  PlacedBody a = placed(box, Vec2::Zero(), 0.0), b = placed(box, Vec2(0.5, 0.2), 0.0);
  EXPECT_EQ(gap(a, b).status, GapStatus::overlap);
  b.layer = 1;
  EXPECT_EQ(gap(a, b).status, GapStatus::unjudged);
  b.layer = 0;
  b.world_from_body.rotation = rotation_from_vector(Vec3(1e-10, 0, 0));
  EXPECT_EQ(gap(a, b).status, GapStatus::unjudged);
  EXPECT_EQ(gap(b, a).status, GapStatus::unjudged);
  b.world_from_body.rotation = rotation_from_vector(Vec3(std::acos(-1.0), 0, 0));
  EXPECT_EQ(gap(a, b).status, GapStatus::unjudged) << "turned over";
  b.world_from_body.rotation = rotation_from_vector(Vec3(1e-14, 0, 0));
  EXPECT_EQ(gap(a, b).status, GapStatus::overlap);
  EXPECT_EQ(gap(a, at(ball(1.0), Vec3::Zero())).status, GapStatus::unjudged);
  EXPECT_EQ(gap(at(ball(1.0), Vec3::Zero()), a).status, GapStatus::unjudged);
}

TEST(PlaneContacts, corners_on_sides_are_found_with_normal_gap_and_curvature) {
  const double touch = 1e-6;
  const auto box = region({{{{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}}, {}}});
  PlacedBody a = placed(box, Vec2::Zero(), 0.0), b = placed(box, Vec2(0.7, 1.0 + 4e-7), 0.0);
  a.friction = 0.3;
  b.friction = 0.6;
  const auto found = plane_contacts(a, b, touch);
  // two corners where the sides end: one of a, one of b
  std::vector<double> x;
  for (const ContactPoint& c : found) {
    x.push_back(c.point.x());
    EXPECT_LT((c.normal_a_to_b - Vec3::UnitY()).norm(), 1e-12);
    EXPECT_NEAR(c.gap, 4e-7, 1e-12);
    EXPECT_EQ(c.friction, 0.3);
    EXPECT_NEAR(c.point.y(), 0.5, 1e-6);
    EXPECT_EQ(c.point.z(), 0.0);
    // the corner is sharp along x, the side flat
    const bool of_a = std::fabs(c.point.x() - 1.0) < 1e-6;
    EXPECT_GT((of_a ? c.curvature_a : c.curvature_b)(0, 0), 1e5);
    EXPECT_EQ((of_a ? c.curvature_b : c.curvature_a).norm(), 0.0);
    EXPECT_EQ((of_a ? c.curvature_a : c.curvature_b)(1, 1), 0.0);
  }
  std::sort(x.begin(), x.end());
  ASSERT_EQ(x.size(), 2u);
  EXPECT_NEAR(x[0], -0.3, 1e-9);
  EXPECT_NEAR(x[1], 1.0, 1e-9);
  // beyond the touching distance none
  b.world_from_body.position.y() = 1.0 + 2e-6;
  EXPECT_TRUE(plane_contacts(a, b, touch).empty());
  // on its corner, leaning: one
  PlacedBody tipped = placed(box, Vec2::Zero(), 0.4);
  const Vec2 low = (tipped.world_from_body * Vec3(-1, -0.5, 0)).head<2>();
  tipped.world_from_body.position = Vec3(0.2 - low.x(), 0.5 - low.y() + 2e-7, 0);
  for (const bool first : {true, false}) {
    const auto one = first ? plane_contacts(a, tipped, touch) : plane_contacts(tipped, a, touch);
    ASSERT_EQ(one.size(), 1u);
    EXPECT_LT((one[0].point - Vec3(0.2, 0.5, 0)).norm(), 1e-6);
    EXPECT_LT((one[0].normal_a_to_b - (first ? 1.0 : -1.0) * Vec3::UnitY()).norm(), 1e-12);
    EXPECT_NEAR(one[0].gap, 2e-7, 1e-12);
    EXPECT_GT((first ? one[0].curvature_b : one[0].curvature_a)(0, 0), 1e5);
  }
}

TEST(PlaneContacts, a_corner_whose_side_dips_into_the_other_body_is_none) {
  const auto box = region({{{{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}}, {}}});
  const PlacedBody floor =
      placed(region({{{{-5, -1}, {5, -1}, {5, 0}, {-5, 0}}, {}}}), Vec2::Zero(), 0.0);
  for (const double tilt : {1e-4, 1e-8}) {
    // the left corner on the floor, the right one lower
    PlacedBody b = placed(box, Vec2::Zero(), -tilt);
    b.world_from_body.position.y() = -(b.world_from_body * Vec3(-1, -0.5, 0)).y();
    EXPECT_EQ(plane_contacts(floor, b, 1e-6).size(), tilt > 1e-6 ? 0u : 2u) << tilt;
    EXPECT_EQ(plane_contacts(b, floor, 1e-6).size(), tilt > 1e-6 ? 0u : 2u) << tilt;
  }
}

TEST(PlaneContacts, discs_touch_sides_and_each_other) {
  const double touch = 1e-6;
  const auto box = region({{{{-1, -0.5}, {1, -0.5}, {1, 0.5}, {-1, 0.5}}, {}}});
  for (const double turn : {0.0, 0.7}) {
    const PlacedBody a = placed(box, Vec2::Zero(), turn);
    const Vec2 along(std::cos(turn), std::sin(turn)), up(-along.y(), along.x());
    const auto disc = region({}, {{Vec2::Zero(), 0.4}});
    for (const double gap : {5e-7, -1e-3}) {
      const PlacedBody b = placed(disc, (0.9 + gap) * up + 0.3 * along, 0.2);
      for (const bool first : {true, false}) {
        const auto found = first ? plane_contacts(a, b, touch) : plane_contacts(b, a, touch);
        ASSERT_EQ(found.size(), 1u);
        const double sign = first ? 1.0 : -1.0;
        EXPECT_LT((found[0].normal_a_to_b.head<2>() - sign * up).norm(), 1e-9);
        EXPECT_NEAR(found[0].gap, gap, 1e-12);
        EXPECT_LT((found[0].point.head<2>() - 0.5 * up - 0.3 * along).norm(), 1e-9);
        const Mat3& round = first ? found[0].curvature_b : found[0].curvature_a;
        const Mat3& flat = first ? found[0].curvature_a : found[0].curvature_b;
        const Vec3 t(along.x(), along.y(), 0);
        EXPECT_LT((round - 2.5 * t * t.transpose()).norm(), 1e-9);
        EXPECT_EQ(flat.norm(), 0.0);
      }
    }
    const PlacedBody far = placed(disc, (0.9 + 1e-5) * up, 0.0);
    EXPECT_TRUE(plane_contacts(a, far, touch).empty());
    const auto other = region({}, {{Vec2::Zero(), 0.25}});
    const PlacedBody p = placed(disc, Vec2(0.1, 0.2), 0.0),
                     q = placed(other, Vec2(0.1, 0.2) + (0.65 + 3e-7) * along, 0.0);
    const auto two = plane_contacts(p, q, touch);
    ASSERT_EQ(two.size(), 1u);
    EXPECT_NEAR(two[0].gap, 3e-7, 1e-12);
    EXPECT_LT((two[0].normal_a_to_b.head<2>() - along).norm(), 1e-9);
    EXPECT_LT((two[0].point.head<2>() - Vec2(0.1, 0.2) - 0.4 * along).norm(), 1e-9);
    EXPECT_NEAR(two[0].curvature_a.trace(), 2.5, 1e-9);
    EXPECT_NEAR(two[0].curvature_b.trace(), 4.0, 1e-9);
    EXPECT_TRUE(
        plane_contacts(p, placed(other, Vec2(0.1, 0.2) + 0.66 * along, 0.0), touch).empty());
  }
}

TEST(EscapeDirection, leads_away_from_all_normals_at_once) {
  Random random(104);
  for (int k = 0; k < 200; ++k) {
    const Vec3 main = random_direction(random);
    std::vector<Vec3> normals;
    for (int i = 0; i < 1 + k % 6; ++i)
      normals.push_back((main + 0.7 * random.unit() * random_direction(random)).normalized());
    const Vec3 d = escape_direction(normals);
    EXPECT_NEAR(d.norm(), 1.0, 1e-12);
    double least = 1e300;
    for (const Vec3& n : normals) least = std::min(least, n.dot(d));
    EXPECT_GT(least, 0.0);
    // no other direction leads away from the worst of them faster, up to what Gilbert's steps leave
    for (int i = 0; i < 40; ++i) {
      const Vec3 e = (d + 0.2 * random_direction(random)).normalized();
      double other = 1e300;
      for (const Vec3& n : normals) other = std::min(other, n.dot(e));
      EXPECT_LE(other, least + 0.03);
    }
  }
  EXPECT_EQ(escape_direction({}).norm(), 0.0);
  EXPECT_EQ(escape_direction({Vec3::UnitX(), -Vec3::UnitX()}).norm(), 0.0);
  // normals that all but oppose each other leave no direction to trust
  for (const double up : {0.0, 1e-8, 1e-6, 1e-5, 1e-4})
    EXPECT_EQ(escape_direction({Vec3(1, 0, up).normalized(), Vec3(-1, 0, up).normalized()}).norm(),
              0.0)
        << up;
  EXPECT_NEAR(escape_direction({Vec3(1, 0, 0.01).normalized(), Vec3(-1, 0, 0.01).normalized()}).z(),
              1.0, 1e-3);
  EXPECT_GT(escape_direction({Vec3::UnitX(), Vec3(-1, 0.01, 0).normalized()}).norm(), 0.5);
}

TEST(PlaneGap, discs_wedged_on_all_sides_touch_and_larger_ones_overlap) {
  // a disc in the square hole of a plate, and two in opposite corners of it
  const std::vector<Vec2> outer{{-2, -2}, {2, -2}, {2, 2}, {-2, 2}};
  const std::vector<Vec2> hole{{-1, -1}, {-1, 1}, {1, 1}, {1, -1}};
  for (const double scale : {1e-3, 1.0, 1e3})
    for (const double turn : {0.0, 0.4, 2.0})
      for (const double more : {-1e-6, 0.0, 1e-6}) {
        std::vector<Vec2> o, h;
        for (const Vec2& p : outer) o.push_back(scale * p);
        for (const Vec2& p : hole) h.push_back(scale * p);
        const Vec2 place = scale * Vec2(3.0, -5.0);
        const PlacedBody plate = placed(region({{o, {h}}}), place, turn);
        const PlacedBody one =
            placed(region({}, {{Vec2::Zero(), scale * (1.0 + more)}}), place, turn);
        const PlacedBody two =
            placed(region({}, {{scale * Vec2(0.5, 0.5), scale * (0.5 + more)},
                               {scale * Vec2(-0.5, -0.5), scale * (0.5 + more)}}),
                   place, turn);
        for (const PlacedBody* discs : {&one, &two}) {
          const GapBracket g = gap(plate, *discs);
          EXPECT_LE(g.lower, -scale * more + 1e-12 * scale) << scale << " " << turn << " " << more;
          EXPECT_GE(g.upper, -scale * more - 1e-12 * scale);
          EXPECT_LE(g.width(), 1e-9 * scale) << scale << " " << turn << " " << more;
        }
      }
}

TEST(PlaneGap, a_body_in_the_place_of_its_like_overlaps_it) {
  for (const int corners : {3, 4, 7})
    for (const double scale : {1e-3, 1.0, 1e3}) {
      const auto shape = region({{ring(corners, scale, 0.2), {}}});
      const PlacedBody a = placed(shape, scale * Vec2(2, 1), 0.5);
      EXPECT_LT(gap(a, a).upper, -1e-3 * scale) << corners;
    }
}

TEST(PlaneGap, bodies_of_the_plane_meet_whatever_their_heights) {
  for (const double height : {0.0, 0.3, 5.0, -1e4}) {
    Input input;
    input.gravity.setZero();
    input.bodies = {placed(region({{ring(4, 1.0, 0.3), {}}}), Vec2(0, 0), 0.0),
                    placed(region({{ring(5, 1.0, 0.1), {}}}), Vec2(0.5, 0), 0.7)};
    input.bodies[1].world_from_body.position.z() = height;
    EXPECT_EQ(check(input).overlap, Answer::missed) << height;
    input.bodies[1].world_from_body.position.x() = 4.0;
    EXPECT_EQ(check(input).overlap, Answer::proven) << height;
  }
}

}  // namespace
}  // namespace repose::check
