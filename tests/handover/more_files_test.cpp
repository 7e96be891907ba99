// Height fields, joints that are told where to stand, COLLADA meshes, OBJ files of several objects.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <unistd.h>

#include "repose/handover/settle.h"

#include "open.h"

namespace repose::handover {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone afterwards.
class Folder : public testing::Test {
 protected:
  Folder() : place(fs::path(testing::TempDir()) / fmt::format("handover.{}", getpid())) {
    fs::create_directories(place);
  }
  ~Folder() override { fs::remove_all(place); }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(place / name, std::ios::binary) << text;
    return (place / name).string();
  }
  fs::path place;
};
class Terrain : public Folder {};
class Joints : public Folder {};
class Collada : public Folder {};
class ObjScene : public Folder {};

const MeshSpec& mesh_named(const Handed& handed, const std::string& name) {
  for (const auto& [known, spec] : handed.scene.shapes)
    if (known == name) return std::get<MeshSpec>(spec.what);
  ADD_FAILURE() << "no mesh " << name;
  static const MeshSpec none;
  return none;
}

std::string terrain_of(const std::string& field, const std::string& more = "") {
  return "<mujoco><asset><hfield name='t' " + field +
         "/></asset><worldbody><geom type='hfield' hfield='t'/>" + more + "</worldbody></mujoco>";
}

// MuJoCo 3.14 has hfield_data 0, 1/6, 1/3, 2/3, 5/6, 1 for these heights
TEST_F(Terrain, heights_stand_where_mujoco_puts_them) {
  const auto handed =
      read_as("x.xml", terrain_of("nrow='2' ncol='3' size='1 2 0.6 0.1' elevation='5 6 7 1 2 3'"));
  ASSERT_TRUE(handed) << handed.error().text();
  const MeshSpec& mesh = mesh_named(*handed, "t");
  const std::vector<Vec3> wanted{{-1, -2, 0},  {0, -2, 0.1}, {1, -2, 0.2},
                                 {-1, 2, 0.4}, {0, 2, 0.5},  {1, 2, 0.6}};
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_LT((mesh.points[i] - wanted[i]).norm(), 1e-12) << mesh.points[i].transpose();
  EXPECT_FALSE(mesh.open);
  double low = 0.0;
  for (const Vec3& p : mesh.points) low = std::min(low, p.z());
  EXPECT_EQ(low, -0.1);
}

TEST_F(Terrain, cells_are_cut_as_mujoco_cuts_them) {
  // its ball above the middle touches where the corner is high on one diagonal, not on the other
  const auto middle = [](const char* heights) {
    const auto handed = read_as(
        "x.xml",
        terrain_of(fmt::format("nrow='2' ncol='2' size='1 1 1 .1' elevation='{}'", heights)));
    EXPECT_TRUE(handed);
    const MeshSpec& mesh = mesh_named(*handed, "t");
    // the cut runs between the two corners that both triangles above have
    const auto& a = mesh.triangles[0];
    const auto& b = mesh.triangles[1];
    std::vector<int> both;
    for (const int i : a)
      if (std::find(b.begin(), b.end(), i) != b.end()) both.push_back(i);
    EXPECT_EQ(both.size(), 2U);
    return 0.5 * (mesh.points[static_cast<std::size_t>(both[0])].z() +
                  mesh.points[static_cast<std::size_t>(both[1])].z());
  };
  EXPECT_EQ(middle("0 1 0 0"), 0.5);
  EXPECT_EQ(middle("0 0 1 0"), 0.5);
  EXPECT_EQ(middle("1 0 0 0"), 0.0);
}

TEST_F(Terrain, a_ball_comes_to_rest_in_a_hollow_of_a_binary_field) {
  std::string bytes;
  const auto add = [&](const auto& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  };
  constexpr int kSide = 9;
  add(std::int32_t{kSide});
  add(std::int32_t{kSide});
  for (int r = 0; r < kSide; ++r)
    for (int c = 0; c < kSide; ++c) add(static_cast<float>((r - 4) * (r - 4) + (c - 4) * (c - 4)));
  put("hollow.bin", bytes);
  const std::string path = put(
      "scene.xml",
      terrain_of("file='hollow.bin' size='0.4 0.4 0.2 0.05'",
                 "<body name='ball' pos='0.06 0.05 0.3'><freejoint/><geom size='0.05'/></body>"));
  const auto handed = open_any(path, method_catalogue());
  ASSERT_TRUE(handed) << handed.error().text();
  const auto out = settle(*handed, method_catalogue());
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_TRUE(out->proven()) << out->why << out->verdict.why;
}

TEST_F(Terrain, fields_that_lie_about_their_heights_are_refused_with_their_place) {
  put("short.bin", std::string("\x09\0\0\0\x09\0\0\0", 8));
  put("no.png", "not a picture");
  const std::vector<std::pair<std::string, std::string>> all{
      {"nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'", "elevation"},
      {"nrow='1' ncol='2' size='1 1 1 1'", "nrow"},
      {"nrow='100000' ncol='100000' size='1 1 1 1'", "nrow"},
      {"nrow='2' ncol='2' size='1 1 1'", "size"},
      {"nrow='2' ncol='2' size='1 1 0 1'", "size"},
      {"file='short.bin' size='1 1 1 1'", "file"},
      {"file='no.png' size='1 1 1 1'", "file"},
      {"file='none.png' size='1 1 1 1'", "file"}};
  for (const auto& [field, told] : all) {
    const auto handed =
        from_text(terrain_of(field), (place / "x.xml").string(), method_catalogue());
    ASSERT_FALSE(handed) << field;
    EXPECT_NE(handed.error().text().find(told), std::string::npos) << handed.error().text();
    EXPECT_GT(handed.error().line, 0) << field;
  }
}

constexpr const char* kGripper = R"(<robot name="g"><link name="world"/>
  <link name="a"><collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
  <link name="b"><collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
  <joint name="slide" type="prismatic"><parent link="world"/><child link="a"/><origin xyz="0 0 1"/><axis xyz="0 2 0"/>
    <limit lower="0.1" upper="0.4" effort="1" velocity="1"/></joint>
  <joint name="follow" type="revolute"><parent link="world"/><child link="b"/><axis xyz="0 0 1"/><origin xyz="1 0 1"/>
    <limit lower="-9" upper="9" effort="1" velocity="1"/><mimic joint="slide" multiplier="2" offset="0.5"/></joint></robot>)";

TEST_F(Joints, stand_where_they_are_told_and_mimics_follow) {
  OpenOptions options;
  const auto plain = read_as("x.urdf", kGripper);
  ASSERT_TRUE(plain) << plain.error().text();
  expect_pose(body_of(*plain, "b").pose(), {1, 0, 1}, {0, 0, 1}, {std::cos(0.5), std::sin(0.5), 0});
  ASSERT_EQ(plain->unused.size(), 1U);
  EXPECT_NE(plain->unused[0].what.find("slide stand beyond"), std::string::npos);
  options.joints = {{"slide", 0.25}};
  const auto told = read_as("x.urdf", kGripper, options);
  ASSERT_TRUE(told) << told.error().text();
  expect_pose(body_of(*told, "a").pose(), {0, 0.25, 1}, {0, 0, 1}, {1, 0, 0});
  expect_pose(body_of(*told, "b").pose(), {1, 0, 1}, {0, 0, 1}, {std::cos(1.0), std::sin(1.0), 0});
  options.joints = {{"slid", 0.25}};
  const auto wrong = read_as("x.urdf", kGripper, options);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("did you mean \"slide\"?"), std::string::npos);
}

TEST_F(Joints, of_mjcf_are_told_and_the_key_keeps_them) {
  const std::string text = R"(<mujoco><worldbody><body name="arm"><joint name="hinge" axis="0 1 0"/>
    <geom type="box" size=".1 .1 .5" pos="0 0 .5"/></body>
    <body name="ball" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>)";
  OpenOptions options;
  options.joints = {{"hinge", 0.5}};
  const auto handed = read_as("x.xml", text, options);
  ASSERT_TRUE(handed) << handed.error().text();
  expect_pose(body_of(*handed, "arm").pose(), {0.5 * std::sin(0.5), 0, 0.5 * std::cos(0.5)},
              {std::sin(0.5), 0, std::cos(0.5)}, {std::cos(0.5), 0, -std::sin(0.5)});
  const auto written = with_poses(*handed, {});
  ASSERT_TRUE(written);
  EXPECT_NE(written->find("qpos=\"0.5 1 0 1 1 0 0 0\""), std::string::npos) << *written;
}

TEST_F(Joints, that_mimic_one_another_in_a_circle_are_refused) {
  std::string text = kGripper;
  const std::string limit = R"(<limit lower="0.1" upper="0.4" effort="1" velocity="1"/>)";
  text.replace(text.find(limit), limit.size(), R"(<mimic joint="follow"/>)");
  const auto handed = read_as("x.urdf", text);
  ASSERT_FALSE(handed);
  EXPECT_NE(handed.error().text().find("circle"), std::string::npos);
}

constexpr const char* kDae = R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="cm" meter="0.01"/>
<up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="s">
<float_array id="a" count="24">0 0 0 10 0 0 10 10 0 0 10 0 0 0 10 10 0 10 10 10 10 0 10 10</float_array>
<technique_common><accessor source="#a" count="8" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<polylist count="6"><input semantic="NORMAL" source="#s" offset="1"/><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>4 4 4 4 4 4</vcount><p>3 0 2 0 1 0 0 0 4 0 5 0 6 0 7 0 0 0 1 0 5 0 4 0 1 0 2 0 6 0 5 0 2 0 3 0 7 0 6 0 3 0 0 0 4 0 7 0</p>
</polylist></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="w"><node>
<translate>0 0 5</translate><rotate>0 0 1 90</rotate><scale>1 1 2</scale><instance_geometry url="#g"/></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>)";

TEST_F(Collada, units_nodes_and_polygons_are_honoured) {
  put("crate.dae", kDae);
  const auto handed = from_text(
      R"(<robot name="r"><link name="world"/><link name="crate"><collision><geometry><mesh filename="crate.dae"/></geometry>
      </collision></link><joint name="j" type="floating"><parent link="world"/><child link="crate"/></joint></robot>)",
      (place / "r.urdf").string(), method_catalogue());
  ASSERT_TRUE(handed) << handed.error().text();
  const auto world = build_world(*handed);
  ASSERT_TRUE(world) << world.error().text();
  const auto& shape = *world->problem.bodies[0].shape;
  EXPECT_NEAR(shape.volume.volume, 0.1 * 0.1 * 0.2, 1e-15);
  EXPECT_LT((shape.volume.center - Vec3(-0.05, 0.05, 0.15)).norm(), 1e-12);
}

TEST_F(Collada, mistakes_are_told_with_file_and_line) {
  std::string text = kDae;
  text.replace(text.find("3 0 2 0 1 0"), 1, "9");
  put("crate.dae", text);
  const auto handed = from_text(
      R"(<robot name="r"><link name="crate"><collision><geometry><mesh filename="crate.dae"/></geometry></collision></link></robot>)",
      (place / "r.urdf").string(), method_catalogue());
  ASSERT_FALSE(handed);
  EXPECT_NE(handed.error().text().find("crate.dae:7"), std::string::npos) << handed.error().text();
}

constexpr const char* kObjects = R"(# Blender
mtllib table.mtl
o Table
v -1 0 -1
v 1 0 -1
v 1 0 1
v -1 0 1
f 4 3 2 1
o Crate.001
v 0.1 0.3 0.1 0.5 0.5 0.5
v 0.3 0.3 0.1
v 0.3 0.3 0.3
v 0.1 0.3 0.3
v 0.1 0.6 0.1
v 0.3 0.6 0.1
v 0.3 0.6 0.3
v 0.1 0.6 0.3
vn 0 1 0
vn 0 -1 0
s off
f 5//2 6//2 7//2 8//2
f 12//1 11//1 10//1 9//1
f 5 9 10 6
f 6 10 11 7
f 7 11 12 8
f 8 12 9 5
)";

TEST_F(ObjScene, objects_are_bodies_and_go_back_as_coordinates) {
  OpenOptions options;
  options.up = 'y';
  const auto handed = open_any(put("table.obj", kObjects), method_catalogue(), options);
  ASSERT_TRUE(handed) << handed.error().text();
  EXPECT_TRUE(body_of(*handed, "Table").fixed);
  EXPECT_FALSE(body_of(*handed, "Crate.001").fixed);
  const auto out = settle(*handed, method_catalogue());
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_TRUE(out->proven()) << out->why << out->verdict.why;
  ASSERT_TRUE(out->text) << out->text.error().text();
  // all but vertices and normals of the crate is as it came; its lowest corner lies on the table
  const std::string before = kObjects;
  EXPECT_EQ(out->text->substr(0, before.find("v 0.1 0.3")),
            before.substr(0, before.find("v 0.1 0.3")));
  EXPECT_NE(out->text->find(" 0.5 0.5 0.5\n"), std::string::npos);
  double low = 1.0;
  std::istringstream lines(*out->text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("v ") && line.find(" -1") == std::string::npos && line != "v 1 0 1")
      low = std::min(low, std::stod(line.substr(line.find(' ', 2))));
  EXPECT_NEAR(low, 0.0, 1e-5);
}

TEST_F(ObjScene, units_are_told_and_only_where_the_file_says_none) {
  OpenOptions options;
  options.unit = 0.001;
  const std::string tetrahedron =
      "v 0 0 2\nv 9 0 2\nv 0 9 2\nv 0 0 30\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  const auto handed = open_any(put("part.obj", tetrahedron), method_catalogue(), options);
  ASSERT_TRUE(handed) << handed.error().text();
  const auto world = build_world(*handed);
  ASSERT_TRUE(world);
  EXPECT_NEAR(world->problem.bodies[1].shape->volume.volume, 9e-3 * 9e-3 * 28e-3 / 6.0, 1e-18);
  const auto wrong = open_any(file_named("shelf.gltf"), method_catalogue(), options);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().text().find("--unit"), std::string::npos);
}

TEST_F(ObjScene, mistakes_are_told_with_their_line) {
  const auto handed = from_text(std::string(kObjects) + "f 1 2 99\n", (place / "x.obj").string(),
                                method_catalogue());
  ASSERT_FALSE(handed);
  EXPECT_EQ(handed.error().line, 27);
  EXPECT_NE(handed.error().text().find("1 to 12"), std::string::npos) << handed.error().text();
}

std::string box_object(const std::string& name, const Vec3& low, const Vec3& high, int first) {
  std::string out = "o " + name + "\n";
  for (int k = 0; k < 8; ++k)
    out += fmt::format("v {} {} {}\n", k & 1 ? high.x() : low.x(), k & 2 ? high.y() : low.y(),
                       k & 4 ? high.z() : low.z());
  for (const auto& face : {std::array{0, 2, 3, 1},
                           {4, 5, 7, 6},
                           {0, 1, 5, 4},
                           {2, 6, 7, 3},
                           {0, 4, 6, 2},
                           {1, 3, 7, 5}})
    out += fmt::format("f {} {} {} {}\n", face[0] + first, face[1] + first, face[2] + first,
                       face[3] + first);
  return out;
}
/// A tub of five boxes that share edges and faces: outside 0.1 m, walls and floor of 0.01 m.
std::string tub() {
  constexpr double kOut = 0.05, kIn = 0.04, kFloor = 0.01, kHigh = 0.1;
  return box_object("convex_0", {-kOut, -kOut, 0}, {kOut, kOut, kFloor}, 1) +
         box_object("convex_1", {-kOut, -kOut, 0}, {-kIn, kOut, kHigh}, 9) +
         box_object("convex_2", {kIn, -kOut, 0}, {kOut, kOut, kHigh}, 17) +
         box_object("convex_3", {-kIn, -kOut, kFloor}, {kIn, -kIn, kHigh}, 25) +
         box_object("convex_4", {-kIn, kIn, 0}, {kIn, kOut, kHigh}, 33);
}

// as PyBullet's readers take a convex decomposition: a hull for each object
TEST_F(ObjScene, objects_of_a_decomposition_are_one_body_that_keeps_its_hollow) {
  put("tub.obj", tub());
  constexpr double kVolume = 0.1 * 0.1 * 0.1 - 0.08 * 0.08 * 0.09;
  for (const bool hulls : {false, true}) {
    OpenOptions options;
    options.hulls = hulls;
    const auto handed = from_text(
        R"(<robot name="r"><link name="world"><collision><origin xyz="0 0 -1"/><geometry><box size="2 2 2"/></geometry></collision></link>
        <joint name="a" type="floating"><parent link="world"/><child link="tub"/><origin xyz="0 0 0.003"/></joint>
        <joint name="b" type="floating"><parent link="world"/><child link="ball"/><origin xyz="0.01 0 0.04"/></joint>
        <link name="tub"><collision><geometry><mesh filename="tub.obj"/></geometry></collision></link>
        <link name="ball"><collision><geometry><sphere radius="0.02"/></geometry></collision></link></robot>)",
        (place / "r.urdf").string(), method_catalogue(), options);
    ASSERT_TRUE(handed) << handed.error().text();
    ASSERT_FALSE(handed->remarks.empty());
    EXPECT_NE(handed->remarks[0].find("its 5 objects"), std::string::npos) << handed->remarks[0];
    const auto world = build_world(*handed);
    ASSERT_TRUE(world) << world.error().text();
    const auto tub_at = static_cast<std::size_t>(world->problem.find_body("tub"));
    // parts that only touch are moved outward by 1e-7 of their size and more
    EXPECT_NEAR(world->problem.bodies[tub_at].shape->volume.volume, kVolume, 1e-4 * kVolume);
    const auto out = settle(*handed, method_catalogue());
    ASSERT_TRUE(out) << out.error().text();
    EXPECT_TRUE(out->proven()) << out->why << out->verdict.why;
    // the ball lies within, on the floor of the tub
    for (const BodyPose& pose : out->poses)
      if (pose.body == "ball") {
        EXPECT_NEAR(pose.world_from_body.position.z(), 0.01 + 0.02, 1e-4);
      }
  }
}

TEST_F(ObjScene, a_decomposition_is_one_hull_in_mujoco) {
  put("tub.obj", tub());
  const auto handed = from_text(
      "<mujoco><asset><mesh file='tub.obj'/></asset><worldbody><body><freejoint/><geom type='mesh' "
      "mesh='tub'/></body></worldbody></mujoco>",
      (place / "t.xml").string(), method_catalogue());
  ASSERT_TRUE(handed) << handed.error().text();
  const auto world = build_world(*handed);
  ASSERT_TRUE(world) << world.error().text();
  EXPECT_NEAR(world->problem.bodies[0].shape->volume.volume, 0.1 * 0.1 * 0.1, 1e-12);
}

TEST(Options, what_a_file_has_not_is_not_asked_for_in_vain) {
  struct Row {
    const char* file;
    OpenOptions options;
    const char* word;
  };
  OpenOptions key, joint, hulls, ground;
  key.key = "home";
  joint.joints["elbow"] = 1.0;
  hulls.hulls = ground.ground = true;
  for (const Row& row : {Row{"shelf.gltf", key, "--key"}, Row{"shelf.gltf", joint, "--joint"},
                         Row{"still/torus-on-cone", hulls, "--hulls"},
                         Row{"still/torus-on-cone", ground, "--ground"}}) {
    const bool ours = std::string(row.file).starts_with("still/");
    const auto handed =
        open_any(ours ? row.file : file_named(row.file), method_catalogue(), row.options);
    ASSERT_FALSE(handed) << row.file;
    EXPECT_NE(handed.error().text().find(row.word), std::string::npos) << handed.error().text();
  }
}

TEST(Interrupt, parting_listens_and_all_stays_as_it_was) {
  std::string bodies;
  for (int k = 0; k < 12; ++k)
    bodies += fmt::format(
        "<body name='b{}' pos='{} 0 .1'><freejoint/><geom type='ellipsoid' size='.1 .08 "
        ".06'/></body>",
        k, 0.02 * k);
  const auto handed = read_as("x.xml", "<mujoco><worldbody><geom type='plane' size='1 1 1'/>" +
                                           bodies + "</worldbody></mujoco>");
  ASSERT_TRUE(handed) << handed.error().text();
  const std::atomic<bool> now = true;
  SettleSettings settings;
  settings.interrupt = &now;
  const auto out = settle(*handed, method_catalogue(), settings);
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_EQ(out->status, RunStatus::stopped);
  EXPECT_FALSE(out->proven());
  EXPECT_LT(out->farthest.way, 1e-9);
}

TEST_F(ObjScene, a_mesh_alone_says_which_unit_counts_and_needs_no_ground) {
  const std::string path =
      put("wedge.ply",
          "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
          "property float z\nelement face 4\nproperty list uchar int vertex_indices\nend_header\n"
          "0 0 0\n10 0 0\n0 10 0\n0 0 10\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
  OpenOptions options;
  options.unit = 1e-3;
  const auto handed = open_any(path, method_catalogue(), options);
  ASSERT_TRUE(handed) << handed.error().text();
  ASSERT_EQ(handed->remarks.size(), 1U);
  EXPECT_EQ(handed->remarks[0],
            "PLY files say neither unit nor axes: 0.001 m a unit, z up (--unit, --up)");
  options.ground = true;
  const auto refused = open_any(path, method_catalogue(), options);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("floor already"), std::string::npos);
}

}  // namespace
}  // namespace repose::handover
