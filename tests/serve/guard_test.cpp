#include "serve/guard.h"

#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace repose::serve {
namespace {

const Door kDoor{8080, "0123456789abcdef0123456789abcdef"};

Knock good(const std::string& path) {
  Knock out;
  out.method = "GET";
  out.target = path + "?token=" + kDoor.token;
  out.hosts = 1;
  out.host = "127.0.0.1:8080";
  return out;
}
Knock socket() {
  Knock out = good("/socket");
  out.origin = "http://127.0.0.1:8080";
  out.upgrade = true;
  return out;
}

TEST(guard, who_has_the_address_gets_page_scene_and_socket) {
  EXPECT_EQ(admit(good("/"), kDoor).way, Way::page);
  EXPECT_EQ(admit(good("/scene/12"), kDoor).way, Way::scene);
  EXPECT_EQ(admit(good("/scene/12"), kDoor).serial, 12);
  EXPECT_EQ(admit(socket(), kDoor).way, Way::socket);
  Knock by_name = socket();
  by_name.host = "localhost:8080";
  by_name.origin = "http://localhost:8080";
  EXPECT_EQ(admit(by_name, kDoor).way, Way::socket);
  Knock script = good("/");
  script.target = "/studio.js";
  EXPECT_EQ(admit(script, kDoor).way, Way::script);
}

TEST(guard, every_wrong_combination_of_origin_host_and_token_is_refused) {
  const std::optional<std::string> origins[] = {"http://127.0.0.1:8080",
                                                std::nullopt,
                                                "null",
                                                "http://evil.example",
                                                "https://127.0.0.1:8080",
                                                "http://127.0.0.1:8081",
                                                "http://localhost:8080",
                                                "HTTP://127.0.0.1:8080",
                                                "http://127.0.0.1:8080/"};
  const std::string hosts[] = {"127.0.0.1:8080", "127.0.0.1",        "127.0.0.1:8081",
                               "evil.example",   "127.0.0.1:8080.x", "[::1]:8080"};
  const std::string tokens[] = {kDoor.token, "", "0", kDoor.token + "0", kDoor.token.substr(1)};
  int combinations = 0;
  for (const auto& origin : origins)
    for (const std::string& host : hosts)
      for (const std::string& token : tokens) {
        Knock knock = socket();
        knock.origin = origin;
        knock.host = host;
        knock.target = "/socket?token=" + token;
        const bool right = &origin == &origins[0] && &host == &hosts[0] && &token == &tokens[0];
        EXPECT_EQ(admit(knock, kDoor).way == Way::socket, right)
            << origin.value_or("none") << ' ' << host << ' ' << token;
        ++combinations;
      }
  EXPECT_GE(combinations, 60);
}

TEST(guard, paths_outside_the_bundle_are_refused_however_they_are_spelled) {
  std::set<std::string> paths = {"",
                                 "*",
                                 "//",
                                 "/.",
                                 "/..",
                                 "/index.html",
                                 "/studio.js/",
                                 "/STUDIO.JS",
                                 "/scene",
                                 "/scene/",
                                 "/scene/-1",
                                 "/scene/01",
                                 "/scene/1/",
                                 "/scene/+1",
                                 "/scene/1e3",
                                 "/scene/99999999999999999999",
                                 "/socket/",
                                 "/Socket",
                                 "http://127.0.0.1:8080/",
                                 "/\\..\\studio.js"};
  const char* ups[] = {"..",   "%2e%2e",       "%2E%2E", "..%2f", ".%2e",  "%252e%252e", "..;",
                       "..\\", "%c0%ae%c0%ae", "....",   ".../",  "..%00", "..%5c",      "..%ff"};
  const char* ends[] = {"etc/passwd", "studio.js", "report.js", "src/serve/guard.cpp",
                        ".git/config"};
  for (const char* up : ups)
    for (const char* end : ends)
      for (int depth = 1; depth <= 5; ++depth) {
        std::string path;
        for (int i = 0; i < depth; ++i) path += std::string("/") + up;
        paths.insert(path + "/" + end);
      }
  EXPECT_GE(paths.size(), 300U);
  for (const std::string& path : paths) {
    EXPECT_EQ(admit(good(path), kDoor).way, Way::refused) << path;
    Knock plain = good(path);
    plain.target = path;
    EXPECT_EQ(admit(plain, kDoor).way, Way::refused) << path;
  }
}

TEST(guard, nothing_but_get_is_done_and_one_host_is_named) {
  for (const char* method : {"POST", "PUT", "DELETE", "HEAD", "OPTIONS", "get", "CONNECT"}) {
    Knock knock = good("/");
    knock.method = method;
    EXPECT_EQ(admit(knock, kDoor).status, 405) << method;
  }
  for (const int hosts : {0, 2}) {
    Knock knock = good("/");
    knock.hosts = hosts;
    EXPECT_EQ(admit(knock, kDoor).status, 400);
  }
}

TEST(guard, tokens_are_long_and_differ) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    seen.insert(make_token());
    EXPECT_EQ(seen.begin()->size(), 32U);
  }
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "ab"));
}

}  // namespace
}  // namespace repose::serve
