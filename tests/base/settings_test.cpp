#include "repose/base/settings.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

enum class Mode { gentle, paper };

struct Sample {
  double epsilon = 0.5;
  int tries = 3;
  bool loud = false;
  Mode mode = Mode::gentle;
  std::array<double, 3> wind{0, 0, 1};
};

SettingsTable<Sample> table() {
  SettingsTable<Sample> t;
  t.number("epsilon", &Sample::epsilon, {0.0, 1.0, true, false}, "m", "how far");
  t.integer("tries", &Sample::tries, {1, 10}, "how often");
  t.boolean("loud", &Sample::loud, "whether to say so");
  t.choice("mode", &Sample::mode, {"gentle", "paper"}, "which engine");
  t.vector("wind", &Sample::wind, "m/s", "from where");
  return t;
}

TEST(Settings, defaults_are_the_initialisers) {
  const auto t = table();
  EXPECT_EQ(std::get<double>(t.rows()[0].default_value), 0.5);
  EXPECT_EQ(std::get<std::string>(t.rows()[3].default_value), "gentle");
}

TEST(Settings, values_round_trip_by_name) {
  const auto t = table();
  const auto read = t.read({{"epsilon", 0.25},
                            {"tries", std::int64_t{7}},
                            {"loud", true},
                            {"mode", std::string("paper")},
                            {"wind", std::array<double, 3>{1, 2, 3}}});
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->mode, Mode::paper);
  const auto again = t.read(t.write(*read));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->epsilon, 0.25);
  EXPECT_EQ(again->tries, 7);
  EXPECT_TRUE(again->loud);
  EXPECT_EQ(again->wind[2], 3);
}

TEST(Settings, out_of_range_names_the_value_and_the_range) {
  const auto read = table().read({{"epsilon", 0.0}});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().pointer, "epsilon");
  EXPECT_NE(read.error().text().find("(0, 1]"), std::string::npos) << read.error().text();
}

TEST(Settings, unknown_names_are_errors) {
  EXPECT_FALSE(table().read({{"epsilom", 0.1}}));
}

TEST(Settings, text_of_every_type_is_read) {
  const auto t = table();
  EXPECT_EQ(std::get<double>(*setting_from_text(t.rows()[0], "1e-3")), 1e-3);
  EXPECT_EQ(std::get<std::int64_t>(*setting_from_text(t.rows()[1], "4")), 4);
  EXPECT_FALSE(setting_from_text(t.rows()[1], "4.5"));
  EXPECT_FALSE(setting_from_text(t.rows()[0], "nan"));
  EXPECT_EQ(std::get<bool>(*setting_from_text(t.rows()[2], "true")), true);
  EXPECT_FALSE(setting_from_text(t.rows()[3], "rough"));
  EXPECT_EQ((std::get<std::array<double, 3>>(*setting_from_text(t.rows()[4], "0,0,-9.81"))[2]),
            -9.81);
}

}  // namespace
}  // namespace repose
