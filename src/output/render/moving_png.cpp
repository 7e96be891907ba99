#include "repose/render/moving_png.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <zlib.h>

#include "repose/base/check.h"
#include "repose/base/whole_file.h"

namespace repose::render {

/// A rectangle of pixels.
struct PicturePart {
  int x = 0, y = 0, width = 0, height = 0;
};

namespace {

constexpr std::size_t kChannels = 3;
constexpr char kRowAbove = 2;  // PNG's filter "Up": every row as its difference from the one above
constexpr char kKeepPicture = 0,
               kReplace = 0;  // what becomes of a frame after its time, and how it is laid on

void put_whole(std::string& out, std::uint32_t number, int bytes) {
  for (int k = bytes - 1; k >= 0; --k)
    out += static_cast<char>(static_cast<unsigned char>(number >> (8 * k)));
}

void put_chunk(std::string& out, std::string_view kind, const std::string& data) {
  put_whole(out, static_cast<std::uint32_t>(data.size()), 4);
  std::string body(kind);
  body += data;
  const auto* bytes = reinterpret_cast<const Bytef*>(body.data());
  const auto sum = static_cast<std::uint32_t>(crc32(0, bytes, static_cast<uInt>(body.size())));
  out += body;
  put_whole(out, sum, 4);
}

std::size_t row_start(const Image& image, int x, int y) {
  return kChannels * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                      static_cast<std::size_t>(x));
}

/// What differs between two pictures of one size; a single pixel where nothing does.
PicturePart changed(const Image& from, const Image& to) {
  int left = to.width, right = -1, top = to.height, bottom = -1;
  for (int y = 0; y < to.height; ++y) {
    const auto begin = static_cast<std::ptrdiff_t>(row_start(to, 0, y));
    const auto end = begin + static_cast<std::ptrdiff_t>(kChannels) * to.width;
    if (std::equal(to.rgb.begin() + begin, to.rgb.begin() + end, from.rgb.begin() + begin))
      continue;
    top = std::min(top, y);
    bottom = y;
    for (int x = 0; x < to.width; ++x)
      if (to.at(x, y) != from.at(x, y)) {
        left = std::min(left, x);
        right = std::max(right, x);
      }
  }
  if (right < 0) return {0, 0, 1, 1};
  return {left, top, right - left + 1, bottom - top + 1};
}

/// The rows of a part, filtered and packed as PNG has them.
std::string packed(const Image& image, const PicturePart& part) {
  const std::size_t row = kChannels * static_cast<std::size_t>(part.width);
  std::string plain;
  plain.reserve((row + 1) * static_cast<std::size_t>(part.height));
  for (int y = part.y; y < part.y + part.height; ++y) {
    plain += kRowAbove;
    const std::size_t here = row_start(image, part.x, y);
    const std::size_t above = y > part.y ? row_start(image, part.x, y - 1) : here;
    for (std::size_t k = 0; k < row; ++k) {
      const int before = y > part.y ? image.rgb[above + k] : 0;
      plain += static_cast<char>(static_cast<unsigned char>(image.rgb[here + k] - before));
    }
  }
  uLongf size = compressBound(static_cast<uLong>(plain.size()));
  std::string out(size, '\0');
  const int code = compress2(reinterpret_cast<Bytef*>(out.data()), &size,
                             reinterpret_cast<const Bytef*>(plain.data()),
                             static_cast<uLong>(plain.size()), Z_BEST_COMPRESSION);
  REPOSE_CHECK(code == Z_OK);
  out.resize(size);
  return out;
}

std::string head_of(int width, int height) {
  constexpr char kEightBits = 8, kTrueColor = 2;
  std::string out;
  put_whole(out, static_cast<std::uint32_t>(width), 4);
  put_whole(out, static_cast<std::uint32_t>(height), 4);
  // packed by deflate, filtered row by row, not interlaced
  for (const char c : {kEightBits, kTrueColor, '\0', '\0', '\0'}) out += c;
  return out;
}

}  // namespace

struct MovingPng::Inside {
  std::filesystem::path path;
  MovingPngSettings settings;
  int width = 0, height = 0;
  Image last;
  struct Frame {
    PicturePart part;
    std::string data;
  };
  std::vector<Frame> frames;

  std::string control(std::uint32_t number, std::size_t k) const {
    constexpr std::uint32_t kMillisecond = 1000;  // of a second
    const PicturePart& part = frames[k].part;
    std::string out;
    put_whole(out, number, 4);
    for (const int side : {part.width, part.height, part.x, part.y})
      put_whole(out, static_cast<std::uint32_t>(side), 4);
    const bool ends = k + 1 == frames.size();
    const auto hold = static_cast<std::uint32_t>(std::lround(kMillisecond * settings.hold_seconds));
    put_whole(out, ends ? hold : 1, 2);
    put_whole(out, ends ? kMillisecond : static_cast<std::uint32_t>(settings.frames_per_second), 2);
    out += kKeepPicture;
    out += kReplace;
    return out;
  }
};

MovingPng::MovingPng(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
MovingPng::~MovingPng() = default;
MovingPng::MovingPng(MovingPng&&) noexcept = default;
MovingPng& MovingPng::operator=(MovingPng&&) noexcept = default;

MovingPng MovingPng::start(const std::filesystem::path& path, int width, int height,
                           const MovingPngSettings& settings) {
  auto inside = std::make_unique<Inside>();
  inside->path = path;
  inside->settings = settings;
  inside->width = width;
  inside->height = height;
  return MovingPng(std::move(inside));
}

void MovingPng::add(const Image& image) {
  REPOSE_CHECK(image.width == inside_->width && image.height == inside_->height);
  const PicturePart whole{0, 0, image.width, image.height};
  const PicturePart part = inside_->frames.empty() ? whole : changed(inside_->last, image);
  inside_->frames.push_back({part, packed(image, part)});
  inside_->last = image;
}

Result<Done> MovingPng::finish() {
  const auto& frames = inside_->frames;
  REPOSE_CHECK(!frames.empty());
  std::string out = "\x89PNG\r\n\x1a\n";
  put_chunk(out, "IHDR", head_of(inside_->width, inside_->height));
  std::string plays;
  put_whole(plays, static_cast<std::uint32_t>(frames.size()), 4);
  put_whole(plays, 0, 4);  // for ever
  put_chunk(out, "acTL", plays);
  // controls and data of all frames but the first share one count
  std::uint32_t number = 0;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    put_chunk(out, "fcTL", inside_->control(number++, k));
    if (k == 0) {
      put_chunk(out, "IDAT", frames[k].data);
      continue;
    }
    std::string data;
    put_whole(data, number++, 4);
    put_chunk(out, "fdAT", data + frames[k].data);
  }
  put_chunk(out, "IEND", {});
  return write_whole(inside_->path, out);
}

}  // namespace repose::render
