#include "repose/base/whole_file.h"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace repose {
namespace {

namespace fs = std::filesystem;

class WholeFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "repose-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ / "file.txt";
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  int files() const { return static_cast<int>(std::distance(fs::directory_iterator(folder_), {})); }
  fs::path folder_, path_;
};

TEST_F(WholeFileTest, a_file_is_replaced_as_a_whole_and_nothing_stays_beside_it) {
  ASSERT_TRUE(write_whole(path_, "first"));
  EXPECT_EQ(text(), "first");
  ASSERT_TRUE(write_whole(path_, std::string("sec\0nd", 6)));
  EXPECT_EQ(text(), std::string("sec\0nd", 6));
  ASSERT_TRUE(write_whole(path_, ""));
  EXPECT_EQ(text(), "");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFileTest, until_it_is_put_the_old_file_stands) {
  ASSERT_TRUE(write_whole(path_, "old"));
  {
    WholeFile file(path_);
    std::ofstream(file.beside()) << "half of the new";
    EXPECT_EQ(text(), "old");
    EXPECT_EQ(files(), 2);
  }
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(files(), 1) << "what was given up is removed";
}

TEST_F(WholeFileTest, two_writers_of_one_file_do_not_share_the_name_beside_it) {
  WholeFile one(path_), other(path_);
  EXPECT_NE(one.beside(), other.beside());
}

TEST_F(WholeFileTest, a_folder_that_is_not_there_is_named) {
  const auto done = write_whole(folder_ / "none" / "file.txt", "text");
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().file, (folder_ / "none" / "file.txt").string());
  EXPECT_NE(done.error().wrong.find("No such file"), std::string::npos) << done.error().text();
}

TEST_F(WholeFileTest, a_full_disk_is_named_and_leaves_the_old_file) {
  ASSERT_TRUE(write_whole(path_, "old"));
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    // a file that may not grow stands for a full disk
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    const auto done = write_whole(path_, std::string(5000, 'x'));
    _exit(!done && done.error().file == path_.string() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_EQ(text(), "old");
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace repose
