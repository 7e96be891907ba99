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

TEST_F(Png, a_jpeg_is_written_where_the_name_asks_for_one) {
  const Image image{16, 8, std::vector<std::uint8_t>(std::size_t{3} * 16 * 8, 120)};
  ASSERT_TRUE(write_picture(image, folder / "a.jpg"));
  std::ifstream file(folder / "a.jpg", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  ASSERT_GT(bytes.size(), 100U);
  EXPECT_EQ(bytes.substr(0, 3), "\xff\xd8\xff");
  EXPECT_EQ(bytes.substr(bytes.size() - 2), "\xff\xd9");
  EXPECT_FALSE(write_picture(image, folder / "nowhere" / "a.jpg"));
}

}  // namespace
}  // namespace repose::render
