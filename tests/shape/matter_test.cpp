// What a closed surface makes of space: simple, cut by itself, or nested the wrong way.
#include "repose/shape/matter.h"

#include <numbers>

#include <gtest/gtest.h>

#include "repose/math/pose.h"
#include "repose/shape/make.h"

#include "src/shape/matter/self_meeting.h"

namespace repose::shape {
namespace {

/// Boxes as one mesh, turned inward where `inward`.
struct BoxAt {
  Vec3 size, middle;
  bool inward = false;
};
TriangleMesh boxes(const std::vector<BoxAt>& all, const Pose& pose = {}, double scale = 1.0) {
  TriangleMesh out;
  for (const BoxAt& box : all) {
    const int first = static_cast<int>(out.points.size());
    for (int i = 0; i < 8; ++i) {
      const Vec3 corner(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
      out.points.push_back(scale * (pose * Vec3(box.middle + corner.cwiseProduct(box.size))));
    }
    for (const auto& [a, b, c] : {std::array{0, 2, 3},
                                  {0, 3, 1},
                                  {4, 5, 7},
                                  {4, 7, 6},
                                  {0, 1, 5},
                                  {0, 5, 4},
                                  {2, 6, 7},
                                  {2, 7, 3},
                                  {0, 4, 6},
                                  {0, 6, 2},
                                  {1, 3, 7},
                                  {1, 7, 5}})
      out.triangles.push_back(box.inward ? std::array{first + a, first + c, first + b}
                                         : std::array{first + a, first + b, first + c});
  }
  return out;
}

Matter matter(const std::vector<BoxAt>& all, const Pose& pose, double scale) {
  const auto shape = make_mesh({boxes(all, pose, scale), false});
  EXPECT_TRUE(shape);
  return matter_of(**shape);
}

TEST(Matter, of_boxes_beside_and_within_one_another_is_told) {
  Random random(241);
  const Vec3 two = Vec3::Constant(2.0), one = Vec3::Constant(1.0), half = Vec3::Constant(0.5);
  for (const double scale : {1e-3, 1.0, 1e3})
    for (int k = 0; k < 6; ++k) {
      const Pose pose{random_direction(random), random_rotation(random)};
      EXPECT_TRUE(matter({{two, Vec3::Zero()}}, pose, scale).simple);
      EXPECT_TRUE(matter({{two, Vec3::Zero()}, {two, Vec3(3, 0.1, 0)}}, pose, scale).simple);
      EXPECT_TRUE(matter({{two, Vec3::Zero()}, {one, Vec3::Zero(), true}}, pose, scale).simple);
      EXPECT_TRUE(matter({{two, Vec3::Zero()}, {one, Vec3::Zero(), true}, {half, Vec3::Zero()}},
                         pose, scale)
                      .simple);
      // one in another the same way, and one through another
      const Matter nested = matter({{two, Vec3::Zero()}, {one, Vec3(0.1, 0, 0)}}, pose, scale);
      EXPECT_FALSE(nested.simple);
      EXPECT_NE(nested.why.find("counts twice"), std::string::npos) << nested.why;
      const Matter cut = matter({{two, Vec3::Zero()}, {two, Vec3(0.7, 0.6, 0.5)}}, pose, scale);
      EXPECT_FALSE(cut.simple);
      EXPECT_NE(cut.why.find("itself"), std::string::npos) << cut.why;
      EXPECT_FALSE(
          matter({{two, Vec3::Zero()}, {two, Vec3(1.99, 1.99, 1.99)}}, pose, scale).simple);
    }
  // along the axes, where edges meet edges and diagonals
  for (const Vec3& by : {Vec3(1, 1, 1), Vec3(0.5, 0.5, 0.5), Vec3(1, 0.5, 0.25), Vec3(2, 0.5, 0.5)})
    EXPECT_FALSE(matter({{two, Vec3::Zero()}, {two, by}}, Pose{}, 1.0).simple) << by.transpose();
}

TEST(Matter, triangles_meet_as_plain_formulas_say) {
  // points in general position: a side goes through the inside of the other triangle, or nothing
  Random random(242);
  const auto pierces = [](const Vec3& p, const Vec3& q, const std::array<Vec3, 3>& t) {
    using Long = long double;
    const auto volume = [](const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
      Long u[3], v[3], w[3];
      for (int k = 0; k < 3; ++k) {
        u[k] = Long(b[k]) - a[k];
        v[k] = Long(c[k]) - a[k];
        w[k] = Long(d[k]) - a[k];
      }
      return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
             u[2] * (v[0] * w[1] - v[1] * w[0]);
    };
    if ((volume(t[0], t[1], t[2], p) > 0) == (volume(t[0], t[1], t[2], q) > 0)) return false;
    const bool x = volume(p, q, t[0], t[1]) > 0, y = volume(p, q, t[1], t[2]) > 0,
               z = volume(p, q, t[2], t[0]) > 0;
    return x == y && y == z;
  };
  int crossing = 0, corner = 0;
  for (int k = 0; k < 4000; ++k) {
    TriangleMesh mesh;
    const bool joined = k % 2 == 1;
    for (int i = 0; i < (joined ? 5 : 6); ++i) mesh.points.push_back(random_direction(random));
    mesh.triangles = {{0, 1, 2}, joined ? std::array{0, 3, 4} : std::array{3, 4, 5}};
    const auto of = [&](int t) {
      const auto& c = mesh.triangles[static_cast<std::size_t>(t)];
      const auto at = [&](int i) { return mesh.points[static_cast<std::size_t>(i)]; };
      return std::array<Vec3, 3>{at(c[0]), at(c[1]), at(c[2])};
    };
    const auto a = of(0), b = of(1);
    bool truth = false;
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3;
      // sides at the common corner touch the other triangle there and nowhere else
      if (!joined || i == 1) truth = truth || pierces(a[i], a[j], b) || pierces(b[i], b[j], a);
    }
    const Meeting told = self_meeting(mesh).kind;
    EXPECT_EQ(told, truth ? Meeting::cross : Meeting::none) << k;
    crossing += truth && !joined;
    corner += truth && joined;
  }
  EXPECT_GT(crossing, 200);
  EXPECT_GT(corner, 50);
}

TEST(Matter, a_triangle_twice_is_one_area_the_same_way_round_and_two_sides_the_other) {
  TriangleMesh mesh;
  mesh.points = {Vec3(0.1, 0.2, 0.3), Vec3(1.0, 0.4, -0.2), Vec3(0.3, 1.1, 0.5)};
  const std::array<int, 3> once{0, 1, 2};
  for (const auto& again : {std::array{0, 1, 2}, {1, 2, 0}, {2, 0, 1}}) {
    mesh.triangles = {once, again};
    EXPECT_EQ(self_meeting(mesh).kind, Meeting::cross);
    mesh.triangles = {once, {again[1], again[0], again[2]}};
    EXPECT_EQ(self_meeting(mesh).kind, Meeting::touch);
  }
}

TEST(Matter, triangles_of_one_side_with_a_corner_on_the_plane_or_across_it_are_told) {
  // b's corners above, on and below a's plane in every order; the truth is plain to see
  TriangleMesh mesh;
  mesh.points = {Vec3(-1, -1, 0), Vec3(1, -1, 0), Vec3(0, 1, 0)};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  for (const double x : {-1.0, 0.0, 1.0})
    for (const double y : {-1.0, 0.0, 1.0})
      for (const double z : {-1.0, 0.0, 1.0}) {
        mesh.points.resize(3);
        for (const Vec3& p : {Vec3(0.1, 0, x), Vec3(0, 0.1, y), Vec3(-0.1, -0.1, z)})
          mesh.points.push_back(p);
        const bool above = std::min({x, y, z}) > 0.0, below = std::max({x, y, z}) < 0.0;
        const bool touch = std::min({x, y, z}) == 0.0 || std::max({x, y, z}) == 0.0;
        const bool flat = x == 0.0 && y == 0.0 && z == 0.0;  // counter-clockwise as the other
        EXPECT_EQ(self_meeting(mesh).kind, above || below ? Meeting::none
                                           : flat         ? Meeting::cross
                                           : touch        ? Meeting::touch
                                                          : Meeting::cross)
            << x << ' ' << y << ' ' << z;
      }
}

TEST(Matter, of_tubes_that_come_back_through_themselves_is_not_simple) {
  const auto tube = [](double lift, double scale) {
    TubeInput in;
    for (int k = 0; k < 24; ++k) {
      const double t = 2.0 * std::numbers::pi * k / 24;
      in.spine.emplace_back(scale *
                            Vec3(std::sin(t), std::sin(t) * std::cos(t), lift * std::cos(t)));
    }
    in.radii = {0.1 * scale};
    in.closed = true;
    return make_tube(in).value();
  };
  for (const double scale : {1e-3, 1.0, 1e3}) {
    EXPECT_FALSE(matter_of(*tube(0.0, scale)).simple);
    EXPECT_FALSE(matter_of(*tube(0.05, scale)).simple);
    // over and under it keeps clear of itself
    EXPECT_TRUE(matter_of(*tube(0.2, scale)).simple);
  }
}

TEST(Matter, of_plain_bodies_is_simple) {
  for (const auto& made :
       {make_ball({}), make_box({}), make_torus({}), make_cone({}), make_cylinder({}),
        make_capsule({}), make_ellipsoid({{1, 2, 3}}), make_superellipsoid({{1, 1, 1}, 0.3, 0.3}),
        make_revolution({{{0, -1}, {0.8, -0.5}, {0.3, 0.2}, {0.5, 1}}, {3}})}) {
    ASSERT_TRUE(made);
    const Matter m = matter_of(**made);
    EXPECT_TRUE(m.simple) << name_of((*made)->kind) << ' ' << m.why;
  }
}

TEST(Matter, of_turned_bodies_is_told_by_their_meridian) {
  const auto turned = [](const std::vector<Vec2>& profile, bool closed, double scale) {
    RevolutionInput in;
    for (std::size_t k = 0; k < profile.size(); ++k) {
      in.profile.push_back(scale * profile[k]);
      in.corners.push_back(static_cast<int>(k));
    }
    in.closed = closed;
    const auto shape = make_revolution(in);
    EXPECT_TRUE(shape);
    return matter_of(**shape);
  };
  for (const double scale : {1e-3, 1.0, 1e3}) {
    const Matter cup =
        turned({{0, 0}, {1, 0}, {1, 2}, {0.9, 2}, {0.9, 0.1}, {0, 0.1}}, false, scale);
    EXPECT_TRUE(cup.simple) << cup.why;
    EXPECT_EQ(cup.within, 0.0);  // of straight lines
    EXPECT_TRUE(turned({{1, 0}, {2, 0}, {2, 1}, {1.5, 0.2}, {1, 1}}, true, scale).simple);
    // the profile's last side but one goes through its first
    const Matter cut = turned({{1, 0}, {2, 0}, {2, 1}, {1.5, -0.2}, {1, 1}}, true, scale);
    EXPECT_FALSE(cut.simple);
    EXPECT_NE(cut.why.find("cuts itself"), std::string::npos) << cut.why;
  }
  // a smooth wall with a waist
  RevolutionInput bulb;
  bulb.profile = {{0, 0}, {1, 0.5}, {0.4, 1}, {1, 1.5}, {0, 2}};
  const auto smooth = make_revolution(bulb);
  ASSERT_TRUE(smooth);
  const Matter said = matter_of(**smooth);
  EXPECT_TRUE(said.simple) << said.why;
  EXPECT_GT(said.within, 0.0);
  EXPECT_LT(said.within, 1e-2);
}

}  // namespace
}  // namespace repose::shape
