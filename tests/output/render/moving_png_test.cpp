#include "repose/render/moving_png.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

namespace repose::render {
namespace {

namespace fs = std::filesystem;

struct Chunk {
  std::string kind, data;
};

std::uint32_t whole(const std::string& bytes, std::size_t at, int count) {
  std::uint32_t out = 0;
  for (int k = 0; k < count; ++k)
    out = 256 * out + static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(k)]);
  return out;
}

std::vector<Chunk> chunks_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<Chunk> out;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::uint32_t size = whole(bytes, at, 4);
    const std::string kind = bytes.substr(at + 4, 4);
    const std::string data = bytes.substr(at + 8, size);
    const std::string summed = kind + data;
    EXPECT_EQ(
        crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size())),
        whole(bytes, at + 8 + size, 4));
    out.push_back({kind, data});
    at += 12 + size;
  }
  return out;
}

/// Lays a frame's packed rows on the picture, as a player does.
void lay(Image& image, const std::string& control, const std::string& packed) {
  const int width = static_cast<int>(whole(control, 4, 4));
  const int height = static_cast<int>(whole(control, 8, 4));
  const int left = static_cast<int>(whole(control, 12, 4));
  const int top = static_cast<int>(whole(control, 16, 4));
  std::vector<unsigned char> rows(static_cast<std::size_t>(height * (3 * width + 1)));
  uLongf size = rows.size();
  ASSERT_EQ(
      uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
      Z_OK);
  ASSERT_EQ(size, rows.size());
  std::vector<unsigned char> above(static_cast<std::size_t>(3 * width), 0);
  for (int y = 0; y < height; ++y) {
    const auto start = static_cast<std::size_t>(y * (3 * width + 1));
    ASSERT_EQ(rows[start], 2);
    for (int k = 0; k < 3 * width; ++k) {
      auto& value = above[static_cast<std::size_t>(k)];
      value = static_cast<unsigned char>(value + rows[start + 1 + static_cast<std::size_t>(k)]);
      image.rgb[static_cast<std::size_t>(3 * ((top + y) * image.width + left) + k)] = value;
    }
  }
}

class MovingPngTest : public testing::Test {
 protected:
  fs::path path =
      fs::path(testing::TempDir()) / ("repose_moving." + std::to_string(::getpid()) + ".apng");
  ~MovingPngTest() override { fs::remove(path); }
};

TEST_F(MovingPngTest, every_picture_comes_back_as_it_was_and_the_first_is_a_plain_png) {
  std::mt19937 random(7);
  std::vector<Image> pictures;
  Image image{31, 17, std::vector<std::uint8_t>(std::size_t{3} * 31 * 17, 200)};
  for (int n = 0; n < 6; ++n) {
    // some pixels of a corner change; from the third to the fourth nothing does
    if (n != 3)
      for (int k = 0; k < 20; ++k)
        image.rgb[3 * (31 * (random() % 9) + 5 + random() % 12) + random() % 3] =
            static_cast<std::uint8_t>(random());
    pictures.push_back(image);
  }
  MovingPng film = MovingPng::start(path, 31, 17, {.frames_per_second = 25, .hold_seconds = 1.5});
  for (const Image& picture : pictures) film.add(picture);
  ASSERT_TRUE(film.finish());

  const auto first = read_png(path);
  ASSERT_TRUE(first);
  EXPECT_EQ(*first, pictures[0]);
  const std::vector<Chunk> chunks = chunks_of(path);
  ASSERT_GT(chunks.size(), 3U);
  EXPECT_EQ(chunks[0].kind, "IHDR");
  EXPECT_EQ(chunks[1].kind, "acTL");
  EXPECT_EQ(whole(chunks[1].data, 0, 4), pictures.size());
  EXPECT_EQ(chunks.back().kind, "IEND");
  Image shown = pictures[0];
  std::uint32_t number = 0;
  std::size_t controls = 0, frames = 0;
  std::string control;
  for (const Chunk& chunk : chunks) {
    if (chunk.kind == "fcTL") {
      EXPECT_EQ(whole(chunk.data, 0, 4), number++);
      control = chunk.data;
      controls += 1;
      const bool last = controls == pictures.size();
      EXPECT_DOUBLE_EQ(whole(control, 20, 2) / static_cast<double>(whole(control, 22, 2)),
                       last ? 1.5 : 1.0 / 25.0);
    } else if (chunk.kind == "fdAT") {
      EXPECT_EQ(whole(chunk.data, 0, 4), number++);
      lay(shown, control, chunk.data.substr(4));
      frames += 1;
      EXPECT_EQ(shown, pictures[frames]);
    } else if (chunk.kind == "IDAT") {
      EXPECT_EQ(frames, 0U);
    }
  }
  EXPECT_EQ(frames + 1, pictures.size());
}

TEST_F(MovingPngTest, what_stands_still_costs_next_to_nothing) {
  std::mt19937 random(3);
  Image image{64, 64, std::vector<std::uint8_t>(std::size_t{3} * 64 * 64)};
  for (auto& value : image.rgb) value = static_cast<std::uint8_t>(random());
  MovingPng film = MovingPng::start(path, 64, 64);
  film.add(image);
  for (int n = 0; n < 50; ++n) film.add(image);
  ASSERT_TRUE(film.finish());
  EXPECT_LT(fs::file_size(path), 64U * 64U * 3U + 51U * 90U);
}

}  // namespace
}  // namespace repose::render
