#include "repose/serve/studio.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "repose/base/random.h"

#include "places.h"
#include "serve/raw_client.h"
#include "serve/sockets.h"

namespace repose::serve {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

std::unique_ptr<Studio> studio_of(const std::string& scene) {
  StudioOptions options;
  options.scene = scene;
  options.out = tests::own_path("studio");
  auto studio = Studio::start(options);
  EXPECT_TRUE(studio) << studio.error().text();
  return std::move(*studio);
}

/// A page's socket: asks and waits for the answer.
class Page {
 public:
  explicit Page(const Studio& studio) : client_(studio.port()) {
    EXPECT_TRUE(client_.open_socket(studio.port(), studio.token()));
  }
  json ask(const std::string& what, json more = json::object()) {
    more["id"] = ++id_;
    more["do"] = what;
    const auto answer = client_.ask(more.dump(), id_);
    EXPECT_TRUE(answer) << what;
    return answer ? json::parse(*answer) : json();
  }
  json status() {
    const auto text = client_.status();
    EXPECT_TRUE(text);
    return text ? json::parse(*text)["status"] : json();
  }
  RawClient& raw() { return client_; }

 private:
  RawClient client_;
  int id_ = 0;
};

long resident_bytes() {
  std::ifstream file("/proc/self/statm");
  long pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

TEST(studio, a_page_runs_pauses_undoes_and_judges) {
  const auto studio = studio_of("mechanism/four-bar");
  Page page(*studio);
  const json first = page.status();
  EXPECT_EQ(first["scene"], "mechanism/four-bar");
  EXPECT_EQ(page.ask("step", {{"count", 5}})["ok"], true);
  json status = page.status();
  EXPECT_EQ(status["step"], 5);
  EXPECT_NE(status["hash"], first["hash"]);
  EXPECT_EQ(page.ask("check")["ok"], true);
  status = page.status();
  EXPECT_EQ(status["verdict"]["overlap"], "proven");
  for (int i = 0; i < 5; ++i) page.ask("undo");
  while (status["step"] != 0) status = page.status();
  EXPECT_EQ(status["hash"], first["hash"]);
}

TEST(studio, scenes_of_the_gallery_come_with_pictures) {
  const auto studio = studio_of("mechanism/four-bar");
  Page page(*studio);
  std::map<std::string, int> scenes_of, pictures_of;
  const json gallery = page.ask("gallery");
  for (const json& scene : gallery["scenes"]) {
    const json answer = page.ask("gallery_picture", {{"scene", scene["name"]}});
    ++scenes_of[scene["method"]];
    if (answer["jpg"].is_null()) continue;  // of a series of sizes one has a picture
    ++pictures_of[scene["method"]];
    // the first bytes of every JPEG, in base64
    EXPECT_EQ(answer["jpg"].get<std::string>().substr(0, 4), "/9j/") << scene["name"];
  }
  EXPECT_GE(scenes_of.size(), 6u);
  for (const auto& [method, scenes] : scenes_of)
    EXPECT_GE(2 * pictures_of[method], scenes) << method;
}

TEST(studio, who_has_a_status_has_its_frame_and_who_has_an_answer_its_status) {
  const auto studio = studio_of("still/thousand-balls");
  // frames fill what the system takes in, so that messages wait for each other
  RawClient client(studio->port(), 4096);
  ASSERT_TRUE(client.open_socket(studio->port(), studio->token()));
  constexpr int kAsked = 40;
  std::map<std::string, std::string> frame_of;  // by the hash of the state
  std::string frame, hash;
  ASSERT_TRUE(client.send_frame(
      R"({"id": 0, "do": "edit", "kind": "nudge", "target": "coral-1", "values": {"move": [0, 0, 0.1]}})"));
  for (int id = 1; id <= kAsked; ++id)
    ASSERT_TRUE(client.send_frame(json{{"id", id}, {"do", id % 2 == 1 ? "undo" : "redo"}}.dump()));
  for (int answered = 0; answered <= kAsked;) {
    const auto next = client.frame();
    ASSERT_TRUE(next);
    if (next->opcode == 2) {
      frame = next->payload;
      continue;
    }
    const json said = json::parse(next->payload);
    if (!said.contains("status")) {
      EXPECT_EQ(said["to"], answered++);
      continue;
    }
    hash = said["status"]["hash"].get<std::string>();
    EXPECT_EQ(frame_of.emplace(hash, frame).first->second, frame);
  }
  EXPECT_EQ(frame_of.size(), 2U);
  // all that the last answer did was told before it
  EXPECT_EQ(Page(*studio).status()["hash"], hash);
}

TEST(studio, a_page_that_goes_leaves_the_run_going_and_another_joins_it) {
  const auto studio = studio_of("mechanism/four-bar");
  long seen = 0;
  {
    Page page(*studio);
    page.ask("run");
    while (seen < 3) seen = page.status()["step"].get<long>();
  }
  Page other(*studio);
  json status = other.status();
  EXPECT_EQ(status["running"], true);
  while (status["running"] == true && status["step"].get<long>() <= seen) status = other.status();
  EXPECT_GT(status["step"].get<long>(), seen);
}

TEST(studio, requests_that_change_something_are_refused_over_http) {
  const auto studio = studio_of("mechanism/four-bar");
  const int port = studio->port();
  const auto head = [&](const std::string& line, const std::string& more = "") {
    RawClient client(port);
    return client.status_of(
        fmt::format("{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n", line, port, more));
  };
  const std::string token = "?token=" + studio->token();
  EXPECT_EQ(head("GET /" + token), 200);
  EXPECT_EQ(head("GET /studio.js"), 200);
  EXPECT_EQ(head("GET /"), 403);
  EXPECT_EQ(head("POST /" + token), 405);
  EXPECT_EQ(head("GET /run" + token), 404);
  // the newest scene, also for who asks for one that is past; none of those to come
  EXPECT_EQ(head("GET /scene/1" + token), 200);
  EXPECT_EQ(head("GET /scene/0" + token), 200);
  EXPECT_EQ(head("GET /scene/1000000" + token), 404);
  EXPECT_EQ(head("GET /../../etc/passwd"), 404);
  EXPECT_EQ(head("GET /" + token, "Origin: http://evil.example\r\n"), 403);
  EXPECT_EQ(head("GET /" + token, "Host: evil.example\r\n"), 400);
  EXPECT_EQ(head("GET /socket" + token), 403);
  RawClient foreign(port);
  EXPECT_EQ(foreign.status_of(fmt::format(
                "GET /socket{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nOrigin: http://evil.example\r\n"
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
                token, port)),
            403);
}

TEST(studio, heads_without_end_and_nonsense_are_dropped) {
  const auto studio = studio_of("mechanism/four-bar");
  RawClient endless(studio->port());
  endless.send("GET / HTTP/1.1\r\n");
  for (int i = 0; i < 200 && endless.send("X-More: " + std::string(1000, 'x') + "\r\n"); ++i) {
  }
  EXPECT_FALSE(endless.receive(1'000'000));
  RawClient nonsense(studio->port());
  nonsense.send(std::string(5000, '\xff'));
  EXPECT_FALSE(nonsense.receive(1'000'000));
  Page page(*studio);
  EXPECT_EQ(page.ask("pause")["ok"], true);
}

/// Messages that are almost what a page would send.
std::string spoilt(Random& random) {
  static const std::string kGood[] = {
      R"({"id": 1, "do": "step", "count": 1})",
      R"({"id": 1, "do": "set", "name": "step_time", "value": 0.01})",
      R"({"id": 1, "do": "edit", "kind": "pose", "target": "coupler", "position": [0, 0, 0], "rotation": [1, 0, 0, 0]})",
      R"({"id": 1, "do": "edit", "kind": "nudge", "target": "coupler", "values": {"move": [0, 0, 1]}})",
      R"({"id": 1, "do": "grab", "body": "coupler", "at": [0, 0, 0], "to": [1, 1, 0], "max_force": 1})",
      R"({"id": 1, "do": "hold", "body": "coupler", "position": [0, 0, 0], "rotation": [1, 0, 0, 0]})",
      R"({"id": 1, "do": "open_text", "text": "{}"})",
      R"({"id": 1, "do": "save", "name": "x"})"};
  std::string out = kGood[random.below(std::size(kGood))];
  const auto changes = 1 + random.below(4);
  for (std::uint64_t i = 0; i < changes && !out.empty(); ++i) {
    const auto at = random.below(out.size());
    static const std::string kBits[] = {"1e999", "-1e308", "null",   "[[[[", "\"",      "\\u0000",
                                        "{",     "NaN",    "1e-320", "..",   "\xff\xfe"};
    switch (random.below(4)) {
      case 0:
        out.erase(at, 1 + random.below(6));
        break;
      case 1:
        out.insert(at, kBits[random.below(std::size(kBits))]);
        break;
      case 2:
        out[at] = static_cast<char>(random.below(128));
        break;
      default:
        out.resize(at);
    }
  }
  return out;
}

TEST(studio, thousands_of_spoilt_messages_are_answered_and_nothing_grows) {
  const auto studio = studio_of("mechanism/four-bar");
  constexpr int kMessages = 10'000;
  Random random(7);
  long before = 0;
  int answered = 0, closed = 0;
  auto page = std::make_unique<Page>(*studio);
  for (int i = 0; i < kMessages; ++i) {
    if (i == kMessages / 10) before = resident_bytes();
    // bytes that are no UTF-8 close the socket, as the protocol wants
    if (!page->raw().send_frame(spoilt(random)) || !page->raw().text("{\"to\"")) {
      page = std::make_unique<Page>(*studio);
      ++closed;
      continue;
    }
    ++answered;
  }
  EXPECT_GT(answered, kMessages / 2);
  EXPECT_EQ(answered + closed, kMessages);
  EXPECT_LT(resident_bytes() - before, 64L << 20);
  EXPECT_EQ(page->ask("open", {{"scene", "mechanism/four-bar"}})["ok"], true);
  EXPECT_EQ(page->ask("step")["ok"], true);
}

TEST(studio, messages_that_are_too_large_or_no_text_close_the_socket) {
  const auto studio = studio_of("mechanism/four-bar");
  Page large(*studio);
  large.raw().send_frame(std::string(kMostMessage + 1, ' '));
  EXPECT_FALSE(large.raw().text("{\"to\""));
  Page binary(*studio);
  binary.raw().send_frame("{}", 2);
  EXPECT_FALSE(binary.raw().text("{\"to\""));
}

TEST(studio, slow_clients_hold_nobody_up_and_cost_little) {
  const auto studio = studio_of("still/thousand-balls");
  constexpr int kClients = 64, kSlow = 8;
  constexpr int kRounds = 100;  // were the slow waited for, not one of them would end
  constexpr double kLeastPerSecond = 30.0;
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < kSlow; ++i) {
    slow.push_back(std::make_unique<RawClient>(studio->port(), 4096));
    ASSERT_TRUE(slow.back()->open_socket(studio->port(), studio->token()));
  }
  Page driver(*studio);
  std::vector<std::unique_ptr<RawClient>> quick;
  for (int i = 0; i < kClients - kSlow - 1; ++i) {
    quick.push_back(std::make_unique<RawClient>(studio->port()));
    ASSERT_TRUE(quick.back()->open_socket(studio->port(), studio->token()));
  }
  ASSERT_EQ(driver.ask("edit", {{"kind", "nudge"},
                                {"target", "coral-1"},
                                {"values", {{"move", {0.0, 0.0, 0.1}}}}})["ok"],
            true);
  const long before = resident_bytes();
  // every undo and redo makes a frame of 60 kB, of which the quick get each; the slow take a byte a
  // second
  const auto start = Clock::now();
  auto next_byte = start;
  for (int rounds = 0; rounds < kRounds; ++rounds) {
    ASSERT_EQ(driver.ask(rounds % 2 == 0 ? "undo" : "redo", {{"one", true}})["moved"], 1);
    for (const auto& client : quick) {
      auto frame = client->frame();
      while (frame && frame->opcode != 2) frame = client->frame();
      ASSERT_TRUE(frame);
      EXPECT_GT(frame->payload.size(), 50'000U);
    }
    if (Clock::now() < next_byte) continue;
    for (const auto& client : slow) EXPECT_TRUE(client->receive(1));
    next_byte += std::chrono::seconds(1);
  }
  const double rate = kRounds / std::chrono::duration<double>(Clock::now() - start).count();
  RecordProperty("frames_per_second", fmt::format("{:.0f}", rate));
  // how fast it is, is asked where nothing else is done beside
  const bool strict = std::getenv("REPOSE_STUDIO_STRICT") != nullptr;
  EXPECT_GT(rate, strict ? kLeastPerSecond : 0.0);
  EXPECT_LT(resident_bytes() - before, 64L << 20);
  EXPECT_EQ(driver.ask("pause")["ok"], true);
}

TEST(studio, a_port_that_is_taken_is_refused_by_name) {
  const auto studio = studio_of("mechanism/four-bar");
  StudioOptions options;
  options.scene = "mechanism/four-bar";
  options.port = studio->port();
  const auto second = Studio::start(options);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().pointer, "--port");
}

}  // namespace
}  // namespace repose::serve
