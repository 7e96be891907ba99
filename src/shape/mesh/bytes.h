#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "repose/base/plain_file.h"

namespace repose::shape {

/// Bytes of a mesh, wherever they lie. They are read piece by piece, so that a large file costs no
/// more memory than the mesh in it.
class Bytes {
 public:
  Bytes() = default;
  virtual ~Bytes() = default;
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  virtual std::uint64_t size() const = 0;
  /// Reads up to `count` bytes from byte `at` on; answers how many there were.
  virtual std::size_t read(std::uint64_t at, char* out, std::size_t count) const = 0;
};
using BytesPtr = std::shared_ptr<const Bytes>;

class FileBytes final : public Bytes {
 public:
  explicit FileBytes(PlainFile file) : file_(std::move(file)) {}
  std::uint64_t size() const override { return file_.size(); }
  std::size_t read(std::uint64_t at, char* out, std::size_t count) const override {
    return at < size() ? file_.read(at, out, count) : 0;
  }

 private:
  PlainFile file_;
};

/// A stretch of other bytes. Requires: first + size <= whole->size().
class PartOfBytes final : public Bytes {
 public:
  PartOfBytes(BytesPtr whole, std::uint64_t first, std::uint64_t size)
      : whole_(std::move(whole)), first_(first), size_(size) {}
  std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, char* out, std::size_t count) const override;

 private:
  BytesPtr whole_;
  std::uint64_t first_, size_;
};

/// The text must outlive it.
class MemoryBytes final : public Bytes {
 public:
  explicit MemoryBytes(std::string_view text) : text_(text) {}
  std::uint64_t size() const override { return text_.size(); }
  std::size_t read(std::uint64_t at, char* out, std::size_t count) const override;

 private:
  std::string_view text_;
};

/// What a base64 text says (RFC 4648, padding optional), decoded where it is read. The text must
/// outlive it.
class Base64Bytes final : public Bytes {
 public:
  /// The place of the first character that is none of base64's, if there is one.
  static std::optional<std::size_t> first_wrong(std::string_view text);
  /// Requires: first_wrong(text) is nothing.
  explicit Base64Bytes(std::string_view text);
  std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, char* out, std::size_t count) const override;

 private:
  std::string_view text_;  // without padding
  std::uint64_t size_;
};

/// Walks through bytes in order, a window of them in memory.
class ByteScan {
 public:
  explicit ByteScan(const Bytes& bytes, std::uint64_t at = 0);

  /// The next `count` bytes, gone past; null if there are fewer. Valid until the next call.
  /// Requires: count <= kLargestTake.
  const char* take(std::size_t count);
  /// Of the next byte.
  std::uint64_t offset() const { return next_ - (end_ - at_); }
  std::uint64_t bytes_left() const { return bytes_.size() - offset(); }

  static constexpr std::size_t kLargestTake = 4096;

 private:
  const Bytes& bytes_;
  std::vector<char> window_;
  std::size_t at_ = 0, end_ = 0;  // what of the window is still to come
  std::uint64_t next_;            // byte that follows the window
};

}  // namespace repose::shape
