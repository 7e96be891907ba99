#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "repose/base/result.h"

namespace repose::render {

/// Eight bits per channel, sRGB, rows from top to bottom.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;  // 3 * width * height

  std::array<std::uint8_t, 3> at(int x, int y) const {
    const auto i = 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                        static_cast<std::size_t>(x));
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
  friend bool operator==(const Image&, const Image&) = default;
};

/// Writes beside `path` first and renames, so that `path` is never half a picture. The error names
/// the file and what the system said.
Result<Done> write_png(const Image& image, const std::filesystem::path& path);

/// The same as a JPEG of high quality.
Result<Done> write_jpeg(const Image& image, const std::filesystem::path& path);

/// A picture by its ending: .jpg and .jpeg as JPEG, else PNG.
Result<Done> write_picture(const Image& image, const std::filesystem::path& path);

/// Reads any PNG as eight-bit RGB; transparency is dropped.
Result<Image> read_png(const std::filesystem::path& path);

}  // namespace repose::render
