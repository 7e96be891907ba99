#pragma once

#include <cstdint>
#include <string>

#include "repose/base/result.h"

namespace repose {

/// A plain file, open for reading. Folders, devices, pipes and sockets are refused, and opening one
/// never waits: what a scene names is not to be trusted.
class PlainFile {
 public:
  /// `right` is what the error says would be right: "the path of a mesh file".
  static Result<PlainFile> open(const std::string& path, const std::string& right);

  PlainFile(PlainFile&& other) noexcept;
  PlainFile& operator=(PlainFile&& other) noexcept;
  PlainFile(const PlainFile&) = delete;
  PlainFile& operator=(const PlainFile&) = delete;
  ~PlainFile();

  /// Bytes, when it was opened.
  std::uint64_t size() const { return size_; }
  /// Reads up to `count` bytes from byte `at` on; answers how many there were. Fewer: the file ends
  /// there, or cannot be read.
  std::size_t read(std::uint64_t at, char* out, std::size_t count) const;

 private:
  PlainFile(int descriptor, std::uint64_t size) : descriptor_(descriptor), size_(size) {}

  int descriptor_ = -1;
  std::uint64_t size_ = 0;
};

/// The whole of a plain file of at most `most` bytes; a larger one is refused unread.
Result<std::string> read_plain_file(const std::string& path, std::uint64_t most,
                                    const std::string& right);

}  // namespace repose
