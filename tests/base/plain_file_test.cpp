#include "repose/base/plain_file.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace repose {
namespace {

class PlainFiles : public ::testing::Test {
 protected:
  PlainFiles()
      : folder_(std::filesystem::temp_directory_path() /
                ("repose_plain_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~PlainFiles() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void expect_refused(const std::string& at, const std::string& wrong) const {
    const auto file = PlainFile::open(at, "the path of a file");
    ASSERT_FALSE(file) << at;
    EXPECT_EQ(file.error().file, at);
    EXPECT_EQ(file.error().wrong, wrong);
  }

  std::filesystem::path folder_;
};

TEST_F(PlainFiles, are_read_from_any_byte_on) {
  std::ofstream(path("a")) << "0123456789";
  const auto file = PlainFile::open(path("a"), "");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->size(), 10u);
  char out[4] = {};
  EXPECT_EQ(file->read(3, out, 4), 4u);
  EXPECT_EQ(std::string(out, 4), "3456");
  EXPECT_EQ(file->read(8, out, 4), 2u);
  EXPECT_EQ(file->read(11, out, 4), 0u);
  EXPECT_EQ(*read_plain_file(path("a"), 10, ""), "0123456789");
  const auto large = read_plain_file(path("a"), 9, "");
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().value, "10 bytes");
  EXPECT_EQ(large.error().right, "at most 9 bytes");
}

TEST_F(PlainFiles, nothing_else_is_opened_or_waited_for) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  expect_refused(path("pipe"), "not a plain file");
  expect_refused(path(""), "not a plain file");
  expect_refused("/dev/zero", "not a plain file");
  expect_refused("/dev/tty", "not a plain file");
  expect_refused(path("nothing"), "no such file");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path("socket").copy(address.sun_path, sizeof address.sun_path - 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  expect_refused(path("socket"), "not a plain file");
  ::close(socket);
  std::filesystem::create_symlink("/dev/zero", path("link"));
  expect_refused(path("link"), "not a plain file");
}

}  // namespace
}  // namespace repose
