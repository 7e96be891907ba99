// Files that are wrong, or meant to do harm.
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

#include "open.h"

namespace repose::handover {
namespace {

namespace fs = std::filesystem;

struct Wrong {
  const char* file;
  std::string text;
  const char* told;  // the error begins with the file's name, line and column, and holds this
};
std::string world(const std::string& inside) {
  return "<mujoco>\n<worldbody>\n" + inside + "\n</worldbody>\n</mujoco>";
}
std::string sdf(const std::string& inside) {
  return "<sdf version='1.9'>\n<world name='w'>\n" + inside + "\n</world>\n</sdf>";
}
std::string many(const std::string& text, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

TEST(Hostile, every_mistake_is_told_with_its_place) {
  const std::vector<Wrong> all{
      {"a.xml", "<mujoco><worldbody>", ":1:19: broken XML"},
      {"a.xml", "<mujoco/>", "<mujoco> holds no <worldbody>"},
      {"a.xml", world("<geom size='x'/>"), ":3:7: /mujoco/worldbody/geom/@size: not a number"},
      {"a.xml", world("<geom tpye='box' size='1 1 1'/>"),
       ":3:7: /mujoco/worldbody/geom/@tpye: <geom> has no such attribute (got \"box\"); did you "
       "mean \"type\"?"},
      {"a.xml", world("<geom size='0'/>"), ":3:7: /mujoco/worldbody/geom/@size: not a length"},
      {"a.xml", world("<geom size='1e-30'/>"), ":3:7:"},
      {"a.xml", world("<geom type='box' size='1 2'/>"), "too few numbers"},
      {"a.xml", world("<geom size='1e999'/>"), "not a number"},
      {"a.xml", world("<geom size='nan'/>"), "not a number"},
      {"a.xml", world("<geom type='hfield' size='1'/>"), "a geom of type hfield without a field"},
      {"a.xml", world("<geom type='mesh' mesh='m'/>"), "there is no such mesh"},
      {"a.xml", world("<geom class='c' size='1'/>"), "there is no such class"},
      {"a.xml", world("<body><joint type='screw'/><geom size='1'/></body>"), "no such joint"},
      {"a.xml", world("<body quat='0 0 0 0'><freejoint/><geom size='1'/></body>"),
       ":3:7: /mujoco/worldbody/body/@quat: a quaternion without length"},
      {"a.xml", world("<body quat='1 0 0 0' euler='0 0 0'><freejoint/></body>"),
       "a second rotation"},
      {"a.xml", world("<body><freejoint/><geom type='plane' size='1 1 1'/></body>"),
       "a plane that moves"},
      {"a.xml", world("<composite type='cable'/>"), ":3:2: /mujoco/worldbody/composite"},
      {"a.xml", world("<include file='nowhere.xml'/>"), "a file that is there"},
      {"a.xml", "<mujoco><compiler coordinate='global'/><worldbody/></mujoco>",
       "global coordinates"},
      {"a.xml", "<mujoco><keyframe><key qpos='1 2'/></keyframe><worldbody/></mujoco>",
       "2 numbers (got \"1 2\"); 0, as the joints of the model have"},
      // one number too few, so that zeros stand where a quaternion would: the count is the mistake
      {"a.xml",
       world(
           "<body><freejoint/><geom size='1'/></body></worldbody><keyframe><key qpos='1 2 1 0 0 0'"
           "/></keyframe><worldbody>"),
       "6 numbers (got \"1 2 1 0 0 0\"); 7, as the joints of the model have"},
      {"a.xml",
       world("<body><freejoint/><geom size='1'/></body></worldbody><keyframe><key qpos='1 2 1 0 0 0"
             " 0'/></keyframe><worldbody>"),
       "a quaternion without length"},
      {"a.xml",
       "<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 1 1 0'/></asset><worldbody>"
       "<geom type='mesh' mesh='m'/></worldbody></mujoco>",
       "the points have no convex hull"},
      {"a.urdf", "<robot name='r'/>", "<robot> holds no <link>"},
      {"a.urdf", "<mujoco/>", "a document whose root is <mujoco>; <robot>"},
      {"a.urdf", "<robot><link name='a'/><link name='a'/></robot>", "another link has this name"},
      {"a.urdf", "<robot><link name='a'/><link name='b'/></robot>", "have no parent"},
      {"a.urdf",
       "<robot><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/>"
       "<child link='b'/></joint><joint name='k' type='fixed'><parent link='b'/>"
       "<child link='a'/></joint></robot>",
       "every link has a parent"},
      {"a.urdf",
       "<robot><link name='a'><collision><geometry><mesh filename='package://p/m.stl'/>"
       "</geometry></collision></link></robot>",
       "is in none of the folders around the file"},
      {"a.urdf",
       "<robot><link name='a'><collision><geometry><mesh filename='http://x/m.stl'/>"
       "</geometry></collision></link></robot>",
       "what lies on another machine is not fetched"},
      {"a.urdf",
       "<robot><link name='a'><collision><geometry><mesh filename='parts/wedge.obj' "
       "scale='0 1 1'/></geometry></collision></link></robot>",
       "a scale of zero"},
      {"a.sdf",
       sdf("<model name='m'><pose relative_to='m'>1 0 0 0 0 0</pose><link name='l'/></model>"),
       "in a circle"},
      {"a.sdf", sdf("<model name='m'><pose>1 2</pose><link name='l'/></model>"), "too few numbers"},
      {"a.sdf", sdf("<model name='m'><link name='l'><pose relative_to='x'/></link></model>"),
       ":3:18: /sdf/world/model/link: there is no frame \"x\""},
      {"a.sdf", sdf("<include><uri>model://nothing</uri></include>"), "in none of the folders"},
      {"a.sdf", sdf("<include><uri>https://fuel/mug</uri></include>"), "not fetched"},
      {"a.sdf", sdf("<model name='m'><link name='a'/><link name='a'/></model>"), "stands twice"},
      {"a.xml",
       world("<body><freejoint/>" + many("<geom type='box' size='1 1 1'/>", 20000) + "</body>"),
       "a moving body of 20000 shapes; at most 1000"},
      {"a.xml", many("<a>", 5000) + many("</a>", 5000), "elements lie too deep"},
  };
  for (const Wrong& wrong : all) {
    const auto handed = read_as(wrong.file, wrong.text);
    ASSERT_FALSE(handed) << wrong.text.substr(0, 200);
    const std::string told = handed.error().text();
    EXPECT_NE(told.find(wrong.told), std::string::npos) << told << "\nwanted " << wrong.told;
    EXPECT_NE(told.find(std::string(wrong.file) + ":"), std::string::npos) << told;
  }
}

TEST(Hostile, entities_are_not_expanded) {
  std::string bomb = "<!DOCTYPE m [<!ENTITY a0 'aaaaaaaaaa'>";
  for (int i = 1; i < 30; ++i)
    bomb += fmt::format("<!ENTITY a{} '{}'>", i, many(fmt::format("&a{};", i - 1), 10));
  const auto handed = read_as("a.xml", bomb + "]>" + world("<geom name='&a29;' size='1'/>"));
  ASSERT_TRUE(handed) << handed.error().text();
  EXPECT_EQ(handed->scene.bodies.at(0).name, "&a29;");
}

TEST(Hostile, files_that_include_one_another_are_refused) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("handover_{}", getpid());
  fs::create_directories(folder);
  const auto put = [&](const char* name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  put("a.xml", "<mujoco><include file='b.xml'/><worldbody/></mujoco>");
  put("b.xml", "<mujoco><include file='a.xml'/></mujoco>");
  auto circle = open_any((folder / "a.xml").string(), method_catalogue());
  ASSERT_FALSE(circle);
  EXPECT_NE(
      circle.error().text().find("b.xml:1:18: /mujoco/include/@file: the file contains itself"),
      std::string::npos)
      << circle.error().text();
  // each file twice in the one above: 2^20 files
  for (int i = 0; i < 15; ++i)
    put(fmt::format("n{}.xml", i).c_str(),
        fmt::format("<mujoco><include file='n{0}.xml'/><include file='n{0}.xml'/></mujoco>",
                    i + 1));
  put("n15.xml", "<mujoco/>");
  put("top.xml", "<mujoco><include file='n1.xml'/><worldbody/></mujoco>");
  const auto bomb = open_any((folder / "top.xml").string(), method_catalogue());
  ASSERT_FALSE(bomb);
  EXPECT_NE(bomb.error().text().find("too many files"), std::string::npos) << bomb.error().text();
  fs::remove_all(folder);
}

}  // namespace
}  // namespace repose::handover
