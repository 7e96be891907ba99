#include "repose/base/text.h"

#include <gtest/gtest.h>

namespace repose {
namespace {

TEST(text, utf_8_is_told_from_other_bytes) {
  EXPECT_TRUE(is_utf8(""));
  EXPECT_TRUE(is_utf8("plain, \xc3\xa4, \xe2\x82\xac, \xf0\x9f\x99\x82"));
  for (const char* bad : {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\x80"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
}

TEST(text, what_a_terminal_would_obey_is_shown_by_its_code) {
  const auto shown = [](std::string_view text) { return shown_text(text, LineEnds::escaped); };
  EXPECT_EQ(shown("plain \xc3\xa4 \xf0\x9f\x99\x82\ttab"), "plain \xc3\xa4 \xf0\x9f\x99\x82\ttab");
  EXPECT_EQ(shown("\x1b[2J"), "\\u001b[2J");
  EXPECT_EQ(shown("a\r\nb"), "a\\u000d\\u000ab");
  EXPECT_EQ(shown(std::string_view("nul\0", 4)), "nul\\u0000");
  EXPECT_EQ(shown("\x7f"), "\\u007f");
  EXPECT_EQ(shown("\xc2\x9b"
                  "31m"),
            "\\u009b31m")
      << "the same in one character";
  EXPECT_EQ(shown("\xe2\x80\xae"
                  "gpj.exe"),
            "\\u202egpj.exe")
      << "written backwards";
  EXPECT_EQ(shown("\x9b\xff"), "\\x9b\\xff") << "no text at all";
  EXPECT_EQ(shown_text("two\nlines\x1b", LineEnds::kept), "two\nlines\\u001b");
}

}  // namespace
}  // namespace repose
