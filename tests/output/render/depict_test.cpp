#include "repose/render/depict.h"

#include <gtest/gtest.h>

#include "output/render/scenes.h"

namespace repose::render {
namespace {

shape::ShapePtr ball(double radius) {
  auto shape = std::make_shared<shape::Shape>();
  shape->kind = shape::ShapeKind::ball;
  shape->geometry = shape::Ball{radius};
  shape->bounding_radius = radius;
  return shape;
}

shape::ShapePtr ground() {
  auto shape = std::make_shared<shape::Shape>();
  shape->kind = shape::ShapeKind::half_space;
  shape->geometry = shape::HalfSpace{};
  shape->bounding_radius = std::numeric_limits<double>::infinity();
  return shape;
}

struct Scenery {
  Problem problem;
  State state;

  void add(const std::string& name, shape::ShapePtr shape, const Pose& pose, bool fixed = false) {
    Body body;
    body.name = name;
    body.shape = std::move(shape);
    body.fixed = fixed;
    problem.bodies.push_back(body);
    BodyState placed;
    placed.world_from_body = pose;
    state.bodies.push_back(placed);
  }
};

Scenery two_balls_on_the_ground() {
  Scenery s;
  s.add("ground", ground(), {Vec3(3.0, 4.0, -0.25), Quat::Identity()}, true);
  const auto shape = ball(0.5);
  s.add("left", shape, {Vec3(0.0, 0.0, 0.25), Quat::Identity()});
  s.add("right", shape, {Vec3(1.0, 0.0, 0.25), Quat::Identity()});
  Contact contact;
  contact.body_a = 1;
  contact.body_b = 2;
  contact.point_world = Vec3(0.5, 0.0, 0.25);
  contact.normal_a_to_b = Vec3::UnitX();
  contact.force_on_b = Vec3(2.0, 0.0, 0.0);
  s.state.contacts.push_back(contact);
  return s;
}

TEST(Depict, rods_and_springs_are_drawn_from_body_to_body_and_their_ends_are_in_the_picture) {
  Scenery s = two_balls_on_the_ground();
  const std::size_t bodies = depict(s.problem, s.state, {}).items.size();
  Joint rod;
  rod.kind = JointKind::rod;
  rod.body_a = "left";
  rod.point_b = Vec3(0.0, 0.0, 4.0);
  Joint pin = rod;
  pin.kind = JointKind::pin;
  s.problem.joints = {rod, pin};
  Force spring;
  spring.kind = ForceKind::spring;
  spring.body_a = "left";
  spring.body_b = "right";
  s.problem.forces = {spring};
  DepictSettings settings;
  settings.spans = spans_of(s.problem);
  ASSERT_EQ(settings.spans.size(), 2U);
  const Picture picture = depict(s.problem, s.state, settings);
  ASSERT_EQ(picture.items.size(), bodies + 2);
  Eigen::AlignedBox3f rod_box, spring_box;
  for (const auto& point : picture.items[bodies].mesh->points) rod_box.extend(point);
  for (const auto& point : picture.items[bodies + 1].mesh->points) spring_box.extend(point);
  EXPECT_NEAR(rod_box.min().z(), 0.25F, 0.02F);
  EXPECT_NEAR(rod_box.max().z(), 4.0F, 0.02F);
  EXPECT_NEAR(spring_box.min().x(), 0.0F, 0.02F);
  EXPECT_NEAR(spring_box.max().x(), 1.0F, 0.02F);
  EXPECT_TRUE(picture.items[bodies].frames);
}

TEST(Depict, machines_of_the_plane_are_drawn_from_in_front_with_outlines_pins_and_motors) {
  Scenery s;
  s.add("crank", ball(0.5), {Vec3(1.0, 2.0, 0.0), Quat::Identity()});
  s.add("rod", ball(0.5), {Vec3(2.0, 2.0, 0.5), Quat::Identity()});
  Joint pin;
  pin.kind = JointKind::pin;
  pin.body_a = "crank";
  pin.body_b = "rod";
  pin.point_a = Vec3(0.25, 0.0, 0.0);
  Joint motor = pin;
  motor.kind = JointKind::motor;
  Joint gone = pin;
  gone.body_a = "taken away";
  s.problem.joints = {pin, motor, gone};
  Force push;
  push.body_a = "rod";
  push.vector = Vec3(0.0, 3.0, 0.0);
  s.problem.forces = {push};
  DepictSettings settings;
  settings.gravity = Vec3(0.0, -9.81, 0.0);
  settings.signs = signs_of(s.problem);
  ASSERT_EQ(settings.signs.size(), 4U);
  EXPECT_EQ(settings.signs[3].kind, SignKind::push);
  EXPECT_EQ(depict(s.problem, s.state, settings).items.size(), 2U) << "in space: no signs";

  settings.board = true;
  const Picture picture = depict(s.problem, s.state, settings);
  const Vec3 back = (picture.camera.eye - picture.camera.target).normalized();
  EXPECT_NEAR(back.z(), 1.0, 1e-9);
  EXPECT_NEAR(picture.camera.up.y(), 1.0, 1e-9);
  ASSERT_TRUE(picture.floor);
  EXPECT_EQ(picture.floor->normal, Vec3::UnitZ()) << "paper behind the bodies, no ground below";
  EXPECT_LT(picture.floor->point.z(), -0.5);
  // two bodies, two outlines, three things for each pin and motor, an arrow, the grid
  ASSERT_EQ(picture.items.size(), 12U);
  const Item& sign = picture.items[4];
  EXPECT_NEAR(sign.world_from_item.position.x(), 1.25, 1e-9);
  EXPECT_GT(sign.world_from_item.position.z(), 1.0) << "in front of all bodies";
}

TEST(Depict, a_rod_or_spring_that_ends_in_what_is_fixed_shows_a_pin_there) {
  Scenery s;
  s.add("post", ball(0.5), {});
  s.add("bob", ball(0.5), {Vec3(2.0, 0.0, 0.0), Quat::Identity()});
  s.problem.bodies[0].fixed = true;
  Joint rod;
  rod.kind = JointKind::rod;
  rod.body_a = "bob";
  rod.point_b = Vec3(0.0, 3.0, 0.0);  // of the world
  Joint between = rod;
  between.body_b = "post";
  Force spring;
  spring.kind = ForceKind::spring;
  spring.body_a = spring.body_b = "bob";
  s.problem.joints = {rod, between};
  s.problem.forces = {spring};
  const std::vector<Sign> signs = signs_of(s.problem);
  ASSERT_EQ(signs.size(), 2U) << "none at ends that move";
  EXPECT_EQ(signs[0].kind, SignKind::pin);
  EXPECT_EQ(signs[0].body, "");
  EXPECT_EQ(signs[0].point, rod.point_b);
  EXPECT_EQ(signs[1].body, "post");
}

TEST(Depict, a_low_row_is_seen_along_unless_a_heading_is_asked_for) {
  Scenery s;
  for (int i = 0; i < 6; ++i)
    s.add("ball " + std::to_string(i), ball(0.4), {Vec3(i, 0.0, 0.0), Quat::Identity()});
  DepictSettings settings;
  const auto nearness = [&] {
    const Camera camera = depict(s.problem, s.state, settings).camera;
    return 1.0 / (camera.eye - Vec3(2.5, 0.0, 0.0)).norm();
  };
  const double asked = nearness();
  settings.free_heading = true;
  EXPECT_GT(nearness(), 1.2 * asked) << "bodies look larger";
}

TEST(Depict, what_lies_in_a_bowl_is_seen_from_above_unless_an_elevation_is_asked_for) {
  Scenery s;
  shape::TriangleMesh sides{{{-1, -1, -1}, {1, -1, -1}, {1, 1, 1}, {-1, 1, 1}}, {}};
  sides.triangles = {{0, 1, 2}, {0, 2, 3}};
  auto bowl = std::make_shared<shape::Shape>();
  bowl->kind = shape::ShapeKind::mesh;
  bowl->geometry = sides;
  s.add("bowl", bowl, {});
  for (int i = 0; i < 4; ++i)
    s.add("ball " + std::to_string(i), ball(0.1), {Vec3(0.1 * i, 0.0, 0.0), Quat::Identity()});
  DepictSettings settings;
  const auto height = [&] {
    const Camera camera = depict(s.problem, s.state, settings).camera;
    return (camera.eye - camera.target).normalized().z();
  };
  const double asked = height();
  settings.free_elevation = true;
  EXPECT_GT(height(), 1.5 * asked);
  for (std::size_t i = 1; i < s.state.bodies.size(); ++i)
    s.state.bodies[i].world_from_body.position.z() += 2.0;
  EXPECT_NEAR(height(), asked, 1e-9) << "nothing lies in it";
}

TEST(Depict, the_ground_becomes_the_floor_and_not_an_item) {
  const Scenery s = two_balls_on_the_ground();
  const Picture picture = depict(s.problem, s.state, {});
  EXPECT_EQ(picture.items.size(), 2U);
  ASSERT_TRUE(picture.floor);
  EXPECT_EQ(picture.floor->point.z(), -0.25);
  EXPECT_EQ(picture.floor->normal, Vec3::UnitZ());
}

TEST(Depict, without_ground_the_floor_lies_under_the_lowest_body) {
  Scenery s;
  s.add("a", ball(0.5), {Vec3(0.0, 0.0, 3.0), Quat::Identity()});
  s.add("b", ball(0.25), {Vec3(1.0, 0.0, 3.5), Quat::Identity()});
  const Picture picture = depict(s.problem, s.state, {});
  ASSERT_TRUE(picture.floor);
  EXPECT_NEAR(picture.floor->point.z(), 2.5, 1e-12);
}

TEST(Depict, gravity_says_which_way_is_up) {
  const Scenery s = two_balls_on_the_ground();
  DepictSettings settings;
  settings.gravity = Vec3(0.0, -9.81, 0.0);
  const Picture picture = depict(s.problem, s.state, settings);
  EXPECT_GT(picture.camera.up.y(), 0.8);
  EXPECT_GT((picture.camera.eye - picture.camera.target).z(), 0.0) << "seen from in front";
}

TEST(Depict, contacts_and_forces_show_only_when_asked_for) {
  const Scenery s = two_balls_on_the_ground();
  EXPECT_TRUE(depict(s.problem, s.state, {}).markers.empty());
  DepictSettings settings;
  settings.contacts = true;
  ASSERT_EQ(depict(s.problem, s.state, settings).markers.size(), 1U);
  EXPECT_EQ(depict(s.problem, s.state, settings).markers[0].from, Vec3(0.5, 0.0, 0.25));
  settings.forces = true;
  const Picture picture = depict(s.problem, s.state, settings);
  ASSERT_EQ(picture.markers.size(), 2U);
  const Vec3 arrow = picture.markers[1].to - picture.markers[1].from;
  EXPECT_NEAR(arrow.normalized().x(), 1.0, 1e-12) << "along the force on b";
}

TEST(Depict, bodies_without_a_colour_differ_and_named_colours_stay) {
  Scenery s = two_balls_on_the_ground();
  Picture picture = depict(s.problem, s.state, {});
  EXPECT_NE(picture.items[0].look.color, picture.items[1].look.color);
  s.problem.bodies[1].material.color = {0.25, 0.5, 0.125};
  picture = depict(s.problem, s.state, {});
  EXPECT_EQ(picture.items[0].look.color, (Color{0.25F, 0.5F, 0.125F}));
}

TEST(Depict, bricks_of_one_colour_differ_in_tone_and_stay_the_same_from_frame_to_frame) {
  shape::TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}};
  auto shape = std::make_shared<shape::Shape>();
  shape->geometry = mesh;
  Scenery s;
  for (int i = 0; i < 2; ++i) {
    s.add("brick" + std::to_string(i), shape, {Vec3(i, 0.0, 0.0), Quat::Identity()});
    s.problem.bodies.back().material.color = {0.5, 0.25, 0.125};
  }
  const Picture picture = depict(s.problem, s.state, {});
  EXPECT_NE(picture.items[0].look.color, picture.items[1].look.color);
  EXPECT_NEAR(picture.items[0].look.color[0], 0.45, 0.06);
  EXPECT_EQ(depict(s.problem, s.state, {}).items[0].look.color, picture.items[0].look.color);
}

TEST(Depict, highlighted_bodies_glow) {
  const Scenery s = two_balls_on_the_ground();
  DepictSettings settings;
  settings.highlight = {"right"};
  const Picture picture = depict(s.problem, s.state, settings);
  EXPECT_EQ(picture.items[0].look.glow, 0.0F);
  EXPECT_EQ(picture.items[1].look.glow, 1.0F);
}

TEST(Depict, soft_bodies_stand_where_their_points_are) {
  auto shape = std::make_shared<shape::Shape>();
  shape->geometry = shape::SphereSet{{Vec3::Zero(), Vec3::UnitX()}, {0.5, 0.25}, {}};
  Scenery s;
  s.add("soft", shape, {});
  EXPECT_EQ(depict(s.problem, s.state, {}).items[1].world_from_item.position, Vec3::UnitX());
  s.state.bodies[0].soft.positions = {Vec3(1.0, 2.0, 3.0), Vec3(4.0, 5.0, 6.0)};
  const Picture picture = depict(s.problem, s.state, {});
  ASSERT_EQ(picture.items.size(), 2U);
  EXPECT_EQ(picture.items[1].world_from_item.position, Vec3(4.0, 5.0, 6.0));
  EXPECT_EQ(picture.items[1].radius, 0.25);
}

TEST(Depict, walls_with_their_back_to_the_camera_are_left_out) {
  Scenery s = two_balls_on_the_ground();
  const auto facing = [](const Vec3& normal) { return rotation_between(Vec3::UnitZ(), normal); };
  s.add("front", ground(), {Vec3(0.0, -2.0, 0.0), facing(Vec3::UnitY())}, true);
  s.add("back", ground(), {Vec3(0.0, 2.0, 0.0), facing(-Vec3::UnitY())}, true);
  const Picture picture = depict(s.problem, s.state, {});
  ASSERT_EQ(picture.items.size(), 3U);
  EXPECT_NEAR(picture.items[2].world_from_item.position.y(), 2.0, 1e-9);
}

}  // namespace
}  // namespace repose::render
