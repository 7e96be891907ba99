#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <png.h>
#include <unistd.h>

#include "repose/render/image.h"

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

std::string system_says(const char* what, int code) {
  return fmt::format("{}: {}", what, std::generic_category().message(code));
}

// png_image writes to a stdio file; disk errors surface at the latest when it is flushed
Result<Done> write_to(const Image& image, const std::filesystem::path& path, std::FILE* file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = static_cast<png_uint_32>(image.width);
  png.height = static_cast<png_uint_32>(image.height);
  png.format = PNG_FORMAT_RGB;
  errno = 0;
  if (png_image_write_to_stdio(&png, file, 0, image.rgb.data(), 0, nullptr) == 0) {
    if (errno != 0) return failure(path, system_says("cannot write the picture", errno));
    return failure(path, fmt::format("cannot write the picture: {}", png.message));
  }
  if (std::fflush(file) != 0 || std::ferror(file) != 0 || ::fsync(::fileno(file)) != 0)
    return failure(path, system_says("cannot write the picture", errno));
  return Done{};
}

}  // namespace

Result<Done> write_png(const Image& image, const std::filesystem::path& path) {
  REPOSE_CHECK(image.rgb.size() == std::size_t{3} * static_cast<std::size_t>(image.width) *
                                       static_cast<std::size_t>(image.height));
  const std::filesystem::path beside = path.string() + fmt::format(".{}.part", ::getpid());
  File file(std::fopen(beside.c_str(), "wb"));
  if (!file) return failure(path, system_says("cannot create the file", errno));
  Result<Done> written = write_to(image, path, file.get());
  file.reset();
  std::error_code code;
  if (written) {
    std::filesystem::rename(beside, path, code);
    if (!code) return Done{};
    written = failure(path, system_says("cannot rename the finished picture", code.value()));
  }
  std::filesystem::remove(beside, code);
  return written;
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
