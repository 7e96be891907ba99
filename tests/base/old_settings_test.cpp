#include <gtest/gtest.h>

#include "repose/base/settings.h"

namespace repose {
namespace {

struct Sample {
  bool repair = false;
  bool rough = false;
  double most_rough = 9.0;
};

const SettingsTable<Sample>& table() {
  static const auto out = SettingsTable<Sample>()
                              .boolean("repair", &Sample::repair, "Mends.")
                              .once("mend")
                              .boolean("rough", &Sample::rough, "Not smooth.")
                              .once_number("most_rough")
                              .number("most_rough", &Sample::most_rough, {.min = 0.0, .max = 10.0},
                                      "1", "How rough at most.");
  return out;
}

TEST(OldSettings, an_old_name_is_read_with_a_note) {
  const auto given = given_setting(table().rows(), "mend", true);
  ASSERT_TRUE(given);
  EXPECT_TRUE(std::get<bool>(given->values.at("repair")));
  EXPECT_EQ(given->note, "mend is the old name of repair");
  EXPECT_EQ(given_setting(table().rows(), "repair", true)->note, "");
  EXPECT_TRUE(table().read({{"mend", true}})->repair);
  EXPECT_EQ(table().write(*table().read({{"mend", true}})).count("mend"), 0u);
}

TEST(OldSettings, a_number_where_a_switch_stands_today_sets_both) {
  const auto given = given_setting(table().rows(), "rough", 0.25);
  ASSERT_TRUE(given);
  EXPECT_TRUE(std::get<bool>(given->values.at("rough")));
  EXPECT_EQ(std::get<double>(given->values.at("most_rough")), 0.25);
  EXPECT_NE(given->note.find("old way"), std::string::npos);
  EXPECT_FALSE(table().read({{"rough", std::int64_t{0}}})->rough);
  EXPECT_EQ(table().read({{"rough", true}})->most_rough, 9.0);
}

TEST(OldSettings, the_same_from_the_command_line) {
  EXPECT_EQ(
      std::get<double>(given_setting_text(table().rows(), "rough", "0.5")->values["most_rough"]),
      0.5);
  EXPECT_TRUE(std::get<bool>(given_setting_text(table().rows(), "rough", "true")->values["rough"]));
  EXPECT_EQ(given_setting_text(table().rows(), "mend", "false")->note,
            "mend is the old name of repair");
  EXPECT_FALSE(given_setting_text(table().rows(), "mend", "perhaps"));
}

TEST(OldSettings, what_is_wrong_is_refused_by_the_name_as_given) {
  EXPECT_EQ(given_setting(table().rows(), "mend", 3.0).error().pointer, "mend");
  EXPECT_EQ(given_setting(table().rows(), "rough", 11.0).error().wrong, "out of range");
  EXPECT_EQ(given_setting(table().rows(), "menda", true).error().wrong, "unknown setting");
}

}  // namespace
}  // namespace repose
