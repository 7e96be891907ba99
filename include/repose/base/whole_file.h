#pragma once

#include <filesystem>
#include <string_view>

#include "repose/base/result.h"

namespace repose {

/// A file that is whole from its first moment on: it is written under another name in the same
/// folder and takes its place when it is done.
///
/// A kill at any moment leaves the file that was there before, or none, or the new one; the bytes
/// are flushed to the disk before they take the place, so that a power cut does the same (it may
/// also bring the old one back: the folder itself is not flushed). Errors name the place, not the
/// other name, and what the system said.
class WholeFile {
 public:
  /// Touches nothing yet. Two processes, or two objects of one, do not share the other name.
  explicit WholeFile(std::filesystem::path place);
  /// What was written and did not take its place is removed.
  ~WholeFile();
  WholeFile(WholeFile&& other) noexcept;
  WholeFile& operator=(WholeFile&&) = delete;

  const std::filesystem::path& place() const { return place_; }
  /// Where to write meanwhile; whatever made it must have closed it before put().
  const std::filesystem::path& beside() const { return beside_; }
  Result<Done> put();

  /// The ending of every such name; what a kill leaves behind can be told by it.
  static constexpr const char* kEnding = ".part";

 private:
  std::filesystem::path place_, beside_;  // beside_ is empty once the file stands in its place
};

/// The bytes as a whole file.
Result<Done> write_whole(const std::filesystem::path& place, std::string_view bytes);

/// "cannot write: WHY" of a file, with what would be right.
InputError cannot_write(const std::filesystem::path& place, const std::string& why);
/// The same with the system's own words for an error number.
InputError cannot_write(const std::filesystem::path& place, int system_error);

}  // namespace repose
