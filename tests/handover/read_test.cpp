// MJCF, URDF and SDF as scenes.
#include <cmath>
#include <fstream>
#include <numbers>

#include "open.h"
#include "places.h"

namespace repose::handover {
namespace {

std::string mjcf_of(const std::string& body, const std::string& compiler = "") {
  return "<mujoco><compiler " + compiler + "/><worldbody>" + body + "</worldbody></mujoco>";
}
Pose pose_of(const std::string& attributes, const std::string& compiler = "") {
  const auto handed = read_as(
      "x.xml",
      mjcf_of("<body name='b' " + attributes + "><freejoint/><geom size='1'/></body>", compiler));
  EXPECT_TRUE(handed) << handed.error().text();
  return handed ? body_of(*handed, "b").pose() : Pose{};
}

// the numbers are geom_xpos and geom_xmat of MuJoCo 3.14 at the key "home"
TEST(Mjcf, geoms_stand_where_mujoco_puts_them) {
  const Handed handed = opened("arm.xml");
  const auto pose = [&](const char* name) { return body_of(handed, name).pose(); };
  const Vec3 x = Vec3::UnitX(), z = Vec3::UnitZ();
  expect_pose(pose("bin"), {0.3, 0, 0.01}, z, x);
  expect_pose(pose("bin-5"), {0.3, -0.16, 0.08}, z, x);
  expect_pose(pose("base"), {-0.5, 0, 0.05}, z, x);
  expect_pose(pose("upper"), {-0.384041, 0, 0.237672}, {-0.644218, 0, -0.764842},
              {0.764842, 0, -0.644218});
  expect_pose(pose("fore"), {-0.268082, 0, 0.515343}, -z, x);
  expect_pose(pose("block"), {0.3, 0, 0.3}, z, x);
  expect_pose(pose("wedge"), {0.25, 0.1, 0.2}, z, x);
  EXPECT_TRUE(body_of(handed, "upper").fixed);
  EXPECT_FALSE(body_of(handed, "wedge").fixed);
  EXPECT_EQ(handed.standing, (std::vector<std::string>{"upper", "fore"}));
  EXPECT_NEAR(*body_of(handed, "wedge").mass, 0.5, 1e-9);
}

TEST(Mjcf, every_way_to_write_a_rotation_means_what_mujoco_means) {
  const double half = std::sqrt(0.5);
  const Pose quarter_about_x{Vec3::Zero(), Quat(half, half, 0.0, 0.0)};
  const std::string to_radian = "angle='radian' ";
  for (const char* way : {"quat='2 2 0 0'", "axisangle='3 0 0 90'", "euler='90 0 0'",
                          "xyaxes='1 0 0 0.3 0 1'", "zaxis='0 -1 0'"})
    expect_pose(pose_of(way), Vec3::Zero(), quarter_about_x.turn(Vec3::UnitZ()), Vec3::UnitX());
  // about the axes that turn along, and about those that stay
  const Pose own = pose_of("euler='90 90 0'"), fixed = pose_of("euler='90 90 0'", "eulerseq='XYZ'");
  expect_pose(own, Vec3::Zero(), {1, 0, 0}, {0, 1, 0});
  expect_pose(fixed, Vec3::Zero(), {0, -1, 0}, {0, 0, -1});
  expect_pose(pose_of("euler='1.5707963267948966 0 0'", to_radian), Vec3::Zero(), {0, -1, 0},
              {1, 0, 0});
}

TEST(Mjcf, classes_pass_on_what_they_inherit) {
  const auto handed = read_as("x.xml", R"(<mujoco>
    <default><geom type="box" size="1 2 3" friction="0.3"/>
      <default class="long"><geom size="1 2 9"/><default class="slick"><geom friction="0.1"/></default></default>
    </default>
    <worldbody>
      <body name="a"><freejoint/><geom/></body>
      <body name="b" pos="9 0 0" childclass="long"><freejoint/><geom/></body>
      <body name="c" pos="0 9 0" childclass="long"><freejoint/><geom class="slick" type="ellipsoid"/></body>
    </worldbody></mujoco>)");
  ASSERT_TRUE(handed) << handed.error().text();
  const auto size = [&](const char* name) {
    return std::get<shape::BoxInput>(body_of(*handed, name).shape.spec->what).size;
  };
  EXPECT_EQ(size("a"), Vec3(2, 4, 6));
  EXPECT_EQ(size("b"), Vec3(2, 4, 18));
  EXPECT_EQ(std::get<shape::EllipsoidInput>(body_of(*handed, "c").shape.spec->what).radii,
            Vec3(1, 2, 9));
  const auto world = build_world(*handed);
  ASSERT_TRUE(world);
  EXPECT_EQ(world->problem.bodies[1].material.friction, 0.3);
  EXPECT_EQ(world->problem.bodies[2].material.friction, 0.1);
}

TEST(Mjcf, mass_and_its_centre_are_those_of_all_geoms) {
  const Handed handed = opened("hammer.xml");
  const auto world = build_world(handed);
  ASSERT_TRUE(world);
  const Body& hammer = world->problem.bodies[1];
  EXPECT_NEAR(hammer.mass, 1.32, 1e-9);  // MuJoCo's body_mass and xipos
  EXPECT_NEAR(hammer.center_body.x(), 0.141818, 1e-6);
}

TEST(Mjcf, what_is_not_used_is_listed_with_its_place) {
  const Handed handed = opened("mugs.xml");
  std::string all;
  for (const Unused& unused : handed.unused) all += unused.text() + "\n";
  EXPECT_NE(all.find("mugs.xml:29:4: not used: <sensor>"), std::string::npos) << all;
  EXPECT_NE(all.find("mugs.xml:25:8: not used: geoms that touch nothing"), std::string::npos);
}

TEST(Mjcf, a_free_body_of_which_nothing_touches_is_named) {
  const auto handed = read_as("x.xml", R"(<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body name="ghost" pos="0 0 1"><freejoint/><geom size="1" contype="0" conaffinity="0"/></body>
      <body name="ball" pos="0 0 2"><freejoint/><geom size="1"/></body>
    </worldbody></mujoco>)");
  ASSERT_TRUE(handed) << handed.error().text();
  EXPECT_EQ(handed->scene.bodies.size(), 2U);
  std::string all;
  for (const Unused& unused : handed->unused) all += unused.text() + "\n";
  EXPECT_NE(all.find(":2:8: not used: the body ghost"), std::string::npos) << all;
  EXPECT_EQ(all.find("the body ball"), std::string::npos) << all;
}

TEST(Mjcf, only_bodies_that_are_named_move) {
  OpenOptions options;
  options.bodies = {"fore"};
  const Handed handed = opened("arm.xml", options);
  EXPECT_FALSE(body_of(handed, "fore").fixed);
  EXPECT_TRUE(body_of(handed, "ball").fixed);
  options.bodies = {"bal"};
  const auto wrong = open_any(file_named("arm.xml"), method_catalogue(), options);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("did you mean \"ball\"?"), std::string::npos);
}

TEST(Urdf, joints_stand_at_zero_and_floating_links_are_free) {
  const Handed handed = opened("bin_picking.urdf");
  const double c = std::cos(0.3), s = std::sin(0.3);
  expect_pose(body_of(handed, "column/shaft").pose(), {-0.6, 0, 0.25}, {0, 0, 1}, {1, 0, 0});
  expect_pose(body_of(handed, "boom").pose(), {-0.6 + 0.2 * c, 0.2 * s, 0.4}, {c, s, 0},
              {0, 0, -1});
  EXPECT_TRUE(body_of(handed, "boom").fixed);
  EXPECT_FALSE(body_of(handed, "die").fixed);
  EXPECT_EQ(body_of(handed, "die").mass, 0.2);
  expect_pose(body_of(handed, "wedge").pose(), {0.4, 0.1, 0.15}, {0, 0, 1}, {1, 0, 0});
}

TEST(Sdf, poses_are_relative_to_what_they_name) {
  const Handed handed = opened("shelf.sdf");
  const double h = std::sqrt(0.5);
  expect_pose(body_of(handed, "can").pose(), {0.1, 1, 0.69}, {0, 0, 1}, {h, h, 0});
  expect_pose(body_of(handed, "left mug").pose(), {-0.2, 1, 0.41}, {0, 0, 1}, {1, 0, 0});
  const SceneBody& wheel = body_of(handed, "cart::front::wheel::c");
  EXPECT_TRUE(wheel.fixed);
  EXPECT_LT((wheel.pose().position - Vec3(2.2, 0, 0.15)).norm(), 1e-9);
  EXPECT_TRUE(body_of(handed, "shelf::boards::high").fixed);
  EXPECT_EQ(handed.scene.gravity, Vec3(0, 0, -9.8));
  EXPECT_EQ(body_of(handed, "can").mass, 0.3);
}

TEST(Sdf, a_model_of_fixed_joints_is_one_body_and_links_without_joints_are_several) {
  const auto handed = read_as("x.sdf", R"(<sdf version="1.9"><world name="w">
    <model name="pair"><link name="a"><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
      <link name="b"><pose>3 0 0 0 0 0</pose><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>
      <joint name="j" type="fixed"><parent>a</parent><child>b</child></joint></model>
    <model name="two"><pose>0 9 0 0 0 0</pose><link name="a"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link>
      <link name="b"><pose>3 0 0 0 0 0</pose><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
    </world></sdf>)");
  ASSERT_TRUE(handed) << handed.error().text();
  EXPECT_EQ(handed->scene.bodies.size(), 3U);
  EXPECT_FALSE(body_of(*handed, "pair").fixed);
  EXPECT_FALSE(body_of(*handed, "two::a").fixed);
  expect_pose(body_of(*handed, "two::b").pose(), {3, 9, 0}, {0, 0, 1}, {1, 0, 0});
}

TEST(Read, the_floor_and_the_sun_that_every_world_includes_are_known) {
  const auto handed = read_as("x.world", R"(<sdf version="1.7"><world name="w">
    <include><uri>model://ground_plane</uri></include>
    <include><uri>https://fuel.gazebosim.org/1.0/OpenRobotics/models/Sun</uri></include>
    <model name="m"><pose>0 0 1 0 0 0</pose><link name="l"><collision name="c"><geometry><sphere>
    <radius>.1</radius></sphere></geometry></collision></link></model></world></sdf>)");
  ASSERT_TRUE(handed) << handed.error().text();
  EXPECT_EQ(handed->scene.bodies.size(), 2U);
  ASSERT_FALSE(handed->remarks.empty());
  EXPECT_NE(handed->remarks[0].find("an endless floor stands for it"), std::string::npos);
}

TEST(Read, what_xacro_has_not_written_out_is_refused_with_the_command_that_does) {
  for (const char* text :
       {R"(<robot name="r"><xacro:property name="w" value="1"/><link name="a"/></robot>)",
        R"(<robot name="r"><link name="a"><collision><geometry><box size="${w} 1 1"/></geometry>
        </collision></link></robot>)"}) {
    const auto handed = read_as("x.urdf", text);
    ASSERT_FALSE(handed);
    EXPECT_NE(handed.error().right.find("xacro FILE > robot.urdf"), std::string::npos);
  }
}

TEST(Read, a_mesh_beside_a_round_shape_in_one_body_is_refused_with_what_to_do) {
  const std::string mesh = tests::own_path("pad.obj").string();
  std::ofstream(mesh) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const auto handed = read_as(
      "tool.urdf",
      R"(<robot name="r"><link name="world"/><link name="tool"><collision><geometry>
      <mesh filename=")" +
          mesh +
          R"("/></geometry></collision><collision><geometry><sphere radius="0.3"/></geometry>
      </collision></link><joint name="free" type="floating"><parent link="world"/>
      <child link="tool"/></joint></robot>)");
  ASSERT_FALSE(handed);
  EXPECT_NE(handed.error().wrong.find("tool moves"), std::string::npos) << handed.error().text();
  EXPECT_NE(handed.error().right.find("--bodies"), std::string::npos);
}

TEST(Read, a_mesh_alone_is_a_scene_above_a_floor) {
  const std::string path = tests::own_path("wedge.OBJ").string();
  std::ofstream(path) << "v 0 0 2\nv 1 0 2\nv 0 1 2\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const auto handed = open_any(path, method_catalogue());
  ASSERT_TRUE(handed) << handed.error().text();
  const auto world = build_world(*handed);
  ASSERT_TRUE(world) << world.error().text();
  ASSERT_EQ(world->problem.bodies.size(), 2U);
  EXPECT_EQ(world->problem.bodies[1].name, "wedge");
  EXPECT_LT(world->state.bodies[0].world_from_body.position.z(), 2.0);
  EXPECT_GT(world->state.bodies[0].world_from_body.position.z(), 1.9);
}

TEST(Read, files_that_are_not_read_name_the_way_in) {
  const std::string path = tests::own_path("chair.fbx").string();
  std::ofstream(path) << "Kaydara";
  const auto handed = open_any(path, method_catalogue());
  ASSERT_FALSE(handed);
  EXPECT_NE(handed.error().right.find("glTF"), std::string::npos);
}

}  // namespace
}  // namespace repose::handover
