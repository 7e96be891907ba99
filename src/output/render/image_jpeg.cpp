#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <jpeglib.h>

#include "repose/base/check.h"
#include "repose/base/whole_file.h"
#include "repose/render/image.h"

namespace repose::render {
namespace {

constexpr int kQuality = 92;  // [1, 100] of libjpeg; larger: finer, larger files

/// libjpeg leaves by a jump where it fails; nothing with a destructor may live across it.
struct Escape {
  jpeg_error_mgr base;
  std::jmp_buf back;
  char message[JMSG_LENGTH_MAX];
};

void leave(j_common_ptr info) {
  auto* escape = reinterpret_cast<Escape*>(info->err);
  info->err->format_message(info, escape->message);
  std::longjmp(escape->back, 1);
}

/// Fills `bytes`, which the caller frees. Whether that went well; else `escape.message` says why.
bool compress(const Image& image, Escape& escape, unsigned char** bytes, unsigned long* size) {
  jpeg_compress_struct job{};
  job.err = jpeg_std_error(&escape.base);
  escape.base.error_exit = leave;
  if (setjmp(escape.back) != 0) {
    jpeg_destroy_compress(&job);
    return false;
  }
  jpeg_create_compress(&job);
  jpeg_mem_dest(&job, bytes, size);
  job.image_width = static_cast<JDIMENSION>(image.width);
  job.image_height = static_cast<JDIMENSION>(image.height);
  job.input_components = 3;
  job.in_color_space = JCS_RGB;
  jpeg_set_defaults(&job);
  jpeg_set_quality(&job, kQuality, TRUE);
  jpeg_start_compress(&job, TRUE);
  const std::size_t row = std::size_t{3} * static_cast<std::size_t>(image.width);
  while (job.next_scanline < job.image_height) {
    auto* line = const_cast<JSAMPLE*>(image.rgb.data() + row * job.next_scanline);
    jpeg_write_scanlines(&job, &line, 1);
  }
  jpeg_finish_compress(&job);
  jpeg_destroy_compress(&job);
  return true;
}

}  // namespace

Result<Done> write_jpeg(const Image& image, const std::filesystem::path& path) {
  REPOSE_CHECK(image.rgb.size() == std::size_t{3} * static_cast<std::size_t>(image.width) *
                                       static_cast<std::size_t>(image.height));
  Escape escape{};
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  const bool good = compress(image, escape, &bytes, &size);
  std::string text;
  if (good) text.assign(reinterpret_cast<const char*>(bytes), size);
  std::free(bytes);
  if (!good) return cannot_write(path, std::string(escape.message));
  return write_whole(path, text);
}

}  // namespace repose::render
