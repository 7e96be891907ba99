// Settings that are said by an old name, or in an old way, are read and told.
#include <gtest/gtest.h>

#include "sample.h"

namespace repose {
namespace {

/// A method whose settings have a past.
Catalogue changed() {
  struct Settings {
    bool repair = false, rough = false;
    double most_rough = 9.0;
  };
  using S = Settings;
  const auto table = SettingsTable<S>()
                         .boolean("repair", &S::repair, "Mends.")
                         .once("mend")
                         .boolean("rough", &S::rough, "Not smooth.")
                         .once_number("most_rough")
                         .number("most_rough", &S::most_rough, {.min = 0.0, .max = 10.0}, "1",
                                 "How rough at most.");
  return {MethodInfo{"still", "Nothing moves.", {}, {}},
          MethodInfo{"pile", "Heaps.", table.rows(), {}}};
}

Result<Scene> scene(const std::string& method, const std::string& more = "") {
  return scene_from_text(
      "{\"repose\": 1,\n\"method\": {\"kind\": \"pile\"" + method + "}" + more + "}", "sample.json",
      changed());
}

TEST(OldNames, an_old_name_in_a_scene_is_read_written_as_today_and_told_with_its_line) {
  const auto read = scene(", \"mend\": true");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(std::get<bool>(read->method.settings.at("repair")));
  ASSERT_EQ(read->notes.size(), 1u);
  EXPECT_EQ(read->notes[0], "sample.json:2:28: /method/mend: mend is the old name of repair");
  EXPECT_EQ(write_scene(*read).find("mend"), std::string::npos);
  EXPECT_TRUE(scene(", \"repair\": true")->notes.empty());
}

TEST(OldNames, a_number_where_a_switch_stands_today_is_read) {
  const auto read = scene(", \"rough\": 0.4");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_TRUE(std::get<bool>(read->method.settings.at("rough")));
  EXPECT_EQ(std::get<double>(read->method.settings.at("most_rough")), 0.4);
  EXPECT_EQ(read->notes.size(), 1u);
  EXPECT_FALSE(std::get<bool>(scene(", \"rough\": 0")->method.settings.at("rough")));
  EXPECT_FALSE(scene(", \"rough\": \"very\""));
  EXPECT_EQ(scene(", \"rough\": 11").error().line, 2);
}

TEST(OldNames, the_same_said_twice_is_refused) {
  const auto twice = scene(", \"mend\": true, \"repair\": false");
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().wrong.find("given twice"), std::string::npos);
  EXPECT_FALSE(scene(", \"most_rough\": 1, \"rough\": 0.4"));
}

TEST(OldNames, events_and_the_command_line_know_them_too) {
  auto read = scene("",
                    R"(, "events": [{"at_step": 1, "edits": [
                       {"kind": "set", "target": "mend", "value": true},
                       {"kind": "set", "target": "rough", "value": 0.3}]}])");
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_EQ(read->events[0].edits.size(), 3u);
  EXPECT_EQ(read->events[0].edits[0].target, "repair");
  EXPECT_EQ(read->notes.size(), 2u);
  ASSERT_TRUE(apply_setting(*read, "pile.mend=true", changed()));
  EXPECT_EQ(read->notes.back(), "--set: mend is the old name of repair");
  ASSERT_TRUE(apply_setting(*read, "pile.rough=0.25", changed()));
  EXPECT_EQ(std::get<double>(read->method.settings.at("most_rough")), 0.25);
}

TEST(OldNames, the_schema_marks_them) {
  const std::string schema = scene_schema(changed());
  EXPECT_NE(schema.find("Old name of repair."), std::string::npos);
  EXPECT_NE(schema.find("\"deprecated\": true"), std::string::npos);
}

}  // namespace
}  // namespace repose
