#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "repose/render/image.h"

namespace repose::render {
namespace {

namespace fs = std::filesystem;

Image gradient() {
  Image image{17, 9, {}};
  for (int i = 0; i < 17 * 9 * 3; ++i) image.rgb.push_back(static_cast<std::uint8_t>(37 * i));
  return image;
}

class Png : public testing::Test {
 protected:
  Png() : folder(fs::path(testing::TempDir()) / ("repose_png." + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~Png() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_F(Png, reads_back_what_was_written) {
  ASSERT_TRUE(write_png(gradient(), folder / "a.png"));
  const auto back = read_png(folder / "a.png");
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, gradient());
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1) << "nothing else is left behind";
}

TEST_F(Png, a_missing_folder_is_named) {
  const auto done = write_png(gradient(), folder / "none" / "a.png");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("none/a.png"), std::string::npos);
  EXPECT_NE(done.error().text().find("No such file"), std::string::npos);
}

TEST_F(Png, a_folder_in_the_way_is_named_and_nothing_is_left_behind) {
  fs::create_directories(folder / "a.png" / "inside");
  const auto done = write_png(gradient(), folder / "a.png");
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().text().find("a.png"), std::string::npos);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(Png, what_is_no_png_is_refused_by_name) {
  std::ofstream(folder / "b.png") << "not a picture";
  const auto image = read_png(folder / "b.png");
  ASSERT_FALSE(image);
  EXPECT_NE(image.error().text().find("b.png"), std::string::npos);
}

}  // namespace
}  // namespace repose::render
