// What a recording keeps when its writer dies: by kill -9, by a full disk.
#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "repose/base/random.h"
#include "repose/record/recording.h"
#include "repose/record/recording_writer.h"

#include "record/balls.h"
#include "record/folder.h"

namespace repose {
namespace {

namespace fs = std::filesystem;

class AccidentTest : public testing::FolderTest {};

// Frame i puts body 0 at x = i, so that a reader can tell frames apart.
Result<Done> write_frame(RecordingWriter& writer, testing::Balls& balls, long i) {
  balls.state.step = i;
  balls.state.bodies[0].world_from_body.position.x() = static_cast<double>(i);
  Audit audit;
  audit.series = {{"index", static_cast<double>(i)}};
  return writer.add_frame(balls.state, audit);
}

// Records until killed and tells through the pipe how many frames are committed.
[[noreturn]] void record_for_ever(const fs::path& path, int pipe) {
  testing::Balls balls(20);
  auto writer = RecordingWriter::create(path, {}, {.commit_every = 0.002});
  if (!writer || !writer->set_bodies(balls.problem)) _exit(10);
  long told = 0;
  for (long i = 0;; ++i) {
    if (!write_frame(*writer, balls, i)) _exit(11);
    const long committed = writer->committed_frames();
    if (committed != told && write(pipe, &committed, sizeof(committed)) != sizeof(committed))
      _exit(12);
    told = committed;
  }
}

void expect_frames(const Recording& recording, long at_least) {
  EXPECT_GE(recording.frame_count(), at_least) << "a committed frame is missing";
  const auto series = recording.series("index");
  for (int i = 0; i < recording.frame_count(); ++i) {
    ASSERT_EQ(recording.steps()[static_cast<std::size_t>(i)], i);
    ASSERT_EQ(series[static_cast<std::size_t>(i)], i);
  }
  if (recording.frame_count() == 0) return;
  const auto last = recording.frame(recording.frame_count() - 1);
  ASSERT_TRUE(last) << last.error().text();
  EXPECT_EQ(last->poses[0].position.x(), recording.frame_count() - 1);
}

TEST_F(AccidentTest, after_kill_9_at_50_random_moments_every_committed_frame_is_there) {
  Random random(7);
  long most = 0;
  for (int trial = 0; trial < 50; ++trial) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) record_for_ever(path_, ends[1]);
    close(ends[1]);
    constexpr double kLongestWait = 80'000.0;  // microseconds
    std::this_thread::sleep_for(
        std::chrono::microseconds(static_cast<long>(random.between(0.0, kLongestWait))));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the writer failed with " << WEXITSTATUS(status);
    long committed = 0;
    for (long told = 0; read(ends[0], &told, sizeof(told)) == sizeof(told);) committed = told;
    close(ends[0]);
    if (!fs::exists(path_)) {
      EXPECT_EQ(committed, 0);
      continue;
    }
    // the shared-memory index is no part of the recording
    fs::remove(path_.string() + "-shm");
    const auto recording = Recording::open(path_);
    ASSERT_TRUE(recording) << "trial " << trial << ": " << recording.error().text();
    expect_frames(*recording, committed);
    most = std::max(most, committed);
  }
  EXPECT_GT(most, 10) << "the kills must not all come before the first commits";
}

TEST_F(AccidentTest, a_full_disk_is_named_and_what_was_committed_stays_readable) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // a file that may not grow stands for a full disk
    std::signal(SIGXFSZ, SIG_IGN);
    constexpr rlim_t kMostBytes = 600'000;
    const rlimit limit{kMostBytes, kMostBytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    testing::Balls balls(20);
    auto writer = RecordingWriter::create(path_, {}, {.commit_every = 0.0});
    if (!writer || !writer->set_bodies(balls.problem)) _exit(10);
    for (long i = 0; i < 100'000; ++i) {
      const auto done = write_frame(*writer, balls, i);
      if (done) continue;
      const bool named = done.error().file == path_.string() && !done.error().wrong.empty();
      const auto again = write_frame(*writer, balls, i);
      if (!named || again) _exit(13);
      const auto recording = Recording::open(path_);
      const bool kept = recording && recording->frame_count() >= writer->committed_frames();
      _exit(kept && writer->committed_frames() > 10 ? 0 : 14);
    }
    _exit(15);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  const auto recording = Recording::open(path_);
  ASSERT_TRUE(recording) << recording.error().text();
  expect_frames(*recording, 10);
}

TEST_F(AccidentTest, what_a_killed_run_left_in_its_log_is_folded_into_one_file) {
  const fs::path killed = path_.parent_path() / "killed.repose";
  {
    testing::Balls balls(3);
    auto writer = RecordingWriter::create(path_, {});
    ASSERT_TRUE(writer) << writer.error().text();
    ASSERT_TRUE(writer->set_bodies(balls.problem));
    for (long i = 0; i < 40; ++i) ASSERT_TRUE(write_frame(*writer, balls, i));
    ASSERT_TRUE(writer->commit());
    // as a kill at this moment leaves it
    for (const char* ending : {"", "-wal"})
      fs::copy_file(path_.string() + ending, killed.string() + ending);
  }
  fold_log(killed);
  EXPECT_FALSE(fs::exists(killed.string() + "-wal"));
  const auto recording = Recording::open(killed);
  ASSERT_TRUE(recording) << recording.error().text();
  expect_frames(*recording, 40);
  fold_log(killed);                                // nothing to do
  fold_log(path_.parent_path() / "no-such-file");  // nor here
}

}  // namespace
}  // namespace repose
