// One case for each kind of mistake: the error's line and pointer, and a word it must say.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "repose/base/stage_clock.h"
#include "repose/scene/gallery.h"

#include "places.h"
#include "sample.h"

namespace repose {
namespace {

struct Mistake {
  const char* name;
  const char* text;
  int line;
  const char* pointer;
  const char* says;
};

// each text stands after a first line {"repose": 1,
const Mistake kMistakes[] = {
    {"unknown_key", "\"bodeis\": []}", 2, "/bodeis", "did you mean \"bodies\""},
    {"key_of_another_object", "\"duration\": 5}", 2, "/duration", "it is a field of `limits`"},
    {"unknown_key_of_body",
     "\"bodies\": [\n{\"name\": \"a\", \"shape\": {\"kind\": \"ball\", "
     "\"radius\": 1}, \"positon\": [0,0,0]}]}",
     3, "/bodies/0/positon", "position"},
    {"name_of_another_tool",
     "\"bodies\": [\n{\"name\": \"a\", \"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}", 3,
     "/bodies/0/shape/kind", "did you mean \"ball\"?"},
    {"quaternion_in_another_order",
     "\"bodies\": [\n{\"name\": \"a\", \"shape\": {\"kind\": \"ball\", \"radius\": 1}, "
     "\"orientation_xyzw\": [0,0,0,1]}]}",
     3, "/bodies/0/orientation_xyzw", "did you mean \"orientation_wxyz\"? (w comes first)"},
    {"file_of_a_mesh", "\"shapes\": {\"b\": {\"kind\": \"mesh\", \"file\": \"a.stl\"}}}", 2,
     "/shapes/b/file", "\"path\" is a field of `shape mesh_file`"},
    {"missing_comma", "\"about\": \"x\"\n\"bodies\": []}", 3, "",
     "a comma at the end of line 2, or }"},
    {"zero_radius", "\"shapes\": {\"b\": {\"kind\": \"ball\",\n\"radius\": 0}}}", 3,
     "/shapes/b/radius", "out of range"},
    {"negative_radius", "\"shapes\": {\"b\": {\"kind\": \"ball\", \"radius\": -1}}}", 2,
     "/shapes/b/radius", "[1e-09, 1000000000] m"},
    {"enormous_radius", "\"shapes\": {\"b\": {\"kind\": \"ball\", \"radius\": 1e308}}}", 2,
     "/shapes/b/radius", "out of range"},
    {"enormous_position",
     "\"bodies\": [{\"name\": \"a\", \"shape\": \"s\", \"position\": [0, 1e308, 0]}]}", 2,
     "/bodies/0/position/1", "out of range"},
    {"not_a_number", "\"gravity\": [0, 0, NaN]}", 2, "/gravity", "finite"},
    {"infinity", "\"gravity\": [0, 0, -Infinity]}", 2, "/gravity", "finite"},
    {"overflow", "\"gravity\": [0, 0, 1e999]}", 2, "/gravity", "double"},
    {"short_vector", "\"gravity\": [0, 0]}", 2, "/gravity", "3 elements"},
    {"text_for_number", "\"shapes\": {\"b\": {\"kind\": \"ball\", \"radius\": \"1\"}}}", 2,
     "/shapes/b/radius", "not a number but a text"},
    {"fraction_for_count",
     "\"instances\": [{\"name\": \"i\", \"body\": {\"shape\": \"s\"}, \"arrange\": {\"kind\": "
     "\"line\", \"count\": 2.5, \"from\": [0,0,0], \"to\": [1,0,0]}}]}",
     2, "/instances/0/arrange/count", "whole"},
    {"missing_field", "\"shapes\": {\"b\": {\"kind\": \"torus\", \"ring_radius\": 1}}}", 2,
     "/shapes/b", "tube_radius"},
    {"fat_torus",
     "\"shapes\": {\"b\": {\"kind\": \"torus\", \"ring_radius\": 1, \"tube_radius\": 2}}}", 2,
     "/shapes/b/tube_radius", "hole"},
    {"missing_kind", "\"shapes\": {\"b\": {\"radius\": 1}}}", 2, "/shapes/b", "kind"},
    {"unknown_kind", "\"shapes\": {\"b\": {\"kind\": \"torsu\"}}}", 2, "/shapes/b/kind",
     "did you mean \"torus\""},
    {"duplicate_key", "\"about\": \"a\",\n\"about\": \"b\"}", 3, "/about", "twice"},
    {"duplicate_shape_name",
     "\"shapes\": {\"b\": {\"kind\": \"half_space\"},\n\"b\": {\"kind\": \"half_space\"}}}", 3,
     "/shapes/b", "twice"},
    {"duplicate_body",
     "\"shapes\": {\"b\": {\"kind\": \"ball\", \"radius\": 1}}, \"bodies\": [\n{\"name\": \"a\", "
     "\"shape\": \"b\"},\n{\"name\": \"a\", \"shape\": \"b\"}]}",
     4, "/bodies/1/name", "second body"},
    {"body_named_like_an_instance",
     "\"shapes\": {\"b\": {\"kind\": \"ball\", \"radius\": 1}},\n\"bodies\": [{\"name\": \"i-2\", "
     "\"shape\": \"b\"}], \"instances\": [{\"name\": \"i\", \"body\": {\"shape\": \"b\"}, "
     "\"arrange\": {\"kind\": \"line\", \"count\": 2, \"from\": [0,0,0], \"to\": [1,0,0]}}]}",
     3, "/bodies/0/name", "instance"},
    {"missing_shape",
     "\"shapes\": {\"ball\": {\"kind\": \"ball\", \"radius\": 1}},\n\"bodies\": [{\"name\": \"a\", "
     "\"shape\": \"bal\"}]}",
     3, "/bodies/0/shape", "did you mean \"ball\""},
    {"missing_material",
     "\"bodies\": [{\"name\": \"a\", \"shape\": {\"kind\": \"ball\", \"radius\": 1}, \"material\": "
     "\"tin\"}]}",
     2, "/bodies/0/material", "no such material"},
    {"missing_group",
     "\"bodies\": [{\"name\": \"a\", \"shape\": {\"kind\": \"ball\", \"radius\": 1}, \"groups\": "
     "[\"g\"]}]}",
     2, "/bodies/0/groups/0", "no such group"},
    {"negative_mass", "\"bodies\": [{\"name\": \"a\", \"shape\": \"s\", \"mass\": -2}]}", 2,
     "/bodies/0/mass", "out of range"},
    {"zero_mass", "\"bodies\": [{\"name\": \"a\", \"shape\": \"s\", \"mass\": 0}]}", 2,
     "/bodies/0/mass", "(0, "},
    {"zero_density", "\"materials\": {\"m\": {\"density\": 0}}}", 2, "/materials/m/density",
     "out of range"},
    {"two_rotations",
     "\"bodies\": [{\"name\": \"a\", \"shape\": \"s\", \"axis_angle_deg\": [0,0,1,5], "
     "\"orientation_wxyz\": [1,0,0,0]}]}",
     2, "/bodies/0", "more than one rotation"},
    {"long_quaternion",
     "\"bodies\": [{\"name\": \"a\", \"shape\": \"s\", \"orientation_wxyz\": [1,1,0,0]}]}", 2,
     "/bodies/0/orientation_wxyz", "unit quaternion"},
    {"zero_axis",
     "\"bodies\": [{\"name\": \"a\", \"shape\": \"s\", \"axis_angle_deg\": [0,0,0,5]}]}", 2,
     "/bodies/0/axis_angle_deg", "direction"},
    {"unknown_freedom", "\"bodies\": [{\"name\": \"a\", \"shape\": \"s\", \"frozen\": [\"w\"]}]}",
     2, "/bodies/0/frozen/0", "one of"},
    {"shape_in_itself",
     "\"shapes\": {\"a\": {\"kind\": \"union\", \"parts\": [{\"shape\": \"b\"}]},\n\"b\": "
     "{\"kind\": \"union\", \"parts\": [{\"shape\": \"a\"}]}}}",
     2, "/shapes/a", "a -> b -> a"},
    {"missing_part", "\"shapes\": {\"a\": {\"kind\": \"union\", \"parts\": [{\"shape\": \"b\"}]}}}",
     2, "/shapes/a/parts/0/shape", "no such shape"},
    {"missing_model", "\"shapes\": {\"a\": {\"model\": \"no-such-thing\"}}}", 2, "/shapes/a/model",
     "no such model"},
    {"huge_grid",
     "\"shapes\": {\"b\": {\"kind\": \"ball\", \"radius\": 1}},\n\"instances\": [{\"name\": \"i\", "
     "\"body\": {\"shape\": \"b\"}, \"arrange\": {\"kind\": \"grid\", \"counts\": [1000000, "
     "1000000, 1000000], \"spacing\": [1,1,1]}}]}",
     3, "/instances/0/arrange", "at most 1000000 bodies"},
    {"unknown_method", "\"method\": {\"kind\": \"pla\"}}", 2, "/method/kind", "no such kind"},
    {"unknown_setting", "\"method\": {\"kind\": \"place\", \"epsilonmax\": 1}}", 2,
     "/method/epsilonmax", "epsilon_max"},
    {"setting_out_of_range", "\"method\": {\"kind\": \"place\",\n\"epsilon_max\": 0}}", 3,
     "/method/epsilon_max", "(0, 1]"},
    {"setting_of_wrong_type", "\"method\": {\"kind\": \"place\", \"tries\": true}}", 2,
     "/method/tries", "whole"},
    {"setting_not_a_choice", "\"method\": {\"kind\": \"place\", \"engine\": \"papre\"}}", 2,
     "/method/engine", "did you mean \"paper\""},
    {"event_without_time", "\"events\": [{\"edits\": []}]}", 2, "/events/0", "never"},
    {"event_sets_unknown_setting",
     "\"events\": [{\"at_step\": 1, \"edits\": [{\"kind\": \"set\", \"target\": \"x\", \"value\": "
     "1}]}]}",
     2, "/events/0/edits/0/target", "no such setting"},
    {"event_on_missing_body",
     "\"events\": [{\"at_step\": 1, \"edits\": [{\"kind\": \"fix\", \"target\": \"x\"}]}]}", 2,
     "/events/0/edits/0/target", "no such body"},
    {"force_on_missing_body",
     "\"forces\": [{\"kind\": \"push\", \"body\": \"x\", \"vector\": [0,0,1]}]}", 2,
     "/forces/0/body", "no such body"},
    {"joint_with_itself",
     "\"bodies\": [{\"name\": \"a\", \"shape\": {\"kind\": \"ball\", \"radius\": "
     "1}}],\n\"joints\": "
     "[{\"kind\": \"pin\", \"body_a\": \"a\", \"body_b\": \"a\"}]}",
     3, "/joints/0/body_b", "itself"},
    {"empty_scatter_box",
     "\"instances\": [{\"name\": \"i\", \"body\": {\"shape\": \"s\"}, \"arrange\": {\"kind\": "
     "\"scatter\", \"count\": 1, \"low\": [0,0,0], \"high\": [1,0,1]}}]}",
     2, "/instances/0/arrange/high", "empty box"},
    {"null", "\"bodies\": null}", 2, "/bodies", "not a list"},
};

class BadInput : public testing::TestWithParam<Mistake> {};

TEST_P(BadInput, is_refused_at_its_place) {
  const Mistake& mistake = GetParam();
  const double start = cpu_seconds();
  const auto scene = sample::scene(std::string("{\"repose\": 1,\n") + mistake.text);
  EXPECT_LT(cpu_seconds() - start, 1.0);
  ASSERT_FALSE(scene);
  const InputError& error = scene.error();
  EXPECT_EQ(error.file, "sample.json");
  EXPECT_EQ(error.line, mistake.line) << error.text();
  EXPECT_GT(error.column, 0);
  EXPECT_EQ(error.pointer, mistake.pointer) << error.text();
  EXPECT_NE(error.text().find(mistake.says), std::string::npos) << error.text();
  EXPECT_FALSE(error.right.empty()) << error.text();
}

INSTANTIATE_TEST_SUITE_P(Kinds, BadInput, testing::ValuesIn(kMistakes),
                         [](const auto& tried) { return std::string(tried.param.name); });

TEST(BadInputFiles, a_missing_file_is_named) {
  const auto scene = load_scene("/no/such/scene.json", sample::catalogue());
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().file, "/no/such/scene.json");
  EXPECT_FALSE(load_scene("/", sample::catalogue()));
}

TEST(BadInputFiles, a_name_that_is_none_gets_its_likely_meaning) {
  const auto said = [](const std::string& name) {
    const auto found = find_scene(name);
    EXPECT_FALSE(found) << name;
    return found ? std::string() : found.error().text();
  };
  const auto holds = [](const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(holds(said("pile/bx-27"), "did you mean \"pile/box-27\""));
  EXPECT_TRUE(holds(said(testing::TempDir()), "folder"));
  const std::string folder = tests::own_path("named").string();
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/table.json") << "{}";
  EXPECT_TRUE(holds(said(folder + "/tabel.json"), folder + "/table.json"));
  EXPECT_TRUE(holds(said(folder + "/something-else.xml"), "repose list"));
}

TEST(BadInputFiles, another_version_is_refused) {
  const auto scene = sample::scene("{\"repose\": 2}");
  ASSERT_FALSE(scene);
  EXPECT_EQ(scene.error().pointer, "/repose");
  EXPECT_FALSE(sample::scene("{}"));
  EXPECT_FALSE(sample::scene("[]"));
}

TEST(BadInputFiles, models_that_contain_each_other_are_refused_with_the_circle) {
  const std::string folder = tests::own_path("cyclic_models").string();
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& name, const std::string& other) {
    std::ofstream(folder + "/" + name)
        << "{\"repose\": 1, \"shape\": {\"kind\": \"union\", \"parts\": [{\"shape\": {\"model\": \""
        << other << "\"}}]}}";
  };
  write("one.json", "two.json");
  write("two.json", "one.json");
  std::ofstream(folder + "/scene.json")
      << "{\"repose\": 1, \"shapes\": {\"a\": {\"model\": \"one.json\"}}}";
  const auto scene = load_scene(folder + "/scene.json", sample::catalogue());
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().text().find("two.json -> model one.json"), std::string::npos)
      << scene.error().text();
}

TEST(BadInputFiles, unions_that_double_at_every_level_are_refused_at_once) {
  std::string text = "{\"repose\": 1, \"shapes\": {\"s0\": {\"kind\": \"ball\", \"radius\": 1}";
  for (int i = 1; i < 60; ++i) {
    const std::string part = "{\"shape\": \"s" + std::to_string(i - 1) + "\"}";
    text += ", \"s" + std::to_string(i) + "\": {\"kind\": \"union\", \"parts\": [" + part + ", " +
            part + "]}";
  }
  const auto scene = sample::scene(text + "}}");
  ASSERT_FALSE(scene);
  EXPECT_NE(scene.error().text().find("too many parts"), std::string::npos);
}

TEST(SetFromText, names_what_is_wrong) {
  const auto catalogue = sample::catalogue();
  auto scene = *sample::scene("{\"repose\": 1, \"method\": {\"kind\": \"place\"}}");
  ASSERT_TRUE(apply_setting(scene, "place.epsilon_max=0.02", catalogue));
  EXPECT_EQ(std::get<double>(scene.method.settings.at("epsilon_max")), 0.02);
  ASSERT_TRUE(apply_setting(scene, "place.wind=1,2,3", catalogue));
  for (const char* bad : {"epsilon_max=1", "place.epsilon_max", "pile.epsilon_max=0.1",
                          "place.epsilon=1", "place.epsilon_max=7", "place.tries=1.5"}) {
    const auto done = apply_setting(scene, bad, catalogue);
    ASSERT_FALSE(done) << bad;
    EXPECT_FALSE(done.error().right.empty()) << bad;
  }
  const auto done = apply_setting(scene, "place.epsilonmax=1", catalogue);
  EXPECT_NE(done.error().text().find("did you mean \"epsilon_max\""), std::string::npos);
}

}  // namespace
}  // namespace repose
