// The command-line tool as a user meets it: exit codes, result.json, Ctrl-C, kill.
#include "tool.h"

#include <csignal>
#include <thread>

#include "repose/record/recording.h"

namespace repose {
namespace {

constexpr const char* kBalls = R"({
  "repose": 1, "about": "Marbles apart.",
  "shapes": { "marble": { "kind": "ball", "radius": 0.5 } },
  "instances": [ { "name": "marble", "body": { "shape": "marble", "position": [0, 0, 0.6] },
    "arrange": { "kind": "grid", "counts": [5, 4, 1], "spacing": [1.2, 1.2, 1.2] } } ],
  "method": { "kind": "still", "steps": STEPS, "step_time": 0.01 }
})";

class StillToolTest : public ToolTest {
 protected:
  std::string scene(const std::string& steps) const {
    std::string text = kBalls;
    text.replace(text.find("STEPS"), 5, steps);
    return scene_of(text);
  }
  /// Starts a run that lasts until it is ended.
  pid_t start_long_run() const {
    const std::string path = scene("1000000000");
    const pid_t child = fork();
    if (child != 0) return child;
    execl(repose::tests::tool(), "repose", "run", path.c_str(), "--out", out_.c_str(), "--quiet",
          "--no-pages", nullptr);
    _exit(127);
  }
};

TEST_F(StillToolTest, a_still_run_ends_with_0_and_writes_the_contract) {
  ASSERT_EQ(run("run " + scene("3") + " --out " + out_.string() + " --threads 2 --pages"), 0)
      << told("stderr.txt");
  const json r = result();
  for (const char* name :
       {"scene", "method", "status", "steps", "frames", "seconds", "penetration", "balance",
        "energy", "bodies", "contacts", "threads", "state_hash", "version"})
    EXPECT_TRUE(r.contains(name)) << name;
  for (const char* name : {"total", "solve", "prepare", "step"})
    EXPECT_TRUE(r["seconds"][name].is_number()) << name;
  for (const char* name : {"final", "worst", "final_relative", "worst_relative", "source"})
    EXPECT_TRUE(r["penetration"].contains(name)) << name;
  for (const char* name : {"force", "torque"}) EXPECT_TRUE(r["balance"].contains(name)) << name;
  EXPECT_EQ(r["method"], "still");
  EXPECT_EQ(r["status"], "finished");
  EXPECT_EQ(r["steps"], 3);
  EXPECT_EQ(r["frames"], 4);
  EXPECT_EQ(r["bodies"], 20);
  EXPECT_EQ(r["threads"], 2);
  EXPECT_NEAR(r["energy"]["start"].get<double>(), 20 * 1000.0 * M_PI / 6.0 * 9.81 * 0.6, 1e-6);
  EXPECT_TRUE(fs::exists(out_ / "still.png"));
  EXPECT_TRUE(fs::exists(out_ / "report.html"));
  const auto recording = repose::Recording::open(out_ / "recording.repose");
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->frame_count(), 4);
  EXPECT_EQ(json::parse(recording->result_text())["state_hash"], r["state_hash"]);
}

TEST_F(StillToolTest, the_state_hash_is_the_same_on_1_2_and_4_threads) {
  std::string first;
  for (const char* threads : {"1", "2", "4"}) {
    ASSERT_EQ(run("run " + scene("3") + " --out " + out_.string() + " --threads " + threads), 0);
    const std::string hash = result()["state_hash"];
    if (first.empty()) first = hash;
    EXPECT_EQ(hash, first);
  }
}

TEST_F(StillToolTest, bad_input_exits_2_with_its_place_and_writes_nothing) {
  std::ofstream(folder_ / "bad.json") << "{\n \"repose\": 1,\n \"bodys\": []\n}";
  const std::string bad = (folder_ / "bad.json").string();
  EXPECT_EQ(run("run " + bad + " --out " + out_.string()), 2);
  EXPECT_NE(told("stderr.txt").find("bad.json:3"), std::string::npos) << told("stderr.txt");
  EXPECT_EQ(run("run " + bad + " --json --out " + out_.string()), 2);
  EXPECT_EQ(json::parse(told("stdout.txt"))["error"]["line"], 3);
  EXPECT_EQ(run("run no-such-scene --out " + out_.string()), 2);
  EXPECT_EQ(run("run " + scene("3") + " --set still.stepps=3 --out " + out_.string()), 2);
  EXPECT_EQ(run("run " + scene("0") + " --out " + out_.string()), 2);
  EXPECT_EQ(run("run " + scene("3")), 2) << "no folder given";
  EXPECT_EQ(run("no-such-command"), 2);
  EXPECT_FALSE(fs::exists(out_));
}

TEST_F(StillToolTest, a_folder_that_cannot_be_made_is_named) {
  std::ofstream(folder_ / "file") << "in the way";
  EXPECT_EQ(run("run " + scene("3") + " --out " + (folder_ / "file" / "out").string()), 2);
  EXPECT_NE(told("stderr.txt").find((folder_ / "file").string()), std::string::npos);
}

TEST_F(StillToolTest, settings_and_steps_of_the_command_line_count) {
  ASSERT_EQ(run("run " + scene("3") + " --set still.steps=9 --json --out " + out_.string()), 0);
  EXPECT_EQ(json::parse(told("stdout.txt"))["steps"], 9);
  ASSERT_EQ(run("run " + scene("3") + " --steps 2 --out " + out_.string()), 0);
  EXPECT_EQ(result()["steps"], 2);
}

TEST_F(StillToolTest, overlapping_bodies_exit_1_and_tell_by_how_much) {
  std::string text = kBalls;
  text.replace(text.find("STEPS"), 5, "1");
  text.replace(text.find("[1.2, 1.2"), 9, "[0.9, 1.2");
  std::ofstream(folder_ / "overlap.json") << text;
  EXPECT_EQ(run("run " + (folder_ / "overlap.json").string() + " --out " + out_.string()), 1);
  EXPECT_NE(told("stderr.txt").find("overlap"), std::string::npos);
  EXPECT_EQ(result()["penetration"]["source"], "check");
  EXPECT_NEAR(result()["penetration"]["final"].get<double>(), 0.1, 1e-6);
}

TEST_F(StillToolTest, what_to_try_makes_a_ball_at_rest_in_molecule_proven) {
  std::ofstream(folder_ / "ball.json")
      << R"({"repose": 1, "method": {"kind": "molecule"}, "limits": {"duration": 0.6}, "bodies": [
           {"name": "floor", "shape": {"kind": "half_space"}, "fixed": true},
           {"name": "ball", "shape": {"kind": "ball", "radius": 0.06}, "position": [0, 0, 0.2]}]})";
  const std::string ball = "run " + (folder_ / "ball.json").string() + " --quiet --out ";
  EXPECT_EQ(run(ball + out_.string()), 1) << "the gap that it keeps is no contact to the judge";
  EXPECT_NE(told("stderr.txt").find("molecule.contact_gap="), std::string::npos);
  EXPECT_EQ(run(ball + out_.string() + " --set molecule.contact_gap=1e-9"), 0);
}

TEST_F(StillToolTest, ctrl_c_keeps_a_valid_result) {
  const pid_t child = start_long_run();
  while (!fs::exists(out_ / "recording.repose"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  kill(child, SIGINT);
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
  const json r = result();
  EXPECT_EQ(r["status"], "stopped");
  const auto recording = repose::Recording::open(out_ / "recording.repose");
  ASSERT_TRUE(recording);
  EXPECT_EQ(recording->frame_count(), r["frames"]);
}

TEST_F(StillToolTest, a_killed_run_leaves_a_readable_recording) {
  const pid_t child = start_long_run();
  while (!fs::exists(out_ / "recording.repose"))
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  const auto recording = repose::Recording::open(out_ / "recording.repose");
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_GT(recording->frame_count(), 0);
  EXPECT_TRUE(recording->result_text().empty());
}

TEST_F(StillToolTest, small_commands_answer) {
  EXPECT_EQ(run("version"), 0);
  EXPECT_EQ(told("stdout.txt").rfind("repose ", 0), 0U);
  EXPECT_EQ(run("--help"), 0);
  EXPECT_EQ(run("list --json"), 0);
  EXPECT_TRUE(json::parse(told("stdout.txt"))["scenes"].is_array());
  EXPECT_EQ(run("schema"), 0);
  EXPECT_TRUE(json::parse(told("stdout.txt")).is_object());
  EXPECT_EQ(run("describe --json " + scene("1")), 0);
  EXPECT_EQ(json::parse(told("stdout.txt"))["bodies"].size(), 20U);
}

constexpr const char* kCube =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 3 4 8 7\nf 1 5 8 4\nf 2 3 7 6\n";

TEST_F(StillToolTest, commands_read_other_tools_files_as_they_are_told) {
  const std::string cube = (folder_ / "cube.obj").string();
  std::ofstream(cube) << kCube;
  constexpr double kInch = 0.0254;
  const auto volume = [&] {
    return json::parse(told("stdout.txt"))["bodies"][1]["volume"].get<double>();
  };
  ASSERT_EQ(run("describe --json --unit in " + cube), 0) << told("stderr.txt");
  EXPECT_NEAR(volume(), kInch * kInch * kInch, 1e-18);
  const std::string scene = (folder_ / "cube.json").string();
  ASSERT_EQ(run("convert --unit in " + cube + " " + scene), 0) << told("stderr.txt");
  ASSERT_EQ(run("describe --json " + scene), 0) << told("stderr.txt");
  EXPECT_NEAR(volume(), kInch * kInch * kInch, 1e-18);
  EXPECT_EQ(run("check --unit parsec " + cube), 2);
  EXPECT_NE(told("stderr.txt").find("--unit: no such unit"), std::string::npos);
  EXPECT_EQ(run("run --hulls " + scene + " --out " + out_.string()), 2);
  EXPECT_NE(told("stderr.txt").find("--hulls"), std::string::npos) << told("stderr.txt");
}

TEST_F(StillToolTest, poses_of_a_model_are_listed_and_drawn) {
  std::ofstream(folder_ / "cube.obj") << kCube;
  ASSERT_EQ(run("poses " + (folder_ / "cube.obj").string() + " --json --out " + out_.string()), 0)
      << told("stderr.txt");
  const json poses = json::parse(told("stdout.txt"));
  EXPECT_EQ(poses["count"], 6);
  EXPECT_TRUE(poses["exact"]);
  for (const json& pose : poses["poses"]) {
    EXPECT_NEAR(pose["share"].get<double>(), 1.0 / 6, 1e-9);
    EXPECT_NEAR(pose["height"].get<double>(), 0.5, 1e-12);
    EXPECT_EQ(pose["contact"]["kind"], "area");
  }
  EXPECT_GT(fs::file_size(out_ / "poses.png"), 10'000U);
  EXPECT_EQ(run("poses nothing-like-it"), 2);
  EXPECT_NE(told("stderr.txt").find("SCENE#BODY"), std::string::npos);
}

TEST_F(StillToolTest, poses_made_by_anyone_are_judged) {
  std::ofstream(folder_ / "scene.json") << R"({
    "repose": 1, "about": "Two balls.", "method": { "kind": "still" },
    "shapes": { "ball": { "kind": "ball", "radius": 0.5 } },
    "bodies": [ { "name": "floor", "shape": { "kind": "half_space" }, "fixed": true },
                { "name": "one", "shape": "ball", "position": [0, 0, 0.5] },
                { "name": "two", "shape": "ball", "position": [2, 0, 0.5] } ] })";
  const std::string scene = (folder_ / "scene.json").string();
  EXPECT_EQ(run("check " + scene), 0);
  // the second in the first
  std::ofstream(folder_ / "poses.json")
      << R"({"scene": "scene.json", "poses": [{"body": "two", "position": [0.9, 0, 0.5]}]})";
  EXPECT_EQ(run("check " + (folder_ / "poses.json").string() + " --json --out " + out_.string()),
            1);
  const json verdict = json::parse(told("stdout.txt"));
  EXPECT_EQ(verdict["verdict"], "missed");
  ASSERT_EQ(verdict["overlaps"].size(), 1U);
  EXPECT_EQ(verdict["overlaps"][0]["pair"], json({"one", "two"}));
  EXPECT_NEAR(verdict["gap"]["upper"].get<double>(), -0.1, 1e-6);
  EXPECT_FALSE(verdict["why"].get<std::string>().empty());
  EXPECT_GT(fs::file_size(out_ / "check.html"), 10'000U);
  // in the air, by CSV
  std::ofstream(folder_ / "poses.csv") << "body,x,y,z,qw,qx,qy,qz\ntwo,2,0,0.7,1,0,0,0\n";
  EXPECT_EQ(run("check " + scene + " --poses " + (folder_ / "poses.csv").string() + " --json"), 1);
  const json falls = json::parse(told("stdout.txt"));
  EXPECT_EQ(falls["stability"]["class"], "unstable");
  EXPECT_EQ(falls["stability"]["witness"]["body"], "two");
  // mistakes have their place
  std::ofstream(folder_ / "bad.csv") << "body,x,y,z,qw,qx,qy,qz\ntwo,2,0,oops,1,0,0,0\n";
  EXPECT_EQ(run("check " + scene + " --poses " + (folder_ / "bad.csv").string()), 2);
  EXPECT_NE(told("stderr.txt").find("bad.csv:2"), std::string::npos);
  // a run's folder
  ASSERT_EQ(run("run " + scene + " --out " + (folder_ / "ran").string() + " --quiet"), 0);
  EXPECT_EQ(run("check " + (folder_ / "ran").string() + " --prove --between 2 --json"), 0);
  EXPECT_EQ(json::parse(told("stdout.txt"))["frames"]["verdict"], "proven");
}

TEST_F(StillToolTest, a_body_that_an_edit_puts_elsewhere_goes_no_way_and_a_film_of_it_does) {
  const std::string scene = scene_of(R"({
    "repose": 1, "method": { "kind": "still", "steps": 4, "step_time": 1.0 }, "gravity": [0, 0, 0],
    "bodies": [ { "name": "wall", "shape": { "kind": "box", "size": [0.01, 2, 2] }, "fixed": true },
                { "name": "ball", "shape": { "kind": "ball", "radius": 0.3 }, "position": [-1, 0, 0] } ],
    "events": [ { "at_step": 2, "edits": [
      { "kind": "pose", "target": "ball", "position": [1, 0, 0] } ] } ]
  })");
  ASSERT_EQ(run("run " + scene + " --out " + out_.string() + " --quiet"), 0);
  // it is put, and that is said
  EXPECT_EQ(run("check " + out_.string() + " --prove --json"), 0) << told("stdout.txt");
  const json passed = json::parse(told("stdout.txt"));
  EXPECT_EQ(passed["verdict"], "proven");
  EXPECT_EQ(passed["frames"]["verdict"], "proven");
  EXPECT_EQ(passed["frames"]["ways"]["verdict"], "proven");
  EXPECT_EQ(passed["frames"]["ways"]["left_out"], 1);
  EXPECT_NE(passed["why"].get<std::string>().find("put elsewhere"), std::string::npos);
  // moments of a film that draws the way are judged as they are asked for
  EXPECT_EQ(run("check " + out_.string() + " --prove --between 5 --json"), 1);
  const json through = json::parse(told("stdout.txt"));
  EXPECT_EQ(through["verdict"], "missed");
  EXPECT_EQ(through["frames"]["verdict"], "missed");
  EXPECT_NE(through["why"].get<std::string>().find("of the way from frame"), std::string::npos);
  EXPECT_EQ(run("check " + out_.string() + " --prove --between 5"), 1);
  EXPECT_EQ(told("stdout.txt").rfind("missed: ", 0), 0U) << told("stdout.txt");
}

TEST_F(StillToolTest, a_run_whose_events_bring_bodies_is_judged_from_its_folder) {
  const std::string scene = scene_of(R"({
    "repose": 1, "about": "A second ball comes.", "method": { "kind": "pile" },
    "shapes": { "ball": { "kind": "ball", "radius": 0.5 } },
    "bodies": [ { "name": "floor", "shape": { "kind": "half_space" }, "fixed": true },
                { "name": "one", "shape": "ball", "position": [0, 0, 0.7] } ],
    "events": [ { "at_rest": true, "edits": [
      { "kind": "add", "body": { "name": "two", "shape": "ball", "position": [3, 0, 0.7] } },
      { "kind": "fix", "target": "one" } ] } ]
  })");
  ASSERT_EQ(run("run " + scene + " --out " + out_.string() + " --quiet"), 0);
  EXPECT_EQ(run("check " + out_.string() + " --prove --between 1 --json"), 0);
  const json frames = json::parse(told("stdout.txt"))["frames"];
  EXPECT_EQ(frames["verdict"], "proven");
  EXPECT_EQ(frames["moments"], 2 * frames["count"].get<int>() - 1);
  EXPECT_EQ(frames["ways"]["verdict"], "proven");
  EXPECT_EQ(frames["ways"]["judged"], frames["count"].get<int>() - 1);
}

}  // namespace
}  // namespace repose
