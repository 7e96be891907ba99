// Scenes to start from, runs that go on, Ctrl-C at any moment.
#include <chrono>
#include <csignal>
#include <thread>

#include "apps/tool.h"

namespace repose {
namespace {

using NewToolTest = ToolTest;

TEST_F(NewToolTest, every_new_scene_runs_to_a_proven_verdict) {
  for (const char* method : {"place", "pile", "mechanism", "molecule", "surfel", "still"}) {
    const fs::path file = folder_ / (std::string(method) + ".json");
    ASSERT_EQ(run(std::string("new ") + method + " " + file.string()), 0) << told("stderr.txt");
    ASSERT_EQ(run("run " + file.string() + " --out " + out_.string()), 0) << method << "\n"
                                                                          << told("stderr.txt");
    EXPECT_EQ(result()["verdict"]["overlap"], "proven") << method;
  }
}

TEST_F(NewToolTest, a_new_scene_overwrites_nothing_and_knows_its_methods) {
  const std::string file = (folder_ / "a.json").string();
  ASSERT_EQ(run("new " + file), 0);
  const std::string before = text(file);
  EXPECT_EQ(run("new pile " + file), 2);
  EXPECT_NE(told("stderr.txt").find("there already"), std::string::npos);
  EXPECT_EQ(text(file), before);
  EXPECT_EQ(run("new pil " + (folder_ / "b.json").string()), 2);
  EXPECT_NE(told("stderr.txt").find("did you mean \"pile\""), std::string::npos);
}

TEST_F(NewToolTest, colours_are_read_as_names_and_hex) {
  const auto scene = [](const std::string& color) {
    return R"({"repose": 1, "method": {"kind": "still"}, "materials": {"m": {"color": )" + color +
           R"(}}, "bodies": [{"name": "b", "shape": {"kind": "ball", "radius": 1}, "material": "m"}]})";
  };
  EXPECT_EQ(run("run " + scene_of(scene(R"("#ff8000")")) + " --out " + out_.string()), 0);
  EXPECT_EQ(run("run " + scene_of(scene(R"("tomato")")) + " --out " + out_.string()), 0);
  EXPECT_EQ(run("run " + scene_of(scene(R"("tomatto")")) + " --out " + out_.string()), 2);
  EXPECT_NE(told("stderr.txt").find("did you mean \"tomato\""), std::string::npos);
  EXPECT_EQ(run("run " + scene_of(scene(R"("#ff80")")) + " --out " + out_.string()), 2);
}

TEST_F(NewToolTest, a_run_that_goes_on_ends_with_the_same_bits) {
  const fs::path whole = folder_ / "whole";
  ASSERT_EQ(run("run pile/box-27 --out " + whole.string()), 0);
  const json wanted = json::parse(text(whole / "result.json"));
  ASSERT_EQ(run("run pile/box-27 --steps 5 --out " + out_.string()), 0);
  EXPECT_EQ(result()["steps"], 5);
  ASSERT_EQ(run("run --resume " + out_.string()), 0) << told("stderr.txt");
  EXPECT_EQ(result()["state_hash"], wanted["state_hash"]);
  EXPECT_EQ(result()["steps"], wanted["steps"]);
  EXPECT_EQ(run("run --resume " + out_.string()), 2);
  EXPECT_NE(told("stderr.txt").find("has come to its end"), std::string::npos);
}

TEST_F(NewToolTest, a_recording_with_a_mesh_of_ones_own_is_read_wherever_it_is_taken) {
  std::ofstream(folder_ / "wedge.obj") << "v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0.3 0.3 1\n"
                                          "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  const std::string scene = scene_of(R"({"repose": 1, "method": {"kind": "place"}, "bodies": [
      {"name": "ground", "shape": {"kind": "half_space"}, "fixed": true},
      {"name": "wedge", "shape": {"kind": "mesh_file", "path": "wedge.obj", "scale": 0.1}, "position": [0, 0, 0.3],
       "roll_pitch_yaw_deg": [30, 20, 0]}]})");
  ASSERT_EQ(run("run " + scene + " --steps 1 --out " + out_.string()), 0) << told("stderr.txt");
  fs::remove(folder_ / "wedge.obj");
  fs::remove(folder_ / "scene.json");
  const fs::path moved = folder_ / "moved";
  fs::rename(out_, moved);
  EXPECT_EQ(run("run --resume " + moved.string()), 0) << told("stderr.txt");
  EXPECT_EQ(run("check " + moved.string() + " --prove"), 0) << told("stderr.txt");
  EXPECT_EQ(run("run --replay " + moved.string() + " --out " + out_.string()), 0)
      << told("stderr.txt");
  EXPECT_EQ(run("report " + moved.string()), 0) << told("stderr.txt");
}

TEST_F(NewToolTest, what_a_run_replaces_is_said) {
  ASSERT_EQ(run("run pile/box-27 --steps 2 --out " + out_.string()), 0);
  EXPECT_EQ(told("stdout.txt").find("in place of"), std::string::npos);
  ASSERT_EQ(run("run still/shapes --out " + out_.string()), 0);
  EXPECT_NE(told("stdout.txt").find("in place of the run of pile/box-27"), std::string::npos);
}

TEST_F(NewToolTest, a_missed_promise_tells_cause_place_and_what_to_try) {
  const std::string scene = scene_of(
      R"({"repose": 1, "method": {"kind": "still"}, "bodies": [
      {"name": "left", "shape": {"kind": "ball", "radius": 1}},
      {"name": "right", "shape": {"kind": "ball", "radius": 1}, "position": [1.5, 0, 0]}]})");
  EXPECT_EQ(run("run " + scene + " --out " + out_.string()), 1);
  const std::string said = told("stderr.txt");
  EXPECT_NE(said.find("cause: left and right overlap by 0.5 m"), std::string::npos) << said;
  EXPECT_NE(said.find("place: (0.75, 0, 0) m"), std::string::npos) << said;
  EXPECT_NE(said.find("try: move one of the two"), std::string::npos) << said;
  EXPECT_NE(said.find("docs/what-now.md"), std::string::npos) << said;
}

/// The tool as a child that can be interrupted.
TEST_F(NewToolTest, ctrl_c_is_answered_at_once_and_done_within_two_seconds) {
  for (const int milliseconds : {300, 1500, 3000}) {
    const pid_t child = fork();
    if (child == 0) {
      static_cast<void>(freopen((folder_ / "said.txt").c_str(), "w", stderr));
      static_cast<void>(freopen("/dev/null", "w", stdout));
      const std::string tool = repose::tests::tool();
      execl(tool.c_str(), tool.c_str(), "run", "pile/pour-10000", "--out", out_.c_str(),
            static_cast<char*>(nullptr));
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    kill(child, SIGINT);
    const auto asked = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    EXPECT_NE(text(folder_ / "said.txt").find("stopping"), std::string::npos) << milliseconds;
    int status = 0;
    waitpid(child, &status, 0);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - asked;
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << milliseconds;
    // the promise is 2 s; machines that run tests are busy
    EXPECT_LT(took.count(), 4.0) << milliseconds;
  }
}

}  // namespace
}  // namespace repose
