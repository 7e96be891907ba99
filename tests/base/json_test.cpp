#include "repose/base/json.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "repose/base/json_write.h"
#include "repose/base/random.h"
#include "repose/base/stage_clock.h"

namespace repose {
namespace {

InputError error_of(const std::string& text) {
  const auto parsed = JsonDocument::parse(text, "t.json");
  if (parsed) {
    ADD_FAILURE() << "accepted: " << text.substr(0, 80);
    return {};
  }
  return parsed.error();
}

TEST(Json, a_value_in_a_message_stands_on_one_line) {
  const auto shown = [](const std::string& text) {
    const auto parsed = JsonDocument::parse(text, "a.json");
    return parsed ? (*parsed)->root().shown() : "";
  };
  EXPECT_EQ(shown("[\n   0,\n   0.03,\n   0.1\n]"), "[0, 0.03, 0.1]");
  EXPECT_EQ(shown("{ \"a  b\": 1 }"), "{\"a  b\": 1}");
  EXPECT_EQ(shown("\"two  words\""), "\"two  words\"");
  const std::string many = shown("[" + std::string(100, '1') + "\n]");
  EXPECT_EQ(many.substr(many.size() - 5), "... ]");
}

TEST(Json, comments_and_a_last_comma_are_allowed) {
  const auto parsed = JsonDocument::parse("// a\n{ \"a\": [1, /* b */ 2,], }\n// end", "t");
  ASSERT_TRUE(parsed) << parsed.error().text();
  const auto a = (*parsed)->root().find("a");
  ASSERT_TRUE(a);
  EXPECT_EQ(a->size(), 2U);
}

TEST(Json, every_value_knows_its_line_column_and_pointer) {
  const auto parsed = JsonDocument::parse("{\n  \"k/1\": [0,\n    {\"é\": true}]\n}", "t.json");
  ASSERT_TRUE(parsed);
  std::optional<JsonView> inner;
  (*parsed)->root().find("k/1")->each([&](JsonView item) {
    if (item.kind() == JsonKind::object) inner = item.find("é");
    return true;
  });
  ASSERT_TRUE(inner);
  const InputError error = inner->error("w", "r");
  EXPECT_EQ(error.line, 3);
  EXPECT_EQ(error.column, 11);
  EXPECT_EQ(error.pointer, "/k~11/1/é");
  EXPECT_EQ(error.value, "true");
}

TEST(Json, malformed_texts_are_refused_at_their_place) {
  struct Case {
    const char* text;
    int line, column;
  };
  for (const Case& c : {Case{"{\"a\": NaN}", 1, 7},
                        Case{"{\"a\": -Infinity}", 1, 7},
                        Case{"{\"a\": 1e999}", 1, 7},
                        Case{"{\"a\": 01}", 1, 7},
                        Case{"{\"a\": 1.}", 1, 7},
                        Case{"{\"a\":\n .5}", 2, 2},
                        Case{"{\"a\": 1,\n\"a\": 2}", 2, 1},
                        Case{"{\"a\": 1 \"b\": 2}", 1, 9},
                        Case{"[1, 2", 1, 6},
                        Case{"{\"a\"}", 1, 5},
                        Case{"[1] 2", 1, 5},
                        Case{"\"abc", 1, 1},
                        Case{"\"a\\x\"", 1, 3},
                        Case{"\"\\ud800\"", 1, 2},
                        Case{"\"a\tb\"", 1, 3},
                        Case{"[\"\xff\"]", 1, 3},
                        Case{"/* x", 1, 1},
                        Case{"", 1, 1},
                        Case{"{a: 1}", 1, 2},
                        Case{"[nul]", 1, 2},
                        Case{"{\"a\":1, \"\\u0061\":2}", 1, 9},
                        Case{"[,]", 1, 2}}) {
    const InputError error = error_of(c.text);
    EXPECT_EQ(error.line, c.line) << c.text << ": " << error.text();
    EXPECT_EQ(error.column, c.column) << c.text << ": " << error.text();
    EXPECT_FALSE(error.wrong.empty() || error.right.empty()) << c.text;
  }
}

TEST(Json, a_hundred_thousand_brackets_are_refused_at_once) {
  const double start = cpu_seconds();
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += bracket;
    EXPECT_NE(error_of(text).wrong.find("deep"), std::string::npos);
  }
  EXPECT_LT(cpu_seconds() - start, 1.0);
}

TEST(Json, escapes_are_decoded) {
  const auto parsed = JsonDocument::parse(R"(["a\n\"\\\u00e9\ud83d\ude00"])", "t");
  ASSERT_TRUE(parsed);
  (*parsed)->root().each([](JsonView item) {
    EXPECT_EQ(item.text(), "a\n\"\\é😀");
    return true;
  });
}

TEST(Json, written_doubles_read_back_to_the_same_bits) {
  Random random(7);
  const auto check = [](double x) {
    const auto parsed = JsonDocument::parse(Json(x).line(), "t");
    ASSERT_TRUE(parsed) << Json(x).line();
    EXPECT_EQ(std::bit_cast<std::uint64_t>((*parsed)->root().number()),
              std::bit_cast<std::uint64_t>(x));
  };
  for (const double x : {0.0, -0.0, 0.1, 1.0 / 3.0, 1e300, 5e-324, 123456789012345680.0,
                         std::numeric_limits<double>::max(), 2.0, 1e16})
    check(x);
  for (int i = 0; i < 20'000; ++i) {
    const double x = std::bit_cast<double>(random.bits());
    if (std::isfinite(x) && std::fabs(x) > std::numeric_limits<double>::min()) check(x);
  }
}

TEST(Json, random_damage_never_breaks_the_reader) {
  const std::string good =
      "{\"a\": [1, -2.5e3, {\"b\": \"x\\u00e9\"}], /* c */ \"d\": true, // e\n \"f\": null}";
  Random random(3);
  int refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text = good;
    for (std::uint64_t k = 0; k <= random.below(3); ++k)
      text[random.below(text.size())] = static_cast<char>(random.below(256));
    if (random.below(4) == 0) text.resize(random.below(text.size()));
    if (!JsonDocument::parse(text, "t")) ++refused;
  }
  EXPECT_GT(refused, 10'000);
}

TEST(json_write, what_is_not_finite_is_null) {
  EXPECT_EQ(known(0.5).line(), "0.5");
  EXPECT_EQ(known(std::numeric_limits<double>::quiet_NaN()).line(), "null");
  EXPECT_EQ(known(-std::numeric_limits<double>::infinity()).line(), "null");
}

TEST(json_write, bytes_that_are_no_text_are_replaced) {
  const std::string text = quoted("a\xff\xc3(\x01");
  EXPECT_EQ(text, "\"a\xef\xbf\xbd\xef\xbf\xbd(\\u0001\"");
  EXPECT_TRUE(JsonDocument::parse(text, "t.json"));
}

TEST(json_write, a_tall_text_has_a_line_for_each_value) {
  const Json out = Json::Object{{"list", Json::Array{1, true, "x"}}, {"none", Json::Object{}}};
  EXPECT_EQ(out.tall(),
            "{\n  \"list\": [\n    1,\n    true,\n    \"x\"\n  ],\n  \"none\": {}\n}\n");
}

TEST(json_write, what_was_read_is_written_again) {
  const std::string text =
      R"({"a": [1, 2.5, -3e-300, 9007199254740993], "b": {"c": null, "d": [true, "\u00e9\n"]}})";
  const auto read = JsonDocument::parse(text, "t.json");
  ASSERT_TRUE(read);
  Json copy((*read)->root());
  EXPECT_EQ(copy.line(),
            "{\"a\": [1, 2.5, -3e-300, 9007199254740993], \"b\": {\"c\": null, \"d\": [true, "
            "\"\xc3\xa9\\n\"]}}");
  copy["b"]["c"] = 7;
  copy["e"] = Json::Array{};
  copy["e"].push_back("new");
  EXPECT_NE(copy.line().find(R"("c": 7)"), std::string::npos);
  EXPECT_NE(copy.line().find(R"("e": ["new"])"), std::string::npos);
  EXPECT_THROW(copy["e"]["f"], BrokenPromise);
  EXPECT_THROW(copy.push_back(1), BrokenPromise);
}

}  // namespace
}  // namespace repose
