// Solids and plane regions that touch, miss and overlap by one rounding, and meshes that are
// convex.
#include "src/check/exact/exact_meeting.h"

#include <gtest/gtest.h>

#include "repose/check/gap.h"

#include "check/shapes.h"
#include "src/check/exact/exact_plane.h"
#include "src/check/gap/convex_body.h"
#include "src/check/gap/convex_mesh.h"
#include "src/check/gap/inside.h"

namespace repose::check {
namespace {

constexpr double kScales[] = {1e-3, 1.0, 1e3};

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
    const PlacedBody l = at(bracket_mesh(s), Vec3::Zero());
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
        const PlacedBody off = at(cube, s * (c.place - 0x1p-52 * c.step), c.turn);
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

ExactMeeting::Kind meeting(const PlacedBody& a, const PlacedBody& b,
                           ExactMeeting* whole = nullptr) {
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
      const PlacedBody outer = at(cube, s * Vec3(1, 2, 3)), inner = at(diamond, s * Vec3(1, 2, 3));
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
    const PlacedBody a = at(box_mesh(size_a), Vec3(3, -1, 2)),
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

PlacedBody flat_box(const Vec2& half, const Vec2& place, const Quat& q = Quat::Identity()) {
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
    const PlacedBody a = flat_box(unit, Vec2::Zero());
    struct Case {
      PlacedBody b;
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
    // in one place: no point of a side lies inside, but the middle does
    EXPECT_EQ(exact_plane_meeting(a, a).kind, ExactMeeting::Kind::overlap);
    EXPECT_NEAR(gap(a, a).upper, -0.5 * s, 1e-12 * s);
  }
}

TEST(ExactPlane, boxes_that_touch_have_the_gap_zero_and_one_rounding_tells) {
  const Quat quarter(std::sqrt(0.5), 0, 0, std::sqrt(0.5));
  for (const double s : {0x1p-10, 1.0, 0x1p+10}) {
    const Vec2 unit = s * Vec2(0.5, 0.5);
    for (const Quat& q : {Quat::Identity(), quarter}) {
      const PlacedBody a = flat_box(unit, Vec2::Zero());
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
    PlacedBody above = flat_box(unit, s * Vec2(1, 1));
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
  const PlacedBody around = at(frame, Vec3::Zero());
  const PlacedBody peg = flat_box(Vec2(h, h), Vec2::Zero());
  EXPECT_EQ(exact_plane_meeting(around, peg).kind, Kind::touching);
  EXPECT_EQ(gap(peg, around).lower, 0.0);
  EXPECT_EQ(gap(peg, around).upper, 0.0);
  EXPECT_EQ(exact_plane_meeting(around, flat_box(Vec2(0.4, 0.4), Vec2::Zero())).kind, Kind::apart);
  EXPECT_EQ(exact_plane_meeting(around, flat_box(Vec2(h, h), Vec2(0x1p-60, 0))).kind,
            Kind::overlap);
  EXPECT_EQ(exact_plane_meeting(flat_box(Vec2(0.1, 0.1), Vec2(0.75, 0)), around).kind,
            Kind::overlap);
  PlacedBody tipped = peg;
  tipped.world_from_body.rotation = Quat(1, 1e-20, 0, 0);
  EXPECT_EQ(exact_plane_meeting(around, tipped).kind, Kind::unknown);
  auto disc = std::make_shared<shape::Shape>();
  disc->geometry = shape::PlaneRegion{{}, {{Vec2::Zero(), 0.5}}, 0.1};
  EXPECT_EQ(exact_plane_meeting(at(disc, Vec3::Zero()), peg).kind, Kind::unknown);
}

TEST(ConvexMesh, is_known_by_exact_signs_and_its_faces_are_joined) {
  for (const double s : kScales) {
    const auto box = box_mesh(s * Vec3(1, 2, 3));
    const auto& mesh_of_box = std::get<shape::TriangleMesh>(box->geometry);
    const auto known = convex_mesh(mesh_of_box);
    ASSERT_TRUE(known);
    EXPECT_EQ(known->points.size(), 8u);
    ASSERT_EQ(known->faces.size(), 6u);
    for (const auto& face : known->faces) {
      ASSERT_EQ(face.size(), 4u);
      // counter-clockwise seen from outside
      const auto p = [&](std::size_t k) {
        return known->points[static_cast<std::size_t>(face[k])];
      };
      EXPECT_GT((p(1) - p(0)).cross(p(2) - p(1)).dot(p(0)), 0.0);
    }
    const auto body = ConvexBody::of(box);
    ASSERT_TRUE(body);
    EXPECT_EQ(body->support(Vec3::UnitY()), s);
    EXPECT_NEAR(body->depth(Vec3::Zero(), 0.0), 0.5 * s, 1e-12 * s);
    // one corner pushed in or out by one rounding: no more, or still, convex
    for (const double by : {1.0 - 0x1p-52, 1.0 + 0x1p-52}) {
      shape::TriangleMesh moved = mesh_of_box;
      moved.points[7] *= by;
      const auto changed = convex_mesh(moved);
      EXPECT_EQ(changed.has_value(), by > 1.0);
      if (changed) {
        EXPECT_GT(changed->faces.size(), 6u);
      }
    }
    EXPECT_FALSE(convex_mesh(std::get<shape::TriangleMesh>(bracket_mesh(s)->geometry)));
    EXPECT_FALSE(ConvexBody::of(bracket_mesh(s)));
    // open, inside out, two pieces
    shape::TriangleMesh open = mesh_of_box;
    open.triangles.pop_back();
    EXPECT_FALSE(convex_mesh(open));
    shape::TriangleMesh turned = mesh_of_box;
    for (auto& t : turned.triangles) std::swap(t[0], t[1]);
    EXPECT_FALSE(convex_mesh(turned));
    shape::TriangleMesh twice = mesh_of_box;
    for (const Vec3& p : mesh_of_box.points) twice.points.push_back(p);
    for (const auto& [a, b, c] : mesh_of_box.triangles)
      twice.triangles.push_back({a + 8, b + 8, c + 8});
    EXPECT_FALSE(convex_mesh(twice));
  }
  EXPECT_TRUE(ConvexBody::of(round_mesh(7, 2, 0.7)));
  EXPECT_TRUE(ConvexBody::of(round_mesh(200, 2, 0.7)));
  EXPECT_FALSE(ConvexBody::of(round_mesh(12, 8, 0.7, 0.2)));
  EXPECT_FALSE(ConvexBody::of(round_mesh(201, 2, 0.7))) << "larger ones are judged by their trees";
}

}  // namespace
}  // namespace repose::check
