#include "shape/mesh/bytes.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "repose/base/work.h"

namespace repose::shape {
namespace {

constexpr std::size_t kWindow = std::size_t{1} << 16;

/// The six bits of a base64 character; -1: it is none.
int six_bits(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

std::string_view without_padding(std::string_view text) {
  for (int k = 0; k < 2 && text.size() % 4 == static_cast<std::size_t>(k == 0 ? 0 : 3); ++k)
    if (!text.empty() && text.back() == '=') text.remove_suffix(1);
  return text;
}

}  // namespace

std::size_t PartOfBytes::read(std::uint64_t at, char* out, std::size_t count) const {
  if (at >= size_) return 0;
  return whole_->read(first_ + at, out, std::min<std::uint64_t>(count, size_ - at));
}

std::size_t MemoryBytes::read(std::uint64_t at, char* out, std::size_t count) const {
  if (at >= text_.size()) return 0;
  const std::size_t held = std::min<std::uint64_t>(count, text_.size() - at);
  std::memcpy(out, text_.data() + at, held);
  return held;
}

std::optional<std::size_t> Base64Bytes::first_wrong(std::string_view text) {
  const std::string_view digits = without_padding(text);
  for (std::size_t i = 0; i < digits.size(); ++i)
    if (six_bits(digits[i]) < 0) return i;
  // one character alone is less than a byte
  if (digits.size() % 4 == 1) return digits.size();
  return std::nullopt;
}

Base64Bytes::Base64Bytes(std::string_view text)
    : text_(without_padding(text)),
      size_(text_.size() / 4 * 3 + (text_.size() % 4 == 0 ? 0 : text_.size() % 4 - 1)) {}

std::size_t Base64Bytes::read(std::uint64_t at, char* out, std::size_t count) const {
  if (at >= size_) return 0;
  const std::size_t held = std::min<std::uint64_t>(count, size_ - at);
  for (std::size_t i = 0; i < held; ++i) {
    // byte k of a group takes bits from its characters k and k + 1
    const std::uint64_t k = (at + i) % 3, first = (at + i) / 3 * 4 + k;
    const auto high = static_cast<unsigned>(six_bits(text_[first]));
    const auto low = static_cast<unsigned>(six_bits(text_[first + 1]));
    const unsigned both = (high << 6U | low) >> (4 - 2 * k);
    out[i] = static_cast<char>(both & 0xFFU);
  }
  return held;
}

ByteScan::ByteScan(const Bytes& bytes, std::uint64_t at)
    : bytes_(bytes), window_(kWindow), next_(at) {}

const char* ByteScan::take(std::size_t count) {
  REPOSE_DCHECK(count <= kLargestTake);
  if (end_ - at_ < count) {
    spend_work(1);
    const std::size_t kept = end_ - at_;
    std::memmove(window_.data(), window_.data() + at_, kept);
    const std::size_t got = bytes_.read(next_, window_.data() + kept, window_.size() - kept);
    at_ = 0;
    end_ = kept + got;
    next_ += got;
  }
  if (end_ - at_ < count) return nullptr;
  at_ += count;
  return window_.data() + at_ - count;
}

}  // namespace repose::shape
