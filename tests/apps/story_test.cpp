// Recordings that someone changed by hand: what they say beyond their scene and edits proves
// nothing.
#include <functional>

#include <sqlite3.h>

#include "tool.h"

namespace repose {
namespace {

class StoryToolTest : public ToolTest {
 protected:
  /// Records a box that comes down beside a wall; its bodies are ground, box, wall in this order.
  void record(const std::string& more = "") {
    const std::string scene = scene_of(R"({ "repose": 1, "method": { "kind": "place" }, "bodies": [
      { "name": "ground", "fixed": true, "shape": { "kind": "half_space" } },
      { "name": "box", "mass": 1, "position": [0, 0, 0.7], "shape": { "kind": "box", "size": [1, 1, 1] } },
      { "name": "wall", "fixed": true, "position": [3, 0, 2], "shape": { "kind": "box", "size": [0.1, 4, 4] } } ])" +
                                       more + "}");
    ASSERT_EQ(run("run " + scene + " --out " + out_.string()), 0) << told("stderr.txt");
    ASSERT_EQ(verdict(), "proven");
    ASSERT_EQ(verdict("--prove"), "proven");
  }
  std::string verdict(const std::string& options = "") {
    run("check " + out_.string() + " --json " + options);
    const json said = json::parse(told("stdout.txt"));
    why_ = said.value("why", "");
    return said.value("verdict", "refused");
  }
  void change(const std::string& sql) const {
    sqlite3* file = nullptr;
    ASSERT_EQ(sqlite3_open((out_ / "recording.repose").c_str(), &file), SQLITE_OK);
    char* wrong = nullptr;
    EXPECT_EQ(sqlite3_exec(file, sql.c_str(), nullptr, nullptr, &wrong), SQLITE_OK)
        << (wrong ? wrong : "");
    sqlite3_close(file);
  }
  /// A double as a literal of its eight bytes.
  static std::string bytes(double x) {
    std::string out;
    unsigned char raw[8];
    std::memcpy(raw, &x, sizeof raw);
    for (const unsigned char b : raw) {
      char hex[3];
      std::snprintf(hex, sizeof hex, "%02x", b);
      out += hex;
    }
    return out;
  }
  /// Puts coordinate `axis` of the k-th body elsewhere in the last frame.
  void put(int k, int axis, double x) const {
    const int from = 56 * k + 8 * axis;
    change("update frames set poses = cast(substr(poses, 1, " + std::to_string(from) + ") || x'" +
           bytes(x) + "' || substr(poses, " + std::to_string(from + 9) +
           ") as blob) where id = (select max(id) from frames)");
  }
  std::string why_;
};

TEST_F(StoryToolTest, poses_are_judged_as_they_are) {
  record();
  put(1, 2, 0.499999);
  EXPECT_EQ(verdict(), "missed") << why_;
  put(1, 2, 0.51);
  EXPECT_EQ(verdict(), "missed") << why_;
}

TEST_F(StoryToolTest, a_fixed_body_does_not_go_elsewhere) {
  record();
  put(2, 1, 0.5);
  EXPECT_EQ(verdict(), "undecided") << why_;
  EXPECT_NE(why_.find("wall is fixed and recorded elsewhere"), std::string::npos) << why_;
}

TEST_F(StoryToolTest, what_bodies_are_is_told_by_scene_and_edits_alone) {
  const struct {
    const char *column, *value, *name;
  } forged[] = {{"fixed", "1", "box"},
                {"fixed", "0", "wall"},
                {"collides", "0", "wall"},
                {"mass", "1e-12", "box"},
                {"friction", "9.0", "box"}};
  for (const auto& [column, value, name] : forged) {
    fs::remove_all(out_);
    record();
    change(std::string("update bodies set ") + column + " = " + value + " where name = '" + name +
           "'");
    EXPECT_NE(verdict(), "proven") << column << ": " << why_;
    EXPECT_NE(why_.find(name), std::string::npos) << why_;
  }
}

TEST_F(StoryToolTest, an_edit_explains_what_changed) {
  record(R"(, "events": [ { "at_step": 2, "edits": [
      { "kind": "material", "target": "box", "friction": 0.9, "density": 2 },
      { "kind": "nudge", "target": "wall", "move": [1, 0, 0] } ] } ])");
  change("update bodies set friction = 9.0 where name = 'ground'");
  EXPECT_EQ(verdict(), "undecided") << why_;
}

TEST_F(StoryToolTest, a_body_does_not_vanish_from_one_frame) {
  record();
  change(
      "insert into casts(id, bodies) select max(id) + 1, cast(substr(bodies, 1, 8) as blob) from "
      "casts");
  change(
      "update frames set poses = cast(substr(poses, 1, 112) as blob), contacts = x'', "
      "cast_id = (select max(id) from casts) where id = (select max(id) from frames)");
  EXPECT_EQ(verdict(), "undecided") << why_;
  EXPECT_NE(why_.find("wall is not recorded"), std::string::npos) << why_;
}

TEST_F(StoryToolTest, a_status_written_by_hand_is_told_as_the_recordings_own_word) {
  record();
  put(1, 2, 0.51);
  ASSERT_EQ(verdict(), "missed") << why_;
  change(R"(update meta set value = replace(value, '"rest"', '"finished"') where key = 'result')");
  // its box hangs in the air, as in any film that ends before rest; nobody calls that rest
  verdict();
  EXPECT_NE(why_.find("own word the run ended as finished"), std::string::npos) << why_;
  const json said = json::parse(told("stdout.txt"));
  EXPECT_EQ(said.at("rest"), "not judged") << said.dump();
  EXPECT_EQ(said.at("told"),
            "the run ended with \"finished\": the recording's own word, not judged");
}

TEST_F(StoryToolTest, a_status_that_no_run_has_proves_nothing) {
  record();
  change(R"(update meta set value = replace(value, '"rest"', '"rested"') where key = 'result')");
  EXPECT_EQ(verdict(), "undecided") << why_;
  EXPECT_NE(why_.find("\"rested\""), std::string::npos) << why_;
}

TEST_F(StoryToolTest, a_recording_without_its_last_frames_proves_nothing) {
  record();
  change("delete from frames where id = (select max(id) from frames)");
  EXPECT_EQ(verdict(), "undecided") << why_;
  EXPECT_NE(why_.find("its result tells of"), std::string::npos) << why_;
}

TEST_F(StoryToolTest, time_does_not_run_backward) {
  record();
  change("update frames set step = (select max(id) from frames) - id");
  EXPECT_NE(verdict("--prove"), "proven") << why_;
}

}  // namespace
}  // namespace repose
