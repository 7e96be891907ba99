// Contact sets: how many, where, along which normal, with which gap and curvature.
#include "repose/check/contacts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "repose/shape/make.h"

#include "check/shapes.h"

namespace repose::check {
namespace {

constexpr double kPi = std::numbers::pi;

struct Expected {
  Vec3 point, normal;
};

/// Within the hull of what is expected: edges also cross the diagonals of triangulated faces.
bool in_hull(const Vec3& p, const std::vector<Expected>& expected, const Pose& by) {
  Random random(110);
  for (int k = 0; k < 40; ++k) {
    const Vec3 d = random_direction(random);
    double top = -1e300;
    for (const Expected& e : expected) top = std::max(top, d.dot(by * e.point));
    if (d.dot(p) > top + 1e-5) return false;
  }
  return true;
}

/// The set found holds the set expected and otherwise points between those, in any order, also
/// changed round and elsewhere.
void expect_set(const PlacedBody& a, const PlacedBody& b, const std::vector<Expected>& expected,
                double gap, const char* what) {
  Random random(111);
  for (int k = 0; k < 4; ++k) {
    const Pose by = k < 2 ? Pose{} : Pose{2.0 * random_direction(random), random_rotation(random)};
    PlacedBody first = a, second = b;
    first.friction = 0.2;
    second.friction = 0.7;
    first.world_from_body = by * a.world_from_body;
    second.world_from_body = by * b.world_from_body;
    const bool round = k % 2 == 1;
    const auto found = round ? find_contacts(second, first) : find_contacts(first, second);
    EXPECT_GE(found.size(), expected.size()) << what << ' ' << k;
    EXPECT_LE(found.size(), expected.size() > 1 ? 2 * expected.size() : 1) << what << ' ' << k;
    for (const ContactPoint& c : found) EXPECT_TRUE(in_hull(c.point, expected, by)) << what;
    for (const Expected& e : expected) {
      const Vec3 p = by * e.point, n = by.turn(round ? Vec3(-e.normal) : e.normal);
      EXPECT_TRUE(std::any_of(found.begin(), found.end(),
                              [&](const ContactPoint& c) {
                                return (c.point - p).norm() < 1e-5 &&
                                       (c.normal_a_to_b - n).norm() < 1e-6;
                              }))
          << what << ' ' << k << ' ' << e.point.transpose();
    }
    for (const ContactPoint& c : found) {
      EXPECT_NEAR(c.gap, gap, 1e-11) << what;
      EXPECT_NEAR(c.normal_a_to_b.norm(), 1.0, 1e-12);
      EXPECT_EQ(c.friction, 0.2);
      // nothing bends along the normal
      EXPECT_LT((c.curvature_a * c.normal_a_to_b).norm(), 1e-6 * (1.0 + c.curvature_a.norm()));
      EXPECT_LT((c.curvature_b * c.normal_a_to_b).norm(), 1e-6 * (1.0 + c.curvature_b.norm()));
    }
  }
}

TEST(Contacts, a_box_on_the_ground_stands_on_its_four_corners) {
  for (const double gap : {0.0, 3e-7, -3e-7}) {
    const PlacedBody floor = at(ground(), Vec3(900, -700, 0)),
                     box = at(box_mesh(Vec3(1, 2, 3)), Vec3(0.2, 0.1, 1.5 + gap));
    expect_set(floor, box,
               {{Vec3(0.7, 1.1, gap), Vec3::UnitZ()},
                {Vec3(0.7, -0.9, gap), Vec3::UnitZ()},
                {Vec3(-0.3, 1.1, gap), Vec3::UnitZ()},
                {Vec3(-0.3, -0.9, gap), Vec3::UnitZ()}},
               gap, "box on ground");
  }
}

TEST(Contacts, boxes_that_overhang_each_other_touch_at_corners_and_crossing_edges) {
  const PlacedBody low = at(box_mesh(Vec3(2, 2, 1)), Vec3(0, 0, -0.5)),
                   high = at(box_mesh(Vec3(1, 3, 1)), Vec3(0.8, 0, 0.5));
  // the shared rectangle [0.3, 1] x [-1, 1]: low's two corners and two crossings of edges
  expect_set(low, high,
             {{Vec3(1, 1, 0), Vec3::UnitZ()},
              {Vec3(1, -1, 0), Vec3::UnitZ()},
              {Vec3(0.3, 1, 0), Vec3::UnitZ()},
              {Vec3(0.3, -1, 0), Vec3::UnitZ()}},
             0.0, "overhang");
  // wholly on it: its own four corners
  const PlacedBody small = at(box_mesh(Vec3(0.5, 0.5, 0.5)), Vec3(0.1, 0.2, 0.25),
                              rotation_from_vector(Vec3(0, 0, 0.3)));
  std::vector<Expected> own;
  for (const double x : {-0.25, 0.25})
    for (const double y : {-0.25, 0.25})
      own.push_back({small.world_from_body * Vec3(x, y, -0.25), Vec3::UnitZ()});
  expect_set(low, small, own, 0.0, "small on large");
  EXPECT_TRUE(find_contacts(low, at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, 0.5 + 1e-5))).empty());
}

TEST(Contacts, edges_that_cross_touch_at_one_point) {
  // two cubes on edge, crosswise: upper edge of one along y, lower edge of the other along x
  const double up = std::sqrt(0.5);
  const PlacedBody low =
      at(box_mesh(Vec3(1, 1, 1)), Vec3(0.1, 0.2, -up), rotation_from_vector(Vec3(0, kPi / 4, 0)));
  const PlacedBody high = at(box_mesh(Vec3(1, 1, 1)), Vec3(0.3, 0.1, up + 2e-7),
                             rotation_from_vector(Vec3(kPi / 4, 0, 0)));
  expect_set(low, high, {{Vec3(0.1, 0.1, 1e-7), Vec3::UnitZ()}}, 2e-7, "edges");
  const auto found = find_contacts(low, high);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found[0].curvature_a(0, 0), 1e3);
  EXPECT_GT(found[0].curvature_b(1, 1), 1e3);
}

TEST(Contacts, a_corner_on_a_face_is_sharp_and_the_face_flat) {
  const Quat tipped = rotation_between(Vec3(1, 1, 1), -Vec3::UnitZ());
  const PlacedBody low = at(box_mesh(Vec3(4, 4, 1)), Vec3(0, 0, -0.5)),
                   cube = at(box_mesh(Vec3(1, 1, 1)), Vec3(0.3, 0.2, std::sqrt(0.75)), tipped);
  expect_set(low, cube, {{Vec3(0.3, 0.2, 0), Vec3::UnitZ()}}, 0.0, "corner");
  const auto found = find_contacts(low, cube);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT(found[0].curvature_a.norm(), 1e-9);
  // 1e4 over the smaller size, in both directions of the tangent plane
  const double sharp = 1e4 / std::sqrt(3.0);
  EXPECT_NEAR(found[0].curvature_b(0, 0), sharp, 1e-2 * sharp);
  EXPECT_NEAR(found[0].curvature_b(1, 1), sharp, 1e-2 * sharp);
  EXPECT_NEAR(found[0].curvature_b(0, 1), 0.0, 1e-2 * sharp);
}

TEST(Contacts, smooth_bodies_touch_once_with_their_principal_curvatures) {
  Random random(112);
  for (int k = 0; k < 3; ++k) {
    const double turn = random.between(0, 3);
    const Mat3 r = rotation_from_vector(Vec3(0, 0, turn)).toRotationMatrix();
    const PlacedBody low = at(ellipsoid(Vec3(1.5, 1.0, 0.8)), Vec3(0, 0, -0.8)),
                     high = at(ellipsoid(Vec3(0.7, 0.9, 0.5)), Vec3(0, 0, 0.5),
                               rotation_from_vector(Vec3(0, 0, turn)));
    expect_set(low, high, {{Vec3::Zero(), Vec3::UnitZ()}}, 0.0, "ellipsoids");
    const auto found = find_contacts(low, high);
    ASSERT_EQ(found.size(), 1u);
    const Vec3 ka(0.8 / 2.25, 0.8 / 1.0, 0), kb(0.5 / 0.49, 0.5 / 0.81, 0);
    EXPECT_LT((found[0].curvature_a - Mat3(ka.asDiagonal())).norm(), 2e-2);
    EXPECT_LT((found[0].curvature_b - r * Mat3(kb.asDiagonal()) * r.transpose()).norm(), 2e-2);
  }
  // inside a bowl the curvature is the other way
  const PlacedBody ring = at(torus(1.0, 0.25), Vec3::Zero()),
                   inside = at(ball(0.6), Vec3(0.15, 0, 0));
  const auto found = find_contacts(ring, inside);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_LT((found[0].point - Vec3(0.75, 0, 0)).norm(), 1e-6);
  EXPECT_LT((found[0].normal_a_to_b + Vec3::UnitX()).norm(), 1e-6);
  EXPECT_NEAR(found[0].curvature_a(2, 2), 4.0, 0.1);
  EXPECT_NEAR(found[0].curvature_a(1, 1), -1.0 / 0.75, 0.1);
  EXPECT_NEAR(found[0].curvature_b(1, 1), 1.0 / 0.6, 1e-9);
  EXPECT_NEAR(found[0].curvature_b(2, 2), 1.0 / 0.6, 1e-9);
}

TEST(Contacts, a_ball_touches_faces_edges_and_surfaces_at_one_point) {
  const PlacedBody box = at(box_mesh(Vec3(2, 2, 2)), Vec3(0, 0, -1));
  for (const double gap : {0.0, 4e-7}) {
    expect_set(box, at(ball(0.5), Vec3(0.3, 0.2, 0.5 + gap)),
               {{Vec3(0.3, 0.2, gap), Vec3::UnitZ()}}, gap, "on face");
    const Vec3 n = Vec3(1, 0, 1).normalized();
    expect_set(box, at(ball(0.5), Vec3(1, 0.3, 0) + (0.5 + gap) * n), {{Vec3(1, 0.3, 0), n}}, gap,
               "on edge");
    const Vec3 c = Vec3(1, 1, 1).normalized();
    expect_set(box, at(ball(0.5), Vec3(1, 1, 0) + (0.5 + gap) * c), {{Vec3(1, 1, 0), c}}, gap,
               "on corner");
  }
  const auto face = find_contacts(box, at(ball(0.5), Vec3(0.3, 0.2, 0.5)));
  ASSERT_EQ(face.size(), 1u);
  EXPECT_LT(face[0].curvature_a.norm(), 1e-9);
  EXPECT_LT((face[0].curvature_b - Mat3(Vec3(2, 2, 0).asDiagonal())).norm(), 1e-9);
  const auto edge =
      find_contacts(at(ball(0.5), Vec3(1, 0.3, 0) + 0.5 * Vec3(1, 0, 1).normalized()), box);
  ASSERT_EQ(edge.size(), 1u);
  EXPECT_GT(edge[0].curvature_b.norm(), 1e2);
  // closed forms
  expect_set(at(ball(1.0), Vec3::Zero()), at(ball(0.5), Vec3(0, 0, 1.5)),
             {{Vec3(0, 0, 1), Vec3::UnitZ()}}, 0.0, "balls");
  const auto two = find_contacts(at(ball(1.0), Vec3::Zero()), at(ball(0.5), Vec3(0, 0, 1.5)));
  EXPECT_LT((two[0].curvature_a - Mat3(Vec3(1, 1, 0).asDiagonal())).norm(), 1e-9);
  EXPECT_LT((two[0].curvature_b - Mat3(Vec3(2, 2, 0).asDiagonal())).norm(), 1e-9);
  EXPECT_TRUE(
      find_contacts(at(ball(1.0), Vec3::Zero()), at(ball(0.5), Vec3(0, 0, 1.5 + 2e-6))).empty());
}

TEST(Contacts, a_block_stands_in_a_ring_on_its_four_corners) {
  const PlacedBody ring = at(torus(1.0, 0.25), Vec3::Zero());
  Random random(113);
  for (int k = 0; k < 6; ++k) {
    // corners at the distance rho from the axis, on the side of the tube that faces up and inwards
    const double rho = random.between(0.8, 0.95), split = random.between(0.5, 1.0);
    const double z = std::sqrt(0.0625 - (1.0 - rho) * (1.0 - rho));
    const Vec3 size(2.0 * rho * std::cos(split), 2.0 * rho * std::sin(split), 0.7);
    const Quat turn = rotation_from_vector(Vec3(0, 0, random.between(0, 3)));
    std::vector<Expected> corners;
    for (const double sx : {-0.5, 0.5})
      for (const double sy : {-0.5, 0.5}) {
        const Vec3 out = turn * Vec3(sx * size.x() / rho, sy * size.y() / rho, 0.0);
        corners.push_back(
            {rho * out + Vec3(0, 0, z), ((rho - 1.0) * out + Vec3(0, 0, z)).normalized()});
      }
    expect_set(ring, at(box_mesh(size), Vec3(0, 0, z + 0.35), turn), corners, 0.0, "block");
  }
}

TEST(Contacts, a_cylinder_touches_along_its_line_and_round_its_rim) {
  const PlacedBody floor = at(ground(), Vec3(20, 10, 0));
  const double r = 0.5, h = 1.5;
  // lying: a line of contacts, from end to end
  const PlacedBody lying =
      at(cylinder(r, h), Vec3(0.1, 0.2, r), rotation_from_vector(Vec3(0, kPi / 2, 0)));
  const auto line = find_contacts(floor, lying);
  ASSERT_GE(line.size(), 5u);
  double low = 1e9, high = -1e9;
  for (const ContactPoint& c : line) {
    EXPECT_NEAR(c.point.y(), 0.2, 1e-4);
    EXPECT_NEAR(c.point.z(), 0.0, 1e-6);
    EXPECT_LT((c.normal_a_to_b - Vec3::UnitZ()).norm(), 1e-4);
    EXPECT_NEAR(c.gap, 0.0, 1e-8);
    low = std::min(low, c.point.x());
    high = std::max(high, c.point.x());
  }
  EXPECT_NEAR(low, 0.1 - 0.75, 0.05);
  EXPECT_NEAR(high, 0.1 + 0.75, 0.05);
  // standing: all round the rim and over the face
  const auto area = find_contacts(floor, at(cylinder(r, h), Vec3(0.1, 0.2, 0.75)));
  ASSERT_GE(area.size(), 12u);
  double far = 0.0, widest_gap = 0.0;
  std::vector<double> turns;
  for (const ContactPoint& c : area) {
    EXPECT_LT((c.normal_a_to_b - Vec3::UnitZ()).norm(), 1e-6);
    const Vec2 p = c.point.head<2>() - Vec2(0.1, 0.2);
    far = std::max(far, p.norm());
    if (p.norm() > 0.9 * r) turns.push_back(std::atan2(p.y(), p.x()));
  }
  EXPECT_NEAR(far, r, 0.02 * r);
  ASSERT_GE(turns.size(), 6u);
  std::sort(turns.begin(), turns.end());
  for (std::size_t k = 0; k + 1 < turns.size(); ++k)
    widest_gap = std::max(widest_gap, turns[k + 1] - turns[k]);
  EXPECT_LT(widest_gap, 1.2);
  // finer: more of them, and never nearer to each other than asked
  ContactSettings fine;
  fine.merge = 1e-2;
  const auto more = find_contacts(floor, lying, fine);
  EXPECT_GT(more.size(), line.size());
  const double apart = 0.99 * 2e-2 * 2.0 * std::hypot(r, 0.75);
  for (std::size_t i = 0; i < line.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_GT((line[i].point - line[j].point).norm(), apart);
}

TEST(Contacts, a_rim_that_leans_by_less_than_it_touches_is_found_all_round) {
  const PlacedBody floor = at(ground(), Vec3(20, 10, 0));
  ContactSettings coarse;
  coarse.merge = 5e-2;
  Random random(114);
  for (int k = 0; k < 8; ++k) {
    const double turn = random.between(0, 6);
    const Vec3 lean = 1e-8 * Vec3(std::cos(turn), std::sin(turn), 0.0);
    const auto rim = find_contacts(
        floor, at(torus(0.5, 0.1), Vec3(0, 0, 0.1), rotation_from_vector(lean)), coarse);
    for (int j = 0; j < 64; ++j) {
      const Vec3 there = 0.5 * Vec3(std::cos(kPi * j / 32), std::sin(kPi * j / 32), 0.0);
      EXPECT_TRUE(
          std::any_of(rim.begin(), rim.end(),
                      [&](const ContactPoint& c) { return (c.point - there).norm() < 0.11; }))
          << k << ' ' << j;
    }
  }
}

TEST(Contacts, corners_whose_face_dips_into_the_ground_are_none) {
  for (const double tilt : {1e-2, 1e-5}) {
    // two corners on the ground, the other two below it
    PlacedBody box =
        at(box_mesh(Vec3(1, 1, 1)), Vec3::Zero(), rotation_from_vector(Vec3(0, tilt, 0)));
    box.world_from_body.position.z() = -(box.world_from_body * Vec3(-0.5, 0, -0.5)).z();
    EXPECT_EQ(find_contacts(at(ground(), Vec3::Zero()), box).size(), tilt > 1e-3 ? 0u : 2u) << tilt;
    EXPECT_EQ(find_contacts(box, at(ground(), Vec3::Zero())).size(), tilt > 1e-3 ? 0u : 2u) << tilt;
  }
}

TEST(Contacts, squares_turned_a_little_share_an_octagon) {
  const PlacedBody low = at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, -0.5));
  for (const double turn : {0.4, 5e-3}) {
    const PlacedBody high =
        at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, 0.5), rotation_from_vector(Vec3(0, 0, turn)));
    std::vector<Expected> octagon;
    for (int k = 0; k < 8; ++k) {
      // where the sides at distance 1/2 from the middle meet those turned by `turn`
      const double middle = 0.5 * turn + kPi / 4 * k;
      const double half = k % 2 ? 0.5 * (kPi / 2 - turn) : 0.5 * turn;
      octagon.push_back(
          {0.5 / std::cos(half) * Vec3(std::cos(middle), std::sin(middle), 0), Vec3::UnitZ()});
    }
    expect_set(low, high, octagon, 0.0, "octagon");
  }
}

TEST(Contacts, squares_turned_less_than_can_be_told_share_their_corners_alone) {
  // a board's long sides along those of a narrower one: no crossing in between is told
  const PlacedBody low = at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, -0.5));
  for (const double turn : {0.0, 1e-9, 1e-8, 1e-7}) {
    const PlacedBody high =
        at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, 0.5), rotation_from_vector(Vec3(0, 0, turn)));
    for (const ContactPoint& c : find_contacts(low, high)) {
      EXPECT_LT((c.point.cwiseAbs() - Vec3(0.5, 0.5, 0)).norm(), 1e-6)
          << turn << ": " << c.point.transpose();
      EXPECT_LT((c.normal_a_to_b - Vec3::UnitZ()).norm(), 1e-9);
    }
    EXPECT_EQ(find_contacts(low, high).size(), 4u) << turn;
    EXPECT_EQ(find_contacts(high, low).size(), 4u) << turn;
  }
}

TEST(Contacts, a_ring_tilted_over_the_edge_of_a_box_touches_where_its_gap_is_least) {
  const PlacedBody box = at(box_mesh(Vec3(4.4, 2.8, 2.0)), Vec3::Zero());
  for (const double tilt : {0.3, 0.5, 0.7})
    for (const double aside : {0.0, 0.6, 1.2}) {
      const Quat q =
          rotation_from_vector(Vec3(0, 0, 0.1)) * rotation_from_vector(Vec3(-tilt, 0, 0));
      PlacedBody ring = at(torus(1.8, 0.8), Vec3(0.3, 1.4 + aside, 3.0), q);
      GapBracket g = gap(box, ring);
      for (int k = 0; k < 30 && std::fabs(g.upper - 2e-7) > 1e-8; ++k) {
        ring.world_from_body.position -= (g.upper - 2e-7) * g.normal_a_to_b;
        g = gap(box, ring);
      }
      const auto found = find_contacts(box, ring);
      ASSERT_EQ(found.size(), 1u) << tilt << " " << aside;
      EXPECT_LT((found[0].point - g.point_a).norm(), 1e-3);
      EXPECT_GT(found[0].normal_a_to_b.dot(g.normal_a_to_b), 1.0 - 1e-6);
    }
}

TEST(Contacts, a_ring_on_a_cone_tilted_next_to_nothing_touches_all_around) {
  // the gap changes so little along the circle that nearest points slide to its one lowest place
  const PlacedBody hat = at(shape::make_cone({0.12, 0.25, 0.0}).value(), Vec3::Zero());
  const Quat tilted = Quat(-0.40014005179769185, 9.3205509725232891e-06, 1.6574708468113465e-06,
                           0.91645400258699328);
  const PlacedBody ring = at(
      torus(0.08, 0.025), Vec3(6.1216497040013394e-07, 4.0787988415536964e-07, 0.14110610082763125),
      tilted.normalized());
  std::array<int, 8> sectors{};
  for (const ContactPoint& c : find_contacts(hat, ring)) {
    EXPECT_LE(c.gap, 1e-6 * 0.21);
    const double angle = std::atan2(c.point.y(), c.point.x()) + kPi;
    ++sectors[static_cast<std::size_t>(angle / (2.0 * kPi) * 8.0) % 8];
  }
  for (const int found : sectors) EXPECT_GE(found, 1);
}

TEST(Contacts, what_does_not_collide_has_none) {
  PlacedBody a = at(box_mesh(Vec3(1, 1, 1)), Vec3::Zero()),
             b = at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, 1));
  EXPECT_EQ(find_contacts(a, b).size(), 4u);
  a.collides = false;
  EXPECT_TRUE(find_contacts(a, b).empty());
  a.collides = true;
  b.collides = false;
  EXPECT_TRUE(find_contacts(a, b).empty());
  // ground on ground
  EXPECT_TRUE(find_contacts(at(ground(), Vec3::Zero()), at(ground(), Vec3::Zero())).empty());
}

TEST(Contacts, a_ledge_is_no_contact_where_the_bodies_part) {
  // an edge of the upper block lies on the lower one's face, tilted up: two corners, no more
  const double tilt = 0.2;
  const Quat q = rotation_from_vector(Vec3(0, -tilt, 0));
  const Vec3 low_corner = q * Vec3(-0.5, 0, -0.5);
  const PlacedBody low = at(box_mesh(Vec3(4, 4, 1)), Vec3(0, 0, -0.5)),
                   high = at(box_mesh(Vec3(1, 1, 1)), Vec3(0, 0, -low_corner.z()), q);
  expect_set(low, high,
             {{Vec3(low_corner.x(), 0.5, 0), Vec3::UnitZ()},
              {Vec3(low_corner.x(), -0.5, 0), Vec3::UnitZ()}},
             0.0, "edge on face");
}

TEST(Contacts, of_rings_and_capsules_on_curved_bodies_end_at_the_touching_distance) {
  // about one axis: the ring over an ellipsoid's shoulder touches all round, the capsule's end its
  // top
  Random random(112);
  const auto egg = shape::make_ellipsoid({Vec3(0.8, 0.8, 1.0)}).value();
  const auto capsule = shape::make_capsule({0.3, 0.8}).value();
  const auto ring = shape::make_torus({1.0, 0.3}).value();
  for (const double gap : {-5e-7, 5e-7, 2e-6, 1e-5, 1e-4}) {
    const Pose by{2.0 * random_direction(random), random_rotation(random)};
    const auto placed = [&](const shape::ShapePtr& shape, const Vec3& p) {
      PlacedBody body = at(shape, p);
      body.world_from_body = by * body.world_from_body;
      return body;
    };
    const double touch = 1e-6;  // of the smaller body's size
    // tip on tip
    const double size = 2.0 * 0.7;
    EXPECT_EQ(
        !find_contacts(placed(egg, Vec3::Zero()), placed(capsule, Vec3(0, 0, 1.7 + gap * size)))
             .empty(),
        gap <= touch)
        << gap;
    // beside the ring, outermost on outermost
    EXPECT_EQ(!find_contacts(placed(ring, Vec3::Zero()), placed(egg, Vec3(2.1 + gap * 2.0, 0, 0)))
                   .empty(),
              gap <= touch)
        << gap;
  }
}

TEST(Contacts, of_a_capsule_on_two_balls_of_one_body_are_those_that_touch) {
  Random random(113);
  const auto capsule = shape::make_capsule({0.3, 6.0}).value();
  for (const double lower : {0.0, 5e-7, 1.05e-6, 1.3e-6, 4e-6, 3e-5, 2e-4}) {
    const double size = 6.0;  // of the balls' body
    const auto balls =
        shape::make_union(
            {{{shape::make_ball({1.0}).value(), {Vec3(-2, 0, 0), Quat::Identity()}},
              {shape::make_ball({1.0}).value(), {Vec3(2, 0, -lower * size), Quat::Identity()}}}})
            .value();
    for (int k = 0; k < 3; ++k) {
      const Pose by{2.0 * random_direction(random), random_rotation(random)};
      PlacedBody low = at(balls, Vec3::Zero()),
                 high = at(capsule, Vec3(0, 0, 1.3),
                           rotation_from_vector(Vec3(0, 0.5 * std::numbers::pi, 0)));
      low.world_from_body = by * low.world_from_body;
      high.world_from_body = by * high.world_from_body;
      EXPECT_EQ(find_contacts(low, high).size(), lower < 1e-6 ? 2u : 1u) << lower;
      EXPECT_EQ(find_contacts(high, low).size(), lower < 1e-6 ? 2u : 1u) << lower;
    }
  }
}

}  // namespace
}  // namespace repose::check
