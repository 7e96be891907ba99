// Scenes of other tools brought to rest.
#include "repose/handover/settle.h"

#include <fstream>

#include <fmt/format.h>

#include "open.h"
#include "places.h"

namespace repose::handover {
namespace {

Settled settled(const Handed& handed) {
  auto out = settle(handed, method_catalogue());
  EXPECT_TRUE(out) << out.error().text();
  return out ? std::move(*out) : Settled{};
}

TEST(Settle, every_scene_comes_to_a_rest_that_its_own_file_says) {
  for (const char* name : {"mugs.xml", "arm.xml", "hammer.xml", "bin_picking.urdf", "shelf.sdf",
                           "kitchen.usda", "isaac.usda", "shelf.gltf"}) {
    const Handed handed = opened(name);
    const Settled out = settled(handed);
    EXPECT_TRUE(out.proven()) << name << ": " << out.verdict.why;
    ASSERT_TRUE(out.text) << out.text.error().text();
    // the judge on the file alone
    const auto again = read_as(name, *out.text);
    ASSERT_TRUE(again) << again.error().text();
    const auto world = build_world(*again);
    ASSERT_TRUE(world);
    const Judgement verdict = judge(world->problem, world->state);
    EXPECT_EQ(verdict.overlap, Judgement::Answer::proven) << name;
    EXPECT_EQ(verdict.balanced, Judgement::Answer::proven) << name << ": " << verdict.why;
  }
}

TEST(Settle, a_mug_comes_down_to_the_table_by_the_way_it_stood_above_it) {
  const Settled out = settled(opened("mugs.xml"));
  for (const BodyPose& pose : out.poses) {
    if (pose.body != "red") continue;
    EXPECT_NEAR(pose.world_from_body.position.z(), 0.77, 1e-8);
  }
}

TEST(Settle, no_body_is_parted_farther_than_its_overlap_asks) {
  constexpr double kOverlap = 0.001;  // m, of every pair
  // beside a wall, on a shelf, and against wide and slender neighbours: the way between centres
  // would lead far off
  const auto handed = read_as("x.xml", R"(<mujoco><worldbody>
    <geom type="plane" size="0 0 1"/>
    <geom name="wall" type="box" size=".01 .3 .2" pos="-.059 0 .2"/>
    <geom name="shelf" type="box" size=".3 .2 .01" pos="1 0 .3"/>
    <body name="beside" pos="0 .05 .05"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
    <body name="wide" pos="1 0 .359"><freejoint/><geom type="box" size=".15 .1 .05"/></body>
    <body name="slender" pos="1.169 .08 .341"><freejoint/><geom type="cylinder" size=".02 .03"/></body>
    </worldbody></mujoco>)");
  ASSERT_TRUE(handed) << handed.error().text();
  const Settled out = settled(*handed);
  EXPECT_TRUE(out.proven()) << out.verdict.why;
  EXPECT_EQ(out.parted.size(), 3U);
  for (const Shift& shift : out.parted) EXPECT_LT(shift.way, 1.5 * kOverlap) << shift.body;
}

TEST(Settle, overlapping_bodies_are_parted_by_little_and_it_is_told) {
  constexpr double kOverlap = 0.002;  // m
  const auto handed = read_as("x.xml", fmt::format(R"(<mujoco><worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="a" pos="0 0 0.05"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
    <body name="b" pos="{} 0 0.05"><freejoint/><geom type="box" size=".05 .05 .05"/></body>
    </worldbody></mujoco>)",
                                                   0.1 - kOverlap));
  ASSERT_TRUE(handed) << handed.error().text();
  const Settled out = settled(*handed);
  EXPECT_TRUE(out.proven()) << out.verdict.why;
  ASSERT_FALSE(out.parted.empty());
  for (const Shift& shift : out.parted) EXPECT_LT(shift.way, 1.1 * kOverlap) << shift.body;
  EXPECT_LT(out.farthest.way, 1.5 * kOverlap);
}

/// A hammer of two hulls, as tools that cut objects into convex pieces write it.
TEST(Settle, a_body_of_several_meshes_moves_as_their_union) {
  const auto handed = read_as("x.xml", R"(<mujoco><asset>
    <mesh name="head" vertex="-.05 .05 -.015 .05 .05 -.015 -.05 .09 -.015 .05 .09 -.015 -.05 .05 .015 .05 .05 .015 -.05 .09 .015 .05 .09 .015"/>
    <mesh name="handle" vertex="-.008 -.1 -.008 .008 -.1 -.008 -.008 .06 -.008 .008 .06 -.008 -.008 -.1 .008 .008 -.1 .008 -.008 .06 .008 .008 .06 .008"/>
    </asset><worldbody><geom type="plane" size="1 1 1"/>
    <body name="hammer" pos="0 0 0.03"><freejoint/><geom type="mesh" mesh="head"/><geom type="mesh" mesh="handle"/></body>
    </worldbody></mujoco>)");
  ASSERT_TRUE(handed) << handed.error().text();
  ASSERT_EQ(handed->remarks.size(), 1U);
  EXPECT_NE(handed->remarks[0].find("hammer: its 2 shapes are united"), std::string::npos);
  const auto world = build_world(*handed);
  ASSERT_TRUE(world) << world.error().text();
  // the head, and the handle without what is in the head
  const double volume = 0.1 * 0.04 * 0.03 + 0.016 * 0.15 * 0.016;
  EXPECT_NEAR(world->problem.bodies[1].shape->volume.volume, volume, 1e-12);
  const Settled out = settled(*handed);
  EXPECT_TRUE(out.proven()) << out.verdict.why;
}

TEST(Settle, a_scene_in_which_nothing_can_move_is_refused) {
  const auto handed = read_as("x.xml", R"(<mujoco><worldbody>
    <body name="arm"><joint/><geom size="1"/></body></worldbody></mujoco>)");
  ASSERT_TRUE(handed);
  const auto out = settle(*handed, method_catalogue());
  ASSERT_FALSE(out);
  EXPECT_NE(out.error().text().find("nothing in it can move; --bodies arm"), std::string::npos)
      << out.error().text();
}

TEST(Settle, our_own_scenes_keep_their_comments) {
  const std::string text = R"({ "repose": 1, // ours
  "bodies": [ { "name": "ground", "shape": { "kind": "half_space" }, "fixed": true },
    { "name": "die", "shape": { "kind": "box", "size": [1, 1, 1] },
      "axis_angle_deg": [0, 0, 1, 30], "position": [0, 0, 0.6] } /* the last */ ] })";
  const std::string path = tests::own_path("own.json").string();
  std::ofstream(path) << text;
  auto handed = open_any(path, method_catalogue());
  ASSERT_TRUE(handed) << handed.error().text();
  const Settled out = settled(*handed);
  EXPECT_TRUE(out.proven());
  ASSERT_TRUE(out.text) << out.text.error().text();
  EXPECT_NE(out.text->find("// ours"), std::string::npos);
  EXPECT_NE(out.text->find("\"orientation_wxyz\": ["), std::string::npos) << *out.text;
  EXPECT_EQ(out.text->find("axis_angle"), std::string::npos);
  EXPECT_NE(out.text->find("/* the last */"), std::string::npos);
}

}  // namespace
}  // namespace repose::handover
