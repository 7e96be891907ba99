#include "repose/render/image.h"

#include <cerrno>
#include <cstdio>
#include <memory>

#include <fmt/format.h>
#include <png.h>

#include "repose/base/whole_file.h"

namespace repose::render {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

InputError failure(const std::filesystem::path& path, const std::string& wrong) {
  InputError error;
  error.file = path.string();
  error.wrong = wrong;
  return error;
}

// png_image writes to a stdio file; disk errors surface at the latest when it is closed
Result<Done> write_to(const Image& image, const WholeFile& whole) {
  const std::filesystem::path& path = whole.place();
  File file(std::fopen(whole.beside().c_str(), "wb"));
  if (!file) return cannot_write(path, errno);
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  errno = 0;
  if (png_image_write_to_stdio(&png, file.get(), 0, image.rgb.data(), 0, nullptr) == 0)
    return errno != 0 ? cannot_write(path, errno) : cannot_write(path, png.message);
  const bool good = std::ferror(file.get()) == 0;
  if (std::fclose(file.release()) != 0 || !good) return cannot_write(path, errno);
  return Done{};
}

}  // namespace

Result<Done> write_png(const Image& image, const std::filesystem::path& path) {
  REPOSE_CHECK(image.rgb.size() == std::size_t{3} * static_cast<std::size_t>(image.width) *
                                       static_cast<std::size_t>(image.height));
  WholeFile file(path);
  if (auto written = write_to(image, file); !written) return written;
  return file.put();
}

Result<Done> write_picture(const Image& image, const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".jpg" || ending == ".jpeg" ? write_jpeg(image, path) : write_png(image, path);
}

Result<Image> read_png(const std::filesystem::path& path) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_file(&png, path.c_str()) == 0)
    return failure(path, fmt::format("not a readable PNG: {}", png.message));
  png.format = PNG_FORMAT_RGB;
  Image image{static_cast<int>(png.width), static_cast<int>(png.height), {}};
  image.rgb.resize(PNG_IMAGE_SIZE(png));
  if (png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) == 0)
    return failure(path, fmt::format("not a readable PNG: {}", png.message));
  return image;
}

}  // namespace repose::render
