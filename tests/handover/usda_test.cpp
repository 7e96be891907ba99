// Scene graphs in the text format of USD.
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/format.h>
#include <unistd.h>

#include "repose/handover/settle.h"

#include "open.h"

namespace repose::handover {
namespace {

namespace fs = std::filesystem;

std::string stage(const std::string& prims, const std::string& metas = "upAxis = \"Z\"") {
  return "#usda 1.0\n(\n    metersPerUnit = 1\n    " + metas + "\n)\n" + prims;
}
/// A ball and ground, so that the ball is the one that moves.
std::string with_ball(const std::string& inside, const std::string& metas = "upAxis = \"Z\"") {
  return stage(
      "def Plane \"floor\" (apiSchemas = [\"PhysicsCollisionAPI\"])\n{\n}\n"
      "def Sphere \"ball\" (apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsCollisionAPI\"])\n"
      "{\n" +
          inside + "\n}\n",
      metas);
}
Pose ball_of(const std::string& inside, const std::string& metas = "upAxis = \"Z\"") {
  const auto handed = read_as("x.usda", with_ball(inside, metas));
  EXPECT_TRUE(handed) << handed.error().text();
  return handed ? body_of(*handed, "ball").pose() : Pose{};
}

TEST(Usda, operations_act_from_the_last_to_the_first) {
  const double h = std::sqrt(0.5);
  expect_pose(
      ball_of("double3 xformOp:translate = (1, 2, 3)\nfloat xformOp:rotateZ = 90\n"
              "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateZ\"]"),
      {1, 2, 3}, {0, 0, 1}, {0, 1, 0});
  expect_pose(
      ball_of("double3 xformOp:translate = (1, 0, 0)\nfloat xformOp:rotateZ = 90\n"
              "uniform token[] xformOpOrder = [\"xformOp:rotateZ\", \"xformOp:translate\"]"),
      {0, 1, 0}, {0, 0, 1}, {0, 1, 0});
  expect_pose(ball_of("float3 xformOp:rotateXYZ = (90, 0, 90)\n"
                      "uniform token[] xformOpOrder = [\"xformOp:rotateXYZ\"]"),
              {0, 0, 0}, {1, 0, 0}, {0, 1, 0});
  expect_pose(ball_of("quatd xformOp:orient = (1, 0, 1, 0)\n"
                      "uniform token[] xformOpOrder = [\"xformOp:orient\"]"),
              {0, 0, 0}, {1, 0, 0}, {0, 0, -1});
  expect_pose(ball_of("matrix4d xformOp:transform = ( (0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), "
                      "(4, 5, 6, 1) )\nuniform token[] xformOpOrder = [\"xformOp:transform\"]"),
              {4, 5, 6}, {0, 0, 1}, {0, 1, 0});
  // a pivot: turned about x = 1
  expect_pose(ball_of("double3 xformOp:translate:pivot = (1, 0, 0)\nfloat xformOp:rotateZ = 45\n"
                      "uniform token[] xformOpOrder = [\"xformOp:translate:pivot\", "
                      "\"xformOp:rotateZ\", \"!invert!xformOp:translate:pivot\"]"),
              {1 - h, -h, 0}, {0, 0, 1}, {h, h, 0});
}

TEST(Usda, units_and_the_axis_that_points_up_are_honoured) {
  const std::string move =
      "double3 xformOp:translate = (10, 20, 30)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\"]\ndouble radius = 5";
  const auto handed = read_as("x.usda", "#usda 1.0\n(\nmetersPerUnit = 0.01\nupAxis = \"Y\"\n)\n" +
                                            with_ball(move).substr(with_ball(move).find("def")));
  ASSERT_TRUE(handed) << handed.error().text();
  const SceneBody& ball = body_of(*handed, "ball");
  EXPECT_LT((ball.position - Vec3(0.1, -0.3, 0.2)).norm(), 1e-12);
  EXPECT_EQ(std::get<shape::BallInput>(ball.shape.spec->what).radius, 0.05);
  EXPECT_TRUE(handed->remarks.empty());
  // what a file does not say is as USD has it: centimetres, y up
  const auto silent =
      read_as("x.usda", "#usda 1.0\n" + with_ball(move).substr(with_ball(move).find("def")));
  ASSERT_TRUE(silent);
  EXPECT_LT((body_of(*silent, "ball").position - Vec3(0.1, -0.3, 0.2)).norm(), 1e-12);
  EXPECT_EQ(silent->remarks.size(), 2U);
}

TEST(Usda, physics_says_what_moves_and_what_it_weighs) {
  const Handed handed = opened("isaac.usda");
  EXPECT_FALSE(body_of(handed, "Can_01").fixed);
  EXPECT_EQ(body_of(handed, "Can_01").mass, 0.35);
  EXPECT_FALSE(body_of(handed, "Block").fixed);
  EXPECT_NEAR(*body_of(handed, "Block").mass, 0.0007 * 8 * 6 * 4, 1e-9);
  EXPECT_TRUE(body_of(handed, "Top").fixed);
  EXPECT_TRUE(body_of(handed, "Base").fixed);
  EXPECT_TRUE(body_of(handed, "Link").fixed);
  EXPECT_EQ(handed.standing, std::vector<std::string>{"Link"});
  EXPECT_LT((handed.scene.gravity - Vec3(0, 0, -9.81)).norm(), 1e-12);
  expect_pose(body_of(handed, "Can_02").pose(), {-0.12, 0.08, 0.9}, {0, -1, 0}, {1, 0, 0});
  const auto& link = body_of(handed, "Link");
  EXPECT_LT((link.pose().turn(Vec3::UnitZ()) - Vec3::UnitX()).norm(), 1e-12);
}

TEST(Usda, without_physics_the_widest_stands_and_names_say_otherwise) {
  const Handed handed = opened("kitchen.usda");
  EXPECT_TRUE(body_of(handed, "Table").fixed);
  for (const char* name : {"Crate", "Nut", "Nut_001", "Angle"})
    EXPECT_FALSE(body_of(handed, name).fixed) << name;
  ASSERT_EQ(handed.remarks.size(), 1U);
  EXPECT_NE(handed.remarks[0].find("the widest stands (Table)"), std::string::npos);
  OpenOptions only;
  only.bodies = {"Nut"};
  const Handed one = opened("kitchen.usda", only);
  EXPECT_TRUE(body_of(one, "Crate").fixed);
  EXPECT_FALSE(body_of(one, "Nut").fixed);
}

/// The same matter, whatever maps it: the volume of a box of 2 x 4 x 6.
TEST(Usda, scales_mirrors_and_shears_keep_the_matter) {
  for (const char* place :
       {"float3 xformOp:scale = (1, 2, 3)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]",
        "float3 xformOp:scale = (-1, 2, 3)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]",
        "float3 xformOp:scale = (1, -2, -3)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]",
        "matrix4d xformOp:transform = ( (1, 0, 0, 0), (1, 2, 0, 0), (0, 0.5, 3, 0), (0, 0, 0, 1) "
        ")\nuniform token[] xformOpOrder = [\"xformOp:transform\"]"}) {
    for (const bool left : {false, true}) {
      std::string faces = "4,5,7,6, 0,2,3,1, 0,1,5,4, 2,6,7,3, 0,4,6,2, 1,3,7,5";
      if (left) faces = "6,7,5,4, 1,3,2,0, 4,5,1,0, 3,7,6,2, 2,6,4,0, 5,7,3,1";
      const auto handed = read_as(
          "x.usda",
          stage(fmt::format(
              "def Mesh \"box\"\n{{\n{}\nuniform token subdivisionScheme = \"none\"\n"
              "uniform token orientation = \"{}\"\n"
              "int[] faceVertexCounts = [4,4,4,4,4,4]\nint[] faceVertexIndices = [{}]\n"
              "point3f[] points = [(-1,-1,-1),(1,-1,-1),(-1,1,-1),(1,1,-1),(-1,-1,1),(1,-1,1),"
              "(-1,1,1),(1,1,1)]\n}}\n",
              place, left ? "leftHanded" : "rightHanded", faces)));
      ASSERT_TRUE(handed) << handed.error().text();
      const auto world = build_world(*handed);
      ASSERT_TRUE(world) << world.error().text();
      EXPECT_NEAR(world->problem.bodies[0].shape->volume.volume, 48.0, 1e-9) << place;
    }
  }
}

TEST(Usda, poses_come_back_through_every_kind_of_operation) {
  const std::vector<std::string> all{
      "",
      "float3 xformOp:translate = (1, 2, 3)\nuniform token[] xformOpOrder = "
      "[\"xformOp:translate\"]",
      "double3 xformOp:translate = (1, 2, 3)\nfloat3 xformOp:rotateZXY = (10, 20, 30)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateZXY\"]",
      "float xformOp:rotateX = 10\nfloat xformOp:rotateY = 20\n"
      "uniform token[] xformOpOrder = [\"xformOp:rotateY\", \"xformOp:rotateX\"]",
      "double3 xformOp:translate = (1, 2, 3)\nfloat3 xformOp:translate:pivot = (4, 5, 6)\n"
      "float3 xformOp:rotateYXZ = (10, 20, 30)\nfloat3 xformOp:scale = (2, 2, 2)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:translate:pivot\", "
      "\"xformOp:rotateYXZ\", \"xformOp:scale\", \"!invert!xformOp:translate:pivot\"]",
      "double3 xformOp:translate.timeSamples = {\n  0: (1, 2, 3),\n  24: (4, 5, 6),\n}\n"
      "uniform token[] xformOpOrder = [\"!resetXformStack!\", \"xformOp:translate\"]",
      "custom double3 xformOp:translate = (1, 2, 3) ( doc = \"kept\" )\n"
      "double3 xformOp:translate.timeSamples = { 0: (7, 8, 9) } ( doc = \"gone\" )\n"
      "quath xformOp:orient = (1, 0, 0, 0)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]"};
  for (const std::string& ops : all)
    for (const std::string above :
         {"",
          "float3 xformOp:scale = (3, 3, 3)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]",
          "float3 xformOp:scale = (1, 2, 3)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]"}) {
      const std::string text = stage(
          "def Plane \"floor\" (apiSchemas = [\"PhysicsCollisionAPI\"])\n{\n}\n"
          "def Xform \"above\"\n{\n" +
          above +
          "\n  def Mesh \"tent\" (apiSchemas = [\"PhysicsRigidBodyAPI\", "
          "\"PhysicsCollisionAPI\"])\n  {\n" +
          ops +
          "\npoint3f[] points = [(0,0,0),(1,0,0),(0,1,0),(0,0,1)]\nint[] faceVertexCounts = "
          "[3,3,3,3]\nint[] faceVertexIndices = [0,2,1,0,1,3,1,2,3,2,0,3]\n  }\n}\n");
      const auto handed = read_as("x.usda", text);
      ASSERT_TRUE(handed) << handed.error().text();
      const Pose wanted{{0.3, -2.0, 5.5}, Quat(0.5, 0.1, -0.7, 0.5).normalized()};
      const auto written = with_poses(*handed, {{"tent", wanted}});
      ASSERT_TRUE(written) << written.error().text();
      const auto again = read_as("x.usda", *written);
      ASSERT_TRUE(again) << again.error().text() << "\n" << *written;
      const Pose found = body_of(*again, "tent").pose();
      EXPECT_LT((found.position - wanted.position).norm(), 1e-13) << *written;
      EXPECT_LT((found.rotation * wanted.rotation.conjugate()).vec().norm(), 1e-13) << *written;
      // once more, from what was written
      const auto twice = with_poses(*again, {{"tent", Pose{}}});
      ASSERT_TRUE(twice);
      EXPECT_LT(body_of(read_as("x.usda", *twice).value(), "tent").pose().position.norm(), 1e-13);
    }
}

class UsdaFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string put(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  static std::string refusal(const std::string& path) {
    const auto handed = open_any(path, method_catalogue());
    EXPECT_FALSE(handed);
    return handed ? "" : handed.error().text();
  }
  fs::path folder_ = fs::temp_directory_path() / fmt::format("usda_{}", getpid());
};

TEST_F(UsdaFiles, layers_references_variants_and_classes_make_one_scene) {
  put("base.usda", stage("def Xform \"Cup\" (variants = { string size = \"small\" })\n{\n"
                         "  variantSet \"size\" = {\n"
                         "    \"small\" { def Sphere \"body\" { double radius = 0.5 } }\n"
                         "    \"large\" { def Sphere \"body\" { double radius = 9 } }\n  }\n}\n",
                         "defaultPrim = \"Cup\""));
  put("sub.usda", stage("def Plane \"floor\"\n{\n}\nover \"A\"\n{\n  double3 xformOp:translate = "
                        "(7, 7, 7)\n}\n"));
  const std::string file = put(
      "main.usda",
      stage("class Xform \"_cup\" (payload = @base.usda@)\n{\n  double3 xformOp:translate = (0, "
            "0, 4)\n  uniform token[] xformOpOrder = [\"xformOp:translate\"]\n}\n"
            "def \"A\" (inherits = </_cup>)\n{\n}\n"
            "def \"B\" (references = @base.usda@</Cup>\n variants = { string size = \"large\" "
            "})\n{\n}\n"
            "def \"C\" (references = @base.usda@ active = false)\n{\n}\nover \"D\"\n{\n}\n",
            "upAxis = \"Z\"\nsubLayers = [ @./sub.usda@ ]"));
  const auto handed = open_any(file, method_catalogue());
  ASSERT_TRUE(handed) << handed.error().text();
  const auto radius = [&](const char* name) {
    return std::get<shape::BallInput>(body_of(*handed, name).shape.spec->what).radius;
  };
  EXPECT_EQ(radius("A"), 0.5);
  EXPECT_EQ(radius("B"), 9.0);
  EXPECT_EQ(body_of(*handed, "A").position, Vec3(7, 7, 7));
  EXPECT_EQ(handed->scene.bodies.size(), 3U);
  std::string listed;
  for (const Unused& row : handed->unused) listed += row.text() + "\n";
  for (const char* what : {"variants of size that are not chosen (4 of them)",
                           "prims that are not active", "overs of what is nowhere defined"})
    EXPECT_NE(listed.find(what), std::string::npos) << listed;
  // a pose of what stands in another file goes into this one
  const Pose wanted{{1, 2, 3}, Quat(0, 1, 0, 0)};
  const auto written = with_poses(*handed, {{"A", wanted}, {"B", wanted}});
  ASSERT_TRUE(written);
  const auto again = from_text(*written, file, method_catalogue());
  ASSERT_TRUE(again) << again.error().text() << *written;
  for (const char* name : {"A", "B"})
    EXPECT_LT((body_of(*again, name).position - wanted.position).norm(), 1e-14) << *written;
}

TEST_F(UsdaFiles, circles_bombs_and_missing_files_are_refused_with_their_place) {
  const std::string circle = put("a.usda", stage("def \"A\" (references = @b.usda@</B>)\n{\n}\n"));
  put("b.usda", stage("def \"B\" (references = @a.usda@</A>)\n{\n}\n"));
  EXPECT_NE(refusal(circle).find("a.usda:6:23: /A: the prim refers to itself"), std::string::npos)
      << refusal(circle);
  const std::string under = put("s.usda", stage("", "subLayers = [@s.usda@]"));
  EXPECT_NE(refusal(under).find("the file lies under itself"), std::string::npos);
  const std::string within =
      put("w.usda", stage("def \"A\"\n{\n def \"b\" (references = </A>)\n {\n }\n def \"c\" "
                          "(references = </A>)\n {\n }\n}\n"));
  EXPECT_NE(refusal(within).find("w.usda:"), std::string::npos) << refusal(within);
  std::string bomb = "def Xform \"p0\"\n{\n}\n";
  for (int i = 1; i < 40; ++i)
    bomb += fmt::format(
        "def \"p{}\"\n{{\n def \"x\" (references = </p{}>)\n {{\n }}\n def \"y\" "
        "(references = </p{}>)\n {{\n }}\n}}\n",
        i, i - 1, i - 1);
  EXPECT_NE(refusal(put("bomb.usda", stage(bomb))).find("too many"), std::string::npos);
  const std::string gone =
      refusal(put("m.usda", stage("def \"A\" (\n  references = @gone.usda@\n)\n{\n}\n")));
  EXPECT_NE(gone.find("m.usda:7:16: no such file (got gone.usda); a file that is there: "),
            std::string::npos)
      << gone;
  EXPECT_NE(refusal(put("c.usda", "PXR-USDC\n")).find("usdcat"), std::string::npos);
}

TEST(Usda, every_mistake_is_told_with_its_place) {
  const std::string mesh =
      "def Mesh \"m\"\n{\npoint3f[] points = [(0,0,0),(1,0,0),(0,1,0)]\nint[] faceVertexCounts = "
      "[3]\nint[] faceVertexIndices = [0,1,2]\n}\n";
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string out = mesh;
    return stage(out.replace(out.find(from), from.size(), to));
  };
  const auto op = [&](const std::string& text) {
    return with_ball(text + "\nuniform token[] xformOpOrder = [\"xformOp:translate\"]");
  };
  const std::vector<std::pair<std::string, std::string>> all{
      {"", "x.usda:1:1: no file of USD; #usda 1.0"},
      {"#usda 1.0\n(", "x.usda:2:2: what stands here is no name"},
      {stage("def Cube \"a\"\n{\n"), "x.usda:6:1: a prim that does not end"},
      {stage("def Cube \"a\"\n{\n}\ndef Cube \"a\"\n{\n}\n"),
       "x.usda:9:10: another prim beside it is called \"a\""},
      {stage("def Cube \"a\"\n{\n  double size = (1\n}\n"), "a bracket that closes no other"},
      {stage("def Cube \"a\"\n{\n  double size = 0\n}\n"), "x.usda:8:17: /a: not a length"},
      {stage("def Cube \"a\"\n{\n  double size = nan\n}\n"), "x.usda:8:17: not a number"},
      {stage("def Cube \"a\"\n{\n  double size = 1e999\n}\n"), "not a number"},
      {stage("def Cube \"a\"\n{\n  string s = \"x\n}\n"), "without its closing quote"},
      {stage("double x = 1\n"), "no prim; def, over or class"},
      {stage(""), "the file holds no shape"},
      {stage("def Cube \"a\" (\n  doc = [\n"), "brackets that do not close"},
      {"#usda 1.0\n(\nmetersPerUnit = 0\n)\n", "x.usda:3:17: no unit of length"},
      {stage("", "upAxis = \"X\""), "no axis that points up"},
      {op("double3 xformOp:translate = (1, 2)"), "no ',' between numbers"},
      {op(""), "xformOp:translate has no value"},
      {op("double3 xformOp:translate = (1, 2, 1e300)"), "it stands too far away"},
      {with_ball("uniform token[] xformOpOrder = [\"xformOp:twist\"]"), "no operation"},
      {with_ball("float3 xformOp:scale = (1, 1, 0)\nuniform token[] xformOpOrder = "
                 "[\"xformOp:scale\"]"),
       "a scale of zero"},
      {changed("[0,1,2]", "[0,1,3]"), "3 is not one of what faceVertexIndices may hold"},
      {changed("[0,1,2]", "[0,1]"), "fewer indices"},
      {changed("[0,1,2]", "[0,1,2,0]"), "more indices"},
      {changed("[3]", "[2]"), "faceVertexCounts may hold"},
      {changed("point3f[] points", "point3f[] pints"), "a mesh without points"},
      {changed("(0,1,0)]", "(0,1)]"), "no ',' between numbers"},
      {stage(std::string(100000, '(')), "x.usda:6:1"},
  };
  for (const auto& [text, told] : all) {
    const auto handed = read_as("x.usda", text);
    ASSERT_FALSE(handed) << text;
    EXPECT_NE(handed.error().text().find(told), std::string::npos)
        << handed.error().text() << "\nwanted " << told;
    EXPECT_NE(handed.error().text().find("x.usda:"), std::string::npos);
  }
  std::string deep, close;
  for (int i = 0; i < 100000; ++i) {
    deep += "def \"a\"{";
    close += "}";
  }
  EXPECT_NE(read_as("x.usda", stage(deep + close)).error().text().find("too deep"),
            std::string::npos);
}

TEST(Usda, a_place_that_only_writing_needs_is_refused_then) {
  const auto handed =
      read_as("x.usda",
              stage("def Odd \"cup\" (apiSchemas = [\"PhysicsRigidBodyAPI\"])\n{\n"
                    "    uniform token[] xformOpOrder = [\"xformOp:trans\"]\n"
                    "    def Cylinder \"body\" (apiSchemas = [\"PhysicsCollisionAPI\"]) { }\n}\n"));
  ASSERT_TRUE(handed) << handed.error().text();
  const auto written = with_poses(*handed, {{"cup", {Vec3(0, 0, 1), Quat::Identity()}}});
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().text().find("x.usda:"), std::string::npos) << written.error().text();
}

}  // namespace
}  // namespace repose::handover
