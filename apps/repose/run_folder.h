#pragma once

#include <filesystem>
#include <vector>

#include "repose/base/result.h"

/// The folder that a run writes into. One run has it at a time, and what stood there before comes
/// back if the new run is refused.
///
/// What a kill leaves at any moment: a recording that opens, the old one until the new one takes
/// its place, and never a page beside the recording of another run.
class RunFolder {
 public:
  /// Makes the folder where it is missing and locks it. Refused with the folder's name if another
  /// run has it; a run that was killed holds no lock.
  static repose::Result<RunFolder> take(const std::filesystem::path& folder);
  /// Drops what was set aside, and the lock.
  ~RunFolder();
  RunFolder(RunFolder&& other) noexcept;
  RunFolder& operator=(RunFolder&&) = delete;

  std::filesystem::path recording() const { return folder_ / kRecording; }

  /// Results of an older run leave their places; its recording stays until a new one takes it.
  repose::Result<repose::Done> set_aside();
  /// The run was refused: everything is as it was before take().
  void bring_back();

 private:
  static constexpr const char* kRecording = "recording.repose";

  RunFolder() = default;
  repose::Result<repose::Done> lock();
  void settle_leftovers();
  void drop_new_recording() const;
  void remove_made() const;

  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  // folders that were not there, outermost first
  int lock_ = -1;                            // file descriptor
};
