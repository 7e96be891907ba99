#include "repose/scene/come.h"

#include <gtest/gtest.h>

#include "repose/scene/gallery.h"

namespace repose {
namespace {

Catalogue catalogue() {
  MethodInfo molecule{"molecule", "Soft bodies.", {}, {}};
  molecule.settings = {{"iterations_per_second",
                        SettingType::number,
                        1000.0,
                        {1.0, 1e6},
                        {},
                        "1/s",
                        "Steps in a second."}};
  return {molecule};
}

std::string document(const std::string& molecules, const std::string& more = "") {
  return R"(<?xml version="1.0"?>
<come>
 <scene gX="0" gY="-1.4" gZ="0">
  <simulation fps="600" duration="30"/>
  <patient name="John" gender="M" weight="70" height="1.8" age="25">
   <materials>
    <material description="soft" R="1" G="0.1" B="0.1" damping_const="0.2" density="970"
      youngs_modulus="15000" medium_density="1"/>
   </materials>
   <molecule_organ type="cartilage" description="bar">
)" + molecules +
         "   </molecule_organ>\n" + more + "  </patient>\n </scene>\n</come>\n";
}

constexpr const char* kTwo =
    R"(<molecule x="0" y="0" z="0" material="soft" friction_const="0.02" radius="0.012" fixed="true"/>
<molecule x="0.015" y="0" z="0" material="soft" friction_const="0.3" radius="0.012">
<force x="0" y="0.07" z="0" time="1"/><force x="0" y="0" z="0" time="2.5"/></molecule>
)";

Result<Scene> read(const std::string& text) {
  return scene_from_come(text, "scene.xml", catalogue());
}

std::string refusal(const std::string& text) {
  const auto scene = read(text);
  return scene ? "accepted" : scene.error().text();
}

TEST(Come, every_element_and_attribute_finds_its_place) {
  const auto scene = read(document(kTwo));
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(scene->gravity, Vec3(0, -1.4, 0));
  EXPECT_EQ(scene->limits.duration, 30.0);
  EXPECT_EQ(scene->method.kind, "molecule");
  EXPECT_EQ(std::get<double>(scene->method.settings.at("iterations_per_second")), 600.0);
  EXPECT_EQ(scene->patient->name, "John");
  EXPECT_EQ(scene->patient->age, 25.0);
  const auto world = build_world(*scene);
  ASSERT_TRUE(world) << world.error().text();
  const Body& body = world->problem.bodies[0];
  EXPECT_EQ(body.name, "bar");
  EXPECT_EQ(body.role, "cartilage");
  EXPECT_EQ(body.soft->links.size(), 1U);
  EXPECT_EQ(body.soft->fixed, (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(body.soft->material(0).friction, 0.02);
  EXPECT_EQ(body.soft->material(1).friction, 0.3);
  EXPECT_EQ(body.soft->material(1).young_modulus, 15000.0);
  EXPECT_EQ(body.soft->material(1).medium_density, 1.0);
  EXPECT_EQ(body.soft->material(1).color[1], 0.1);
  // c/k with k = 2/5 E a
  EXPECT_NEAR(body.soft->material(1).damping, 0.2 / (0.4 * 15000 * 0.015), 1e-15);
  ASSERT_EQ(world->problem.forces.size(), 1U);
  EXPECT_EQ(world->problem.forces[0].points, (std::vector<int>{1}));
  EXPECT_LT((pull_at(world->problem.forces[0], 1.75) - Vec3(0, 0.035, 0)).norm(), 1e-16);
}

TEST(Come, the_scene_of_the_appendix_is_a_floor_of_64_and_a_cube_of_8) {
  const auto path = find_scene("molecule/appendix-d");
  ASSERT_TRUE(path);
  EXPECT_TRUE(path->ends_with(".xml"));
  const auto scene = load_scene(*path, catalogue());
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_FALSE(scene->about.empty());
  const auto world = build_world(*scene);
  ASSERT_TRUE(world) << world.error().text();
  ASSERT_EQ(world->problem.bodies.size(), 2U);
  const SoftBody &floor = *world->problem.bodies[0].soft, &cube = *world->problem.bodies[1].soft;
  EXPECT_EQ(floor.size(), 64U);
  EXPECT_EQ(floor.links.size(), 2U * 7 * 8 + 2U * 7 * 7);
  EXPECT_EQ(std::count(floor.fixed.begin(), floor.fixed.end(), 1), 28);
  EXPECT_EQ(cube.size(), 8U);
  EXPECT_EQ(cube.links.size(), 12U + 12U);
  EXPECT_NEAR(floor.pitch, 0.015, 1e-15);
}

TEST(Come, what_is_written_reads_back_as_the_same_bodies) {
  const auto first = read(document(kTwo));
  ASSERT_TRUE(first);
  const auto text = write_come(*first);
  ASSERT_TRUE(text) << text.error().text();
  const auto second = read(*text);
  ASSERT_TRUE(second) << second.error().text() << *text;
  EXPECT_EQ(*write_come(*second), *text);
  const auto a = build_world(*first), b = build_world(*second);
  EXPECT_EQ(state_hash(a->state), state_hash(b->state));
  EXPECT_EQ(a->problem.bodies[0].soft->masses, b->problem.bodies[0].soft->masses);
  EXPECT_EQ(a->problem.forces[0].vectors, b->problem.forces[0].vectors);
  EXPECT_EQ(second->patient->name, "John");
  // and as JSON
  const auto json = scene_from_text(write_scene(*first), "scene.json", catalogue());
  ASSERT_TRUE(json) << json.error().text();
  EXPECT_TRUE(same_scene(*first, *json));
}

TEST(Come, names_outside_ascii_survive_both_encodings) {
  std::string latin = document(kTwo);
  latin.replace(latin.find("?>"), 2, " encoding=\"iso-8859-1\"?>");
  latin.replace(latin.find("John"), 4, "Ren\xE9");
  const auto scene = read(latin);
  ASSERT_TRUE(scene) << scene.error().text();
  EXPECT_EQ(scene->patient->name, "Ren\xC3\xA9");
}

TEST(Come, errors_name_line_and_column) {
  const auto says = [](const std::string& text, const std::string& place,
                       const std::string& words) {
    const std::string told = refusal(text);
    EXPECT_TRUE(told.starts_with("scene.xml:" + place)) << told;
    EXPECT_NE(told.find(words), std::string::npos) << told;
  };
  const auto one = [](const std::string& attributes) {
    return document("<molecule " + attributes + "/>\n");
  };
  says(one(R"(x="0" y="0" z="0" material="sofd" radius="1")"), "11:29: ", "did you mean \"soft\"");
  says(one(R"(x="0" y="0" z="0" material="soft" radius="0")"), "11:45: ", "out of range");
  says(one(R"(x="0" y="0" z="0" material="soft")"), "11:2: ", "has no attribute radius");
  says(one(R"(x="a" y="0" z="0" material="soft" radius="1")"), "11:11: ", "not a number");
  says(one(R"(x="0" y="0" z="0" material="soft" radius="1" colour="2")"),
       "11:56: ", "no such attribute");
  says(one(R"(x="0" y="0" z="0" material="soft" radius="1" fixed="yes")"),
       "11:56: ", "neither true nor false");
  says(document(""), "10:5: ", "an empty organ");
  says(document(std::string(kTwo) +
                R"(<molecule x="0.015" y="0" z="0" material="soft" radius="0.012"/>)"),
       "14:11: ", "molecule 2 is in the same place");
  says(document(R"(<molecule x="0" y="0" z="0" material="soft" radius="1"><force x="0" y="0" z="0"
     time="2"/><force x="0" y="0" z="0" time="2"/></molecule>)"),
       "12:41: ", "not after the force before it");
  std::string negative = document(kTwo);
  negative.replace(negative.find("15000"), 5, "-1");
  says(negative, "8:7: ", "out of range");
  says("<come><scene>", "1:", "broken XML");
  says("<house/>", "1:2: ", "not a scene of molecules");
  says("", "1:1: ", "broken XML");
}

TEST(Come, entities_are_not_expanded) {
  std::string bomb = R"(<?xml version="1.0"?><!DOCTYPE come [<!ENTITY a "1111111111">
<!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>)";
  std::string text = document(R"(<molecule x="&c;" y="0" z="0" material="soft" radius="1"/>)");
  text.replace(0, text.find('\n'), bomb);
  EXPECT_NE(refusal(text).find("not a number"), std::string::npos) << refusal(text);
}

TEST(Come, a_scene_that_the_document_cannot_say_is_refused) {
  const auto scene = scene_from_text(
      R"({"repose": 1, "method": {"kind": "molecule"}, "limits": {"duration": 1}, "bodies": [
         {"name": "b", "shape": {"kind": "ball", "radius": 1}}]})",
      "scene.json", catalogue());
  ASSERT_TRUE(scene) << scene.error().text();
  const auto text = write_come(*scene);
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().text().find("/bodies/0"), std::string::npos) << text.error().text();
}

}  // namespace
}  // namespace repose
