#pragma once

#include <filesystem>

#include "repose/base/result.h"

namespace repose {

/// True if SQLite's answer says that the folder, not the file, is what it cannot use.
bool needs_copy(int sqlite_code);

/// A recording and its log copied into a folder of their own, removed with this object.
class ScratchCopy {
 public:
  static Result<ScratchCopy> make(const std::filesystem::path& recording);
  ~ScratchCopy();
  ScratchCopy(ScratchCopy&& other) noexcept : folder_(std::move(other.folder_)) {
    other.folder_.clear();
  }
  ScratchCopy& operator=(ScratchCopy&&) = delete;

  std::filesystem::path path() const { return folder_ / "recording.repose"; }

 private:
  explicit ScratchCopy(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::filesystem::path folder_;
};

}  // namespace repose
