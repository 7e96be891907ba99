// The folder of a run: one run at a time, and no run that is refused leaves a trace.
#include <csignal>
#include <map>
#include <thread>

#include <sqlite3.h>
#include <sys/wait.h>

#include "repose/record/recording.h"

#include "tool.h"

namespace repose {
namespace {

std::string still_scene(long steps) {
  return R"({ "repose": 1, "about": "A ball stands still.",
    "bodies": [ { "name": "ball", "shape": { "kind": "ball", "radius": 0.5 } } ],
    "method": { "kind": "still", "step_time": 0.01, "steps": )" +
         std::to_string(steps) + " } }";
}

/// An event that nobody can know to be impossible before it is due.
constexpr const char* kLateRefusal = R"({ "repose": 1, "about": "An event cannot happen.",
    "bodies": [ { "name": "floor", "shape": { "kind": "half_space" }, "fixed": true },
                { "name": "ball", "shape": { "kind": "ball", "radius": 0.1 }, "position": [0, 0, 1] },
                { "name": "other", "shape": { "kind": "ball", "radius": 0.1 }, "position": [1, 0, 1] } ],
    "method": { "kind": "pile" }, "limits": { "steps": 10 },
    "events": [ { "at_step": 1, "edits": [ { "kind": "remove", "target": "ball" } ] },
                { "at_step": 2, "edits": [ { "kind": "fix", "target": "ball" } ] } ] })";

class FolderToolTest : public ToolTest {
 protected:
  std::string scene(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(out_))
      if (entry.is_regular_file())
        all[fs::relative(entry.path(), out_).string()] = text(entry.path());
    return all;
  }
  pid_t start(const std::string& path) const {
    const pid_t child = fork();
    if (child != 0) return child;
    execl(repose::tests::tool(), "repose", "run", path.c_str(), "--out", out_.c_str(), "--quiet",
          "--no-pages", nullptr);
    _exit(127);
  }
  void wait_for_recording() const {
    while (!fs::exists(out_ / "recording.repose"))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  static int end(pid_t child, int signal) {
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
};

TEST_F(FolderToolTest, a_second_run_into_a_folder_is_refused_while_the_first_one_writes) {
  const pid_t first = start(scene("long.json", still_scene(1000000000)));
  wait_for_recording();
  EXPECT_EQ(run("run " + scene("short.json", still_scene(2)) + " --out " + out_.string()), 2);
  EXPECT_NE(told("stderr.txt").find(out_.string()), std::string::npos) << told("stderr.txt");
  EXPECT_NE(told("stderr.txt").find("another run"), std::string::npos) << told("stderr.txt");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(end(first, SIGINT), 1);
  EXPECT_GT(result()["steps"], 2) << "the first run's files are its own";
  EXPECT_EQ(run("run " + scene("short.json", still_scene(2)) + " --out " + out_.string()), 0);
  EXPECT_EQ(result()["steps"], 2);
}

TEST_F(FolderToolTest, a_killed_run_blocks_nobody) {
  const pid_t first = start(scene("long.json", still_scene(1000000000)));
  wait_for_recording();
  EXPECT_EQ(end(first, SIGKILL), -SIGKILL);
  ASSERT_EQ(run("run " + scene("short.json", still_scene(2)) + " --out " + out_.string()), 0)
      << told("stderr.txt");
  std::vector<std::string> names;
  for (const auto& [name, bytes] : contents()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"recording.repose", "result.json"}))
      << "nothing is left of the killed run";
}

TEST_F(FolderToolTest, a_closing_terminal_ends_a_run_as_ctrl_c_does) {
  const pid_t child = start(scene("long.json", still_scene(1000000000)));
  wait_for_recording();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_EQ(end(child, SIGHUP), 1);
  EXPECT_EQ(result()["status"], "stopped");
}

TEST_F(FolderToolTest, a_run_that_is_refused_in_its_midst_leaves_its_folder_as_it_was) {
  const std::string late = scene("late.json", kLateRefusal);
  ASSERT_EQ(run("run " + late + " --out " + out_.string()), 2) << told("stderr.txt");
  EXPECT_FALSE(fs::exists(out_)) << "a folder that it made goes again";
  // pages of an older run, and a file of somebody else
  ASSERT_EQ(run("run " + scene("short.json", still_scene(2)) + " --pages --out " + out_.string()),
            0);
  std::ofstream(out_ / "notes.txt") << "mine";
  const auto before = contents();
  ASSERT_TRUE(before.contains("report.html"));
  EXPECT_EQ(run("run " + late + " --out " + out_.string()), 2);
  EXPECT_EQ(contents(), before);
}

TEST_F(FolderToolTest, the_log_of_a_cut_short_run_comes_back_too) {
  const pid_t first = start(scene("long.json", still_scene(1000000000)));
  wait_for_recording();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  end(first, SIGKILL);
  const int frames = Recording::open(out_ / "recording.repose")->frame_count();
  ASSERT_GT(frames, 0);
  EXPECT_EQ(run("run " + scene("late.json", kLateRefusal) + " --out " + out_.string()), 2);
  const auto recording = Recording::open(out_ / "recording.repose");
  ASSERT_TRUE(recording) << recording.error().text();
  EXPECT_EQ(recording->frame_count(), frames);
}

TEST_F(FolderToolTest, pages_of_an_older_run_do_not_outlive_its_recording) {
  ASSERT_EQ(run("run " + scene("short.json", still_scene(2)) + " --pages --out " + out_.string()),
            0);
  const pid_t second = start(scene("long.json", still_scene(1000000000)));
  const std::string old = text(out_ / "result.json");
  // until the second run has its recording in place
  while (fs::exists(out_ / "result.json"))
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  end(second, SIGKILL);
  EXPECT_TRUE(Recording::open(out_ / "recording.repose"));
  for (const char* page : {"report.html", "still.png", "result.json"})
    EXPECT_FALSE(fs::exists(out_ / page)) << page << " is of another run";
}

TEST_F(FolderToolTest, measures_of_an_older_run_do_not_outlive_its_recording) {
  const std::string still = scene("short.json", still_scene(2));
  ASSERT_EQ(run("run " + still + " --out " + out_.string()), 0);
  ASSERT_EQ(run("measure " + out_.string()), 0) << told("stderr.txt");
  const fs::path figures = out_ / "measure" / "measures.csv";
  ASSERT_TRUE(fs::exists(figures));
  // a run that is refused in its midst leaves them
  EXPECT_EQ(run("run " + scene("late.json", kLateRefusal) + " --out " + out_.string()), 2);
  EXPECT_TRUE(fs::exists(figures));
  std::ofstream(out_ / "measure" / "notes.txt") << "mine";
  ASSERT_EQ(run("run " + still + " --out " + out_.string()), 0);
  EXPECT_FALSE(fs::exists(figures)) << "of another run";
  EXPECT_TRUE(fs::exists(out_ / "measure" / "notes.txt")) << "of somebody else";
}

TEST_F(FolderToolTest, a_recording_without_frames_is_named) {
  ASSERT_EQ(run("run " + scene("short.json", still_scene(2)) + " --out " + out_.string()), 0);
  const fs::path recording = out_ / "recording.repose";
  sqlite3* base = nullptr;
  ASSERT_EQ(sqlite3_open(recording.c_str(), &base), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(base, "DELETE FROM frames", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(base);
  for (const std::string command : {"check", "measure", "report", "render"}) {
    const std::string to = command == "render" ? " --out " + (folder_ / "a.png").string() : "";
    EXPECT_EQ(run(command + " " + out_.string() + to), 2) << command;
    EXPECT_NE(told("stderr.txt").find("recording.repose"), std::string::npos)
        << command << ": " << told("stderr.txt");
  }
}

}  // namespace
}  // namespace repose
