#include "repose/render/film.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <unistd.h>

namespace repose::render {
namespace {

namespace fs = std::filesystem;

class FilmTest : public testing::Test {
 protected:
  FilmTest()
      : folder(fs::path(testing::TempDir()) / ("repose_film." + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~FilmTest() override { fs::remove_all(folder); }
  fs::path folder;
};

TEST_F(FilmTest, an_unknown_ending_is_refused) {
  const auto film = Film::start(folder / "a.avi", 16, 16);
  ASSERT_FALSE(film);
  EXPECT_NE(film.error().text().find(".mp4"), std::string::npos);
}

TEST_F(FilmTest, without_ffmpeg_the_error_says_so) {
  const std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  ::setenv("PATH", folder.c_str(), 1);
  const auto film = Film::start(folder / "a.mp4", 16, 16);
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(film);
  EXPECT_NE(film.error().text().find("ffmpeg"), std::string::npos);
}

TEST_F(FilmTest, a_finished_film_stands_at_its_path_and_an_unfinished_one_leaves_nothing) {
  auto film = Film::start(folder / "a.mp4", 33, 17);
  if (!film) GTEST_SKIP() << film.error().text();
  const Image image{33, 17, std::vector<std::uint8_t>(3 * 33 * 17, 90)};
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(film->add(image));
  ASSERT_TRUE(film->finish());
  EXPECT_GT(fs::file_size(folder / "a.mp4"), 500U);
  {
    auto dropped = Film::start(folder / "b.webm", 16, 16);
    ASSERT_TRUE(dropped);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), {}), 1);
}

TEST_F(FilmTest, an_animated_png_needs_no_ffmpeg) {
  const std::string path = std::getenv("PATH") != nullptr ? std::getenv("PATH") : "";
  ::setenv("PATH", folder.c_str(), 1);
  auto film = Film::start(folder / "a.apng", 16, 16);
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_TRUE(film);
  for (const std::uint8_t tone : {10, 20, 30})
    ASSERT_TRUE(film->add({16, 16, std::vector<std::uint8_t>(std::size_t{3} * 16 * 16, tone)}));
  ASSERT_TRUE(film->finish());
  EXPECT_GT(fs::file_size(folder / "a.apng"), 100U);
}

}  // namespace
}  // namespace repose::render
