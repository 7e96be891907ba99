// Exact signs against whole numbers, and solids that touch, miss and overlap by one rounding.
#include "../../src/check/exact.h"

#include <gtest/gtest.h>

#include "repose/check/gap.h"

#include "../../src/check/exact_meeting.h"
#include "../../src/check/exact_plane.h"
#include "../../src/check/exact_triangles.h"
#include "../../src/check/inside.h"
#include "check/integers.h"
#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kScales[] = {1e-3, 1.0, 1e3};

/// A coordinate of a coarse grid, often moved by a few ulp: many points of a line or a plane.
double coordinate(Random& random, double scale) {
  const double x = scale * (static_cast<double>(random.below(7)) - 3.0) / 3.0;
  const std::size_t moved = random.below(16);
  return moved != 1 && moved != 3 ? x : x * (1.0 + (static_cast<double>(moved) - 2.0) * 0x1p-52);
}
Vec3 grid_point(Random& random, double scale) {
  const double x = coordinate(random, scale), y = coordinate(random, scale);
  return {x, y, coordinate(random, scale)};
}

using Whole = std::array<Integer, 3>;
Whole whole(const Vec3& a, const Vec3& b) {
  return {Integer(a.x()) - Integer(b.x()), Integer(a.y()) - Integer(b.y()),
          Integer(a.z()) - Integer(b.z())};
}
int sign_of(const Whole& u, const Whole& v, const Whole& w) {
  return (u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
          u[2] * (v[0] * w[1] - v[1] * w[0]))
      .sign();
}

TEST(Exact, sums_and_products_have_the_sign_of_whole_numbers) {
  Random random(5);
  const auto draw = [&] {
    return std::ldexp(random.between(-1.0, 1.0), static_cast<int>(random.below(60)) - 30);
  };
  int cancelled = 0;
  for (int k = 0; k < 2000; ++k) {
    const double a = draw(), b = draw(), c = draw(), d = draw();
    const Exact x = Exact(a) * b + Exact(c) * d;
    // what is left when the rounded value is taken off is far below it
    const double value = x.near();
    const Exact rest = x - value;
    const Integer wx = Integer(a) * Integer(b) + Integer(c) * Integer(d);
    const Integer left = wx - Integer(value) * Integer(1.0);
    EXPECT_EQ(x.sign(), wx.sign());
    EXPECT_EQ(rest.sign(), left.sign());
    EXPECT_LE(std::fabs(rest.near()), 0x1p-51 * std::fabs(value));
    EXPECT_EQ((x * x - x * x).sign(), 0);
    EXPECT_EQ((rest * x).sign(), rest.sign() * x.sign());
    EXPECT_TRUE(x == -(-x));
    EXPECT_TRUE(x.sure());
    cancelled += rest.sign() != 0;
  }
  EXPECT_GT(cancelled, 1000);
  EXPECT_EQ((Exact(1.0) + 0x1p-300 - 1.0).near(), 0x1p-300);
  EXPECT_EQ(Exact(0.0).sign(), 0);
}

TEST(Exact, a_product_out_of_range_is_not_sure) {
  EXPECT_FALSE((Exact(0x1p-500) * Exact(0x1p-500)).sure());
  EXPECT_FALSE((Exact(0x1p+600) * Exact(0x1p+600)).sure());
  EXPECT_FALSE((Exact(0x1p-500) * Exact(0x1p-500) + 1.0).sure());
  EXPECT_FALSE((-(Exact(0x1p-500) * Exact(0x1p-500))).sure());
  EXPECT_TRUE((Exact(0x1p-400) * Exact(0x1p-400)).sure());
  EXPECT_TRUE((Exact(0.0) * Exact(0x1p-500)).sure());
  Doubts doubts;
  EXPECT_EQ(doubts.sign(Exact(-2.0)), -1);
  EXPECT_FALSE(doubts.any);
  EXPECT_EQ(doubts.sign(Exact(0x1p-500) * Exact(0x1p-490)), 1);
  EXPECT_TRUE(doubts.any);
}

TEST(Exact, orientations_are_those_of_whole_numbers_at_three_scales) {
  for (const double scale : kScales) {
    Random random(17);
    int on = 0, close = 0;
    for (int k = 0; k < 4000; ++k) {
      const Vec3 a = grid_point(random, scale), b = grid_point(random, scale),
                 c = grid_point(random, scale), d = grid_point(random, scale);
      const int plain = sign_of(whole(a, d), whole(c, d), whole(b, d));
      EXPECT_EQ(orient3d(a, b, c, d), plain);
      EXPECT_EQ(orient_about(d, b, a, c),
                sign_of(whole(b, Vec3::Zero()), whole(a, d), whole(c, d)));
      const Whole ac = whole(a, c), bc = whole(b, c);
      const int flat = (ac[0] * bc[1] - ac[1] * bc[0]).sign();
      EXPECT_EQ(orient2d(a.head<2>(), b.head<2>(), c.head<2>()), flat);
      on += plain == 0;
      const double volume = (a - d).dot((c - d).cross(b - d));
      close += plain != 0 && std::fabs(volume) < 1e-14 * scale * scale * scale;
    }
    EXPECT_GT(on, 60);
    EXPECT_GT(close, 100);
  }
  // counter-clockwise seen from above
  EXPECT_EQ(orient3d(Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3(0.1, 0.1, 1e-30)), 1);
  EXPECT_EQ(orient2d(Vec2(0, 0), Vec2(1, 0), Vec2(0.5, 1e-30)), 1);
}

/// Whole coordinates (x, y, z, w) of a point of a in the frame of b.
std::array<Integer, 4> plain_place(const Item& b, const Item& a, const Vec3& x) {
  const auto norm = [](const Quat& q) {
    const Integer c[4] = {Integer(q.w()), Integer(q.x()), Integer(q.y()), Integer(q.z())};
    return c[0] * c[0] + c[1] * c[1] + c[2] * c[2] + c[3] * c[3];
  };
  // q (0, x) q* by quaternion products
  using Q = std::array<Integer, 4>;
  const auto times = [](const Q& p, const Q& q) {
    return Q{p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
             p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
             p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
             p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
  };
  const auto of = [](const Quat& q) {
    return Q{Integer(q.w()), Integer(q.x()), Integer(q.y()), Integer(q.z())};
  };
  const auto back = [](const Q& q) { return Q{q[0], -q[1], -q[2], -q[3]}; };
  const Q qa = of(a.world_from_body.rotation), qb = of(b.world_from_body.rotation);
  Q p = times(times(qa, Q{Integer(), Integer(x.x()), Integer(x.y()), Integer(x.z())}), back(qa));
  const Integer wa = norm(a.world_from_body.rotation);
  for (int k = 0; k < 3; ++k)
    p[static_cast<std::size_t>(k) + 1] =
        p[static_cast<std::size_t>(k) + 1] +
        wa * (Integer(a.world_from_body.position[k]) - Integer(b.world_from_body.position[k]));
  p = times(times(back(qb), p), qb);
  return {p[1], p[2], p[3], wa * norm(b.world_from_body.rotation) * Integer(1.0)};
}

TEST(Exact, placed_points_are_where_whole_numbers_put_them) {
  for (const double scale : kScales) {
    Random random(23);
    for (int k = 0; k < 40; ++k) {
      const Item a = at(ball(scale), grid_point(random, scale), random_rotation(random));
      const Item b = at(ball(scale), grid_point(random, scale), random_rotation(random));
      const Vec3 x = grid_point(random, scale);
      const ExactPoint p = ExactFrame(b, a) * x;
      const auto plain = plain_place(b, a, x);
      EXPECT_LE((p.near - b.world_from_body.inverse() * (a.world_from_body * x)).norm(),
                1e-14 * scale);
      for (std::size_t i = 0; i < 3; ++i) {
        // (value / weight - near) and whether it lies within the error
        const auto at_k = static_cast<Eigen::Index>(i);
        for (const double probe :
             {p.near[at_k], p.near[at_k] + p.error, p.near[at_k] - p.error, 0.0}) {
          const int sign = (p.at[i] - p.at[3] * probe).sign();
          EXPECT_EQ(sign, (plain[i] * Integer(1.0) - plain[3] * Integer(probe)).sign());
        }
        EXPECT_GT((p.at[i] - p.at[3] * (p.near[at_k] - p.error)).sign(), 0);
        EXPECT_LT((p.at[i] - p.at[3] * (p.near[at_k] + p.error)).sign(), 0);
      }
    }
  }
}

ExactTriangle triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  Doubts doubts;
  return {ExactPoint(a), ExactPoint(b), ExactPoint(c), doubts};
}
TriangleContact met(const ExactTriangle& a, const ExactTriangle& b) {
  Doubts doubts;
  TriangleContact out = meet(a, b, doubts);
  EXPECT_FALSE(doubts.any);
  return out;
}

TEST(ExactTriangles, what_two_share_is_told_by_kind_and_corners) {
  using Kind = TriangleContact::Kind;
  const double kUp = 0x1p-60;
  for (const double s : kScales) {
    const auto at_scale = [&](double x, double y, double z) { return Vec3(s * x, s * y, s * z); };
    const ExactTriangle floor = triangle(at_scale(0, 0, 0), at_scale(4, 0, 0), at_scale(0, 4, 0));
    const auto standing = [&](double low) {
      return triangle(at_scale(1, 1, low), at_scale(1, 1, 2), at_scale(1, -3, 2));
    };
    EXPECT_EQ(met(standing(kUp), floor).kind, Kind::apart);
    EXPECT_EQ(met(floor, standing(kUp)).kind, Kind::apart);
    EXPECT_EQ(met(standing(-kUp), floor).kind, Kind::crossing);
    EXPECT_EQ(met(floor, standing(-kUp)).kind, Kind::crossing);
    const TriangleContact foot = met(standing(0), floor);
    ASSERT_EQ(foot.kind, Kind::touching);
    ASSERT_EQ(foot.points.size(), 1u);
    EXPECT_EQ(foot.points[0].near, at_scale(1, 1, 0));
    // a side in the floor: what of it lies on the floor
    const TriangleContact side =
        met(floor, triangle(at_scale(1, 1, 0), at_scale(1, -3, 0), at_scale(1, 0, 5)));
    ASSERT_EQ(side.kind, Kind::touching);
    ASSERT_EQ(side.points.size(), 2u);
    EXPECT_EQ(side.points[0].near, at_scale(1, 0, 0));
    EXPECT_EQ(side.points[1].near, at_scale(1, 1, 0));
    // its line passes the triangle by
    EXPECT_EQ(met(floor, triangle(at_scale(3, 3, -1), at_scale(3, 3, 1), at_scale(4, 4, 0))).kind,
              Kind::apart);
    // an area, and which way it looks
    const ExactTriangle over = triangle(at_scale(1, 1, 0), at_scale(5, 1, 0), at_scale(1, 5, 0));
    const ExactTriangle back = triangle(at_scale(1, 1, 0), at_scale(1, 5, 0), at_scale(5, 1, 0));
    EXPECT_EQ(met(over, floor).kind, Kind::same_area);
    EXPECT_EQ(met(floor, over).kind, Kind::same_area);
    const TriangleContact area = met(back, floor);
    ASSERT_EQ(area.kind, Kind::back_area);
    // corners (1,1), (3,1), (1,3)
    Vec3 low = area.points[0].near, high = low, sum = Vec3::Zero();
    Doubts doubts;
    std::vector<ExactPoint> different;
    for (const ExactPoint& p : area.points) {
      if (std::any_of(different.begin(), different.end(),
                      [&](const ExactPoint& q) { return compare(p, q, doubts) == 0; }))
        continue;
      different.push_back(p);
      low = low.cwiseMin(p.near);
      high = high.cwiseMax(p.near);
      sum += p.near;
    }
    EXPECT_EQ(different.size(), 3u);
    EXPECT_LE((low - at_scale(1, 1, 0)).norm(), 1e-15 * s);
    EXPECT_LE((high - at_scale(3, 3, 0)).norm(), 1e-15 * s);
    EXPECT_LE((sum - at_scale(5, 5, 0)).norm(), 1e-15 * s);
    // in one plane: a side shared, a corner shared, nothing shared
    EXPECT_EQ(met(floor, triangle(at_scale(0, 0, 0), at_scale(0, -4, 0), at_scale(4, 0, 0))).kind,
              Kind::touching);
    EXPECT_EQ(met(floor, triangle(at_scale(0, 0, 0), at_scale(-4, 0, 0), at_scale(0, -4, 0))).kind,
              Kind::touching);
    EXPECT_EQ(
        met(floor, triangle(at_scale(-kUp, 0, 0), at_scale(-4, 0, 0), at_scale(0, -4, 0))).kind,
        Kind::apart);
  }
}

TEST(ExactTriangles, random_ones_of_a_grid_cross_where_sides_pierce_insides) {
  using Kind = TriangleContact::Kind;
  Random random(61);
  int crossing = 0, apart = 0, touching = 0;
  for (int k = 0; k < 6000; ++k) {
    Vec3 p[6];
    for (Vec3& x : p)
      x = Vec3(static_cast<double>(random.below(6)), static_cast<double>(random.below(6)),
               static_cast<double>(random.below(6)));
    const ExactTriangle a = triangle(p[0], p[1], p[2]), b = triangle(p[3], p[4], p[5]);
    if (a.plane.none() || b.plane.none()) continue;
    // a side from one open side to the other, and the signs about it all alike
    bool pierced = false, met_at_all = false;
    for (int t = 0; t < 2; ++t)
      for (int i = 0; i < 3; ++i) {
        const Vec3 *f = p + 3 * t, *e = p + 3 - 3 * t, &u = e[i], &v = e[(i + 1) % 3];
        const int from = orient3d(f[0], f[1], f[2], u), to = orient3d(f[0], f[1], f[2], v);
        if (from * to > 0 || (from == 0 && to == 0)) continue;
        const int s0 = orient3d(u, v, f[0], f[1]), s1 = orient3d(u, v, f[1], f[2]),
                  s2 = orient3d(u, v, f[2], f[0]);
        const int least = std::min({s0, s1, s2}), most = std::max({s0, s1, s2});
        pierced = pierced || (from * to < 0 && (least > 0 || most < 0));
        met_at_all = met_at_all || least >= 0 || most <= 0;
      }
    const Kind got = met(a, b).kind;
    const Kind back = met(b, a).kind;
    EXPECT_EQ(static_cast<int>(got), static_cast<int>(back));
    if (pierced) {
      EXPECT_EQ(got, Kind::crossing);
    } else if (met_at_all) {
      EXPECT_NE(got, Kind::apart);
    }
    if (got == Kind::crossing) {
      EXPECT_TRUE(met_at_all);
    }
    if (got == Kind::touching) {
      EXPECT_FALSE(met(a, b).points.empty());
    }
    crossing += got == Kind::crossing;
    apart += got == Kind::apart;
    touching += got == Kind::touching;
  }
  EXPECT_GT(crossing, 500);
  EXPECT_GT(apart, 500);
  EXPECT_GT(touching, 300);
}

TEST(ExactTriangles, the_place_where_a_side_pierces_is_exact) {
  // the side from (0,0,-1) to (1,1,2) meets the floor a third of its way
  const ExactTriangle floor = triangle(Vec3(-1, -1, 0), Vec3(3, -1, 0), Vec3(-1, 3, 0));
  const ExactTriangle piercing = triangle(Vec3(0, 0, -1), Vec3(1, 1, 2), Vec3(0, 0, 2));
  EXPECT_EQ(met(floor, piercing).kind, TriangleContact::Kind::crossing);
  // only its corner reaches into the sliver: shared is a stretch of the sliver's side
  const ExactTriangle beside = triangle(Vec3(0, 0, 0), Vec3(3, 3, 0), Vec3(0, 0, -1));
  const TriangleContact c = met(beside, piercing);
  ASSERT_EQ(c.kind, TriangleContact::Kind::back_area);
  Doubts doubts;
  for (const ExactPoint& p : c.points) EXPECT_EQ(doubts.sign(p.at[0] - p.at[1]), 0);
  EXPECT_EQ(doubts.sign(c.points[0].at[3]), 1);
}

/// An L: a box of 2 x 1 x 2 less its upper right quarter, inner corner at the origin.
shape::ShapePtr bracket_mesh(double s) {
  std::vector<Vec3> p;
  const double outline[6][2] = {{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}};
  for (const double y : {-0.5, 0.5})
    for (const auto& o : outline) p.push_back(s * Vec3(o[0], y, o[1]));
  std::vector<std::array<int, 3>> t{{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  for (int k = 0; k < 4; ++k) {
    const auto [a, b, c] = t[static_cast<std::size_t>(k)];
    t.push_back({a + 6, c + 6, b + 6});
  }
  for (int k = 0; k < 6; ++k) {
    const int l = (k + 1) % 6;
    t.push_back({k, k + 6, l});
    t.push_back({l, k + 6, l + 6});
  }
  return mesh(p, t);
}

TEST(ExactMeeting, meshes_that_touch_have_the_gap_zero_and_one_rounding_tells) {
  const Quat quarter(std::sqrt(0.5), std::sqrt(0.5), 0, 0);  // about x
  const Quat half(0, 0, 1, 0);                               // about y
  for (const double s : {0x1p-10, 1.0, 0x1p+10}) {
    const Item l = at(bracket_mesh(s), Vec3::Zero());
    struct Case {
      Vec3 place, step;
      Quat turn;
    };
    // a cube in the corner of the L, an L turned over on the L, a box on its top
    const Case cases[] = {{Vec3(0.5, 0, 0.5), Vec3(1, 0, 1), Quat::Identity()},
                          {Vec3(0.5, 0, 0.5), Vec3(0, 0, 1), quarter},
                          {Vec3(0.5, 0, 0.5), Vec3(1, 0, 0), half}};
    const auto cube = box_mesh(s * Vec3::Ones());
    for (const Case& c : cases) {
      const GapBracket on = gap(l, at(cube, s * c.place, c.turn));
      EXPECT_EQ(on.lower, 0.0);
      EXPECT_EQ(on.upper, 0.0);
      EXPECT_EQ(on.status, GapStatus::closed);
      for (const bool first : {true, false}) {
        const Item off = at(cube, s * (c.place - 0x1p-52 * c.step), c.turn);
        const GapBracket in = first ? gap(l, off) : gap(off, l);
        EXPECT_EQ(in.upper, 0.0);
        EXPECT_LT(in.lower, 0.0);
        EXPECT_GE(in.lower, -3e-9 * s);
      }
    }
    const GapBracket clear = gap(l, at(cube, s * Vec3(0.5 + 0x1p-52, 0, 0.5 + 0x1p-52)));
    EXPECT_EQ(clear.lower, 0.0);
    EXPECT_GT(clear.upper, 0.0);
    // a second L turned over and put into the first, two edges on edges
    const auto other = bracket_mesh(s);
    const GapBracket locked = gap(l, at(other, s * Vec3(1, 0, 1), half));
    EXPECT_EQ(locked.lower, 0.0);
    EXPECT_EQ(locked.upper, 0.0);
    EXPECT_EQ(gap(l, at(other, s * Vec3(1 + 0x1p-52, 0, 1 + 0x1p-52), half)).lower, 0.0);
    const GapBracket deeper = gap(l, at(other, s * Vec3(1 - 0x1p-53, 0, 1 - 0x1p-53), half));
    EXPECT_EQ(deeper.upper, 0.0);
    EXPECT_LT(deeper.lower, 0.0);
  }
}

ExactMeeting::Kind meeting(const Item& a, const Item& b, ExactMeeting* whole = nullptr) {
  Surface sa(*a.shape), sb(*b.shape);
  EXPECT_TRUE(has_exact_meeting(sa, sb));
  const ExactMeeting out = exact_meeting(a, sa, b, sb);
  if (whole) *whole = out;
  return out.kind;
}

TEST(ExactMeeting, overlaps_without_any_crossing_are_seen_and_witnessed) {
  using Kind = ExactMeeting::Kind;
  for (const double s : kScales) {
    const auto cube = box_mesh(s * Vec3::Ones());
    // the same cube in the same place: all faces look the same way
    EXPECT_EQ(meeting(at(cube, Vec3::Zero()), at(cube, Vec3::Zero())), Kind::overlap);
    // a bar through the cube, as wide as the cube: sides on faces, corners nowhere
    const auto bar = box_mesh(s * Vec3(3, 1, 0.5));
    EXPECT_EQ(meeting(at(cube, Vec3::Zero()), at(bar, Vec3::Zero())), Kind::overlap);
    // corners of the inner one on the faces of the outer one
    const auto diamond = mesh(
        {s * Vec3(0.5, 0, 0), s * Vec3(-0.5, 0, 0), s * Vec3(0, 0.5, 0), s * Vec3(0, -0.5, 0),
         s * Vec3(0, 0, 0.5), s * Vec3(0, 0, -0.5)},
        {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}});
    for (const bool first : {true, false}) {
      ExactMeeting whole;
      const Item outer = at(cube, s * Vec3(1, 2, 3)), inner = at(diamond, s * Vec3(1, 2, 3));
      ASSERT_EQ(first ? meeting(outer, inner, &whole) : meeting(inner, outer, &whole),
                Kind::overlap);
      ASSERT_EQ(whole.inside.size(), 1u);
      // on the diamond's surface, in the cube
      EXPECT_NEAR(whole.inside[0].cwiseAbs().sum(), 0.5 * s, 1e-12 * s);
      EXPECT_LT(whole.inside[0].cwiseAbs().maxCoeff(), 0.49 * s);
      // and as a gap: its depth is proven
      const GapBracket g = first ? gap(outer, inner) : gap(inner, outer);
      EXPECT_LT(g.upper, -0.05 * s);
      EXPECT_EQ(g.status, GapStatus::overlap);
    }
    // nested without touching; apart; a corner on a corner; a corner on a face
    const auto small = box_mesh(s * Vec3::Constant(0.25));
    EXPECT_EQ(meeting(at(cube, Vec3::Zero()), at(small, Vec3::Zero())), Kind::overlap);
    EXPECT_EQ(meeting(at(small, Vec3::Zero()), at(cube, Vec3::Zero())), Kind::overlap);
    EXPECT_EQ(meeting(at(small, s * Vec3(2, 0, 0)), at(cube, Vec3::Zero())), Kind::apart);
    EXPECT_EQ(meeting(at(cube, s * Vec3(1, 1, 1)), at(cube, Vec3::Zero())), Kind::touching);
    EXPECT_EQ(meeting(at(cube, Vec3(0, 0, s)), at(diamond, Vec3::Zero())), Kind::touching);
    EXPECT_EQ(meeting(at(diamond, Vec3(0, 0, s)), at(cube, Vec3::Zero())), Kind::touching);
  }
}

TEST(ExactMeeting, random_boxes_of_a_grid_meet_as_whole_numbers_say) {
  using Kind = ExactMeeting::Kind;
  Random random(41);
  int count[4] = {};
  for (int k = 0; k < 300; ++k) {
    // corners on a grid of quarters: exact in doubles
    const auto draw = [&](int n) { return static_cast<double>(1 + random.below(n)); };
    Vec3 size_a, size_b, place;
    for (int i = 0; i < 3; ++i) {
      size_a[i] = 0.5 * draw(3);
      size_b[i] = 0.5 * draw(3);
      place[i] = 0.25 * (draw(11) - 6.0);
    }
    const Item a = at(box_mesh(size_a), Vec3(3, -1, 2)),
               b = at(box_mesh(size_b), Vec3(3, -1, 2) + place);
    // signed separation along the axes
    const double apart = (place.cwiseAbs() - 0.5 * (size_a + size_b)).maxCoeff();
    const Kind want = apart > 0.0 ? Kind::apart : apart == 0.0 ? Kind::touching : Kind::overlap;
    const Kind got = meeting(a, b);
    EXPECT_EQ(static_cast<int>(got), static_cast<int>(want)) << k;
    ++count[static_cast<int>(got)];
  }
  EXPECT_EQ(count[0], 0);
  for (int k = 1; k < 4; ++k) EXPECT_GT(count[k], 30);
}

TEST(ExactMeeting, a_point_near_a_face_is_told_in_or_out_by_rays) {
  for (const double s : kScales) {
    Surface cube(*box_mesh(s * Vec3::Ones()));
    const double face = 0.5 * s, next = std::nextafter(face, 0.0), past = std::nextafter(face, 1e9);
    const double tiny = 1e-13 * s;
    EXPECT_EQ(side_of(cube, Vec3(tiny, -tiny, next)), Side::inside);
    EXPECT_EQ(side_of(cube, Vec3(tiny, -tiny, past)), Side::outside);
    EXPECT_EQ(side_of(cube, Vec3(tiny, -tiny, face)), Side::unknown);
    EXPECT_EQ(side_of(cube, Vec3(next, next, next)), Side::inside);
    EXPECT_EQ(side_of(cube, Vec3(next, past, next)), Side::outside);
    EXPECT_EQ(side_of(cube, Vec3(-next, -past, -next)), Side::outside);
  }
}

Item flat_box(const Vec2& half, const Vec2& place, const Quat& q = Quat::Identity()) {
  auto s = std::make_shared<shape::Shape>();
  const std::vector<Vec2> outer{-half, {half.x(), -half.y()}, half, {-half.x(), half.y()}};
  s->geometry = shape::PlaneRegion{{{outer, {}}}, {}, 0.1};
  s->bounding_radius = half.norm();
  return at(s, Vec3(place.x(), place.y(), 0), q);
}

TEST(ExactPlane, overlapping_boxes_with_corners_on_sides_are_decided) {
  const Quat quarter(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
  for (const double s : kScales) {
    const Vec2 unit = s * Vec2(0.5, 0.5);
    const Item a = flat_box(unit, Vec2::Zero());
    struct Case {
      Item b;
      double depth;  // of the middle of a piece of side, at least; in s
    };
    const Case cases[] = {
        {flat_box(unit, s * Vec2(0.5, 0)), 0.5},                       // corners on sides
        {flat_box(unit, s * Vec2(0.5, 0), quarter), 0.5},              // turned onto itself
        {flat_box(s * Vec2(0.25, 0.5), Vec2::Zero()), 0.25},           // a bar from side to side
        {flat_box(s * Vec2(0.25, 2), Vec2::Zero()), 0.25},             // a bar right through
        {flat_box(s * Vec2(2, 0.125), Vec2::Zero(), quarter), 0.375},  // the same, turned
    };
    for (const Case& c : cases)
      for (const bool first : {true, false}) {
        const GapBracket g = first ? gap(a, c.b) : gap(c.b, a);
        EXPECT_EQ(g.status, GapStatus::overlap);
        EXPECT_NEAR(g.upper, -c.depth * s, 1e-12 * s);
        EXPECT_LE(g.lower, g.upper);
        EXPECT_LE(g.point_a.cwiseAbs().maxCoeff(), 0.5 * s);
      }
    // in one place: seen, though no point of a side lies inside
    EXPECT_EQ(exact_plane_meeting(a, a).kind, ExactMeeting::Kind::overlap);
    EXPECT_EQ(gap(a, a).upper, 0.0);
  }
}

TEST(ExactPlane, boxes_that_touch_have_the_gap_zero_and_one_rounding_tells) {
  const Quat quarter(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
  for (const double s : {0x1p-10, 1.0, 0x1p+10}) {
    const Vec2 unit = s * Vec2(0.5, 0.5);
    for (const Quat& q : {Quat::Identity(), quarter}) {
      const Item a = flat_box(unit, Vec2::Zero());
      for (const Vec2& to : {Vec2(1, 0), Vec2(0.25, -1), Vec2(-1, 1)}) {
        const GapBracket g = gap(a, flat_box(unit, s * to, q));
        EXPECT_EQ(g.lower, 0.0);
        EXPECT_EQ(g.upper, 0.0);
        EXPECT_EQ(g.status, GapStatus::closed);
        const GapBracket out = gap(a, flat_box(unit, s * (1.0 + 0x1p-52) * to, q));
        EXPECT_EQ(out.lower, 0.0);
        EXPECT_GT(out.upper, 0.0);
        const GapBracket in = gap(flat_box(unit, s * (1.0 - 0x1p-53) * to, q), a);
        EXPECT_EQ(in.upper, 0.0);
        EXPECT_LT(in.lower, 0.0);
      }
    }
    // at another height, as drawings are
    Item above = flat_box(unit, s * Vec2(1, 1));
    above.world_from_body.position.z() = s;
    EXPECT_EQ(gap(flat_box(unit, Vec2::Zero()), above).upper, 0.0);
  }
}

TEST(ExactPlane, random_boxes_of_a_grid_meet_as_their_corners_say) {
  using Kind = ExactMeeting::Kind;
  Random random(43);
  int count[4] = {};
  for (int k = 0; k < 400; ++k) {
    Vec2 size_a, size_b, place;
    const auto draw = [&](std::size_t n) { return static_cast<double>(1 + random.below(n)); };
    for (int i = 0; i < 2; ++i) {
      size_a[i] = 0.25 * draw(4);
      size_b[i] = 0.25 * draw(4);
      place[i] = 0.25 * (draw(13) - 7.0);
    }
    const double apart = (place.cwiseAbs() - size_a - size_b).maxCoeff();
    const Kind want = apart > 0.0 ? Kind::apart : apart == 0.0 ? Kind::touching : Kind::overlap;
    const ExactMeeting got =
        exact_plane_meeting(flat_box(size_a, Vec2(-1, 2)), flat_box(size_b, Vec2(-1, 2) + place));
    EXPECT_EQ(static_cast<int>(got.kind), static_cast<int>(want)) << k;
    for (const Vec3& p : got.inside) {
      const Vec2 x = p.head<2>() - Vec2(-1, 2);
      EXPECT_LE((x.cwiseAbs() - size_a).maxCoeff(), 0.0);
      EXPECT_LE(((x - place).cwiseAbs() - size_b).maxCoeff(), 0.0);
    }
    ++count[static_cast<int>(got.kind)];
  }
  EXPECT_EQ(count[0], 0);
  for (int k = 1; k < 4; ++k) EXPECT_GT(count[k], 40);
}

TEST(ExactPlane, a_box_fills_a_hole_and_discs_or_tipped_bodies_have_no_exact_answer) {
  using Kind = ExactMeeting::Kind;
  const double h = 0.5;
  auto frame = std::make_shared<shape::Shape>();
  frame->geometry = shape::PlaneRegion{
      {{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}, {{{-h, -h}, {-h, h}, {h, h}, {h, -h}}}}}, {}, 0.1};
  frame->bounding_radius = 2.0;
  const Item around = at(frame, Vec3::Zero());
  const Item peg = flat_box(Vec2(h, h), Vec2::Zero());
  EXPECT_EQ(exact_plane_meeting(around, peg).kind, Kind::touching);
  EXPECT_EQ(gap(peg, around).lower, 0.0);
  EXPECT_EQ(gap(peg, around).upper, 0.0);
  EXPECT_EQ(exact_plane_meeting(around, flat_box(Vec2(0.4, 0.4), Vec2::Zero())).kind, Kind::apart);
  EXPECT_EQ(exact_plane_meeting(around, flat_box(Vec2(h, h), Vec2(0x1p-60, 0))).kind,
            Kind::overlap);
  EXPECT_EQ(exact_plane_meeting(flat_box(Vec2(0.1, 0.1), Vec2(0.75, 0)), around).kind,
            Kind::overlap);
  Item tipped = peg;
  tipped.world_from_body.rotation = Quat(1, 1e-20, 0, 0);
  EXPECT_EQ(exact_plane_meeting(around, tipped).kind, Kind::unknown);
  auto disc = std::make_shared<shape::Shape>();
  disc->geometry = shape::PlaneRegion{{}, {{Vec2::Zero(), 0.5}}, 0.1};
  EXPECT_EQ(exact_plane_meeting(at(disc, Vec3::Zero()), peg).kind, Kind::unknown);
}

}  // namespace
}  // namespace repose::check
