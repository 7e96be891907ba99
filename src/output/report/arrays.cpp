#include "arrays.h"

#include <bit>

#include <zlib.h>

#include "repose/base/check.h"

namespace repose::report {
namespace {

static_assert(std::endian::native == std::endian::little, "page arrays are little-endian");

constexpr int kPackingEffort = 7;  // zlib's 1 to 9

/// Plane k holds byte k of every number: the high bytes of near numbers become long runs.
std::vector<unsigned char> planes_of(const void* data, std::size_t width, std::size_t count) {
  const auto* bytes = static_cast<const unsigned char*>(data);
  std::vector<unsigned char> out(width * count);
  for (std::size_t k = 0; k < width; ++k)
    for (std::size_t i = 0; i < count; ++i) out[k * count + i] = bytes[i * width + k];
  return out;
}

std::vector<unsigned char> packed(const std::vector<unsigned char>& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::vector<unsigned char> out(size);
  const int code =
      compress2(out.data(), &size, bytes.data(), static_cast<uLong>(bytes.size()), kPackingEffort);
  REPOSE_CHECK(code == Z_OK);
  out.resize(size);
  return out;
}

}  // namespace

std::string base64(const std::vector<unsigned char>& bytes) {
  static constexpr char kLetters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t left = bytes.size() - i;
    std::uint32_t word = static_cast<std::uint32_t>(bytes[i]) << 16;
    if (left > 1) word |= static_cast<std::uint32_t>(bytes[i + 1]) << 8;
    if (left > 2) word |= bytes[i + 2];
    out += kLetters[word >> 18];
    out += kLetters[(word >> 12) & 63];
    out += left > 1 ? kLetters[(word >> 6) & 63] : '=';
    out += left > 2 ? kLetters[word & 63] : '=';
  }
  return out;
}

int Arrays::add_bytes(const char* type, const void* data, std::size_t width, std::size_t count) {
  entries_.push_back({type, count, base64(packed(planes_of(data, width, count)))});
  return static_cast<int>(entries_.size()) - 1;
}

int Arrays::add(const std::vector<double>& numbers) {
  return add_bytes("f64", numbers.data(), sizeof(double), numbers.size());
}
int Arrays::add(const std::vector<float>& numbers) {
  return add_bytes("f32", numbers.data(), sizeof(float), numbers.size());
}
int Arrays::add(const std::vector<std::uint32_t>& numbers) {
  return add_bytes("u32", numbers.data(), sizeof(std::uint32_t), numbers.size());
}
int Arrays::add(const std::vector<std::int32_t>& numbers) {
  return add_bytes("i32", numbers.data(), sizeof(std::int32_t), numbers.size());
}

}  // namespace repose::report
