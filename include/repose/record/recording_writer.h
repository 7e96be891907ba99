#pragma once

#include <filesystem>
#include <memory>

#include "repose/record/recording.h"
#include "repose/world/method.h"

namespace repose {

struct RecordingSettings {
  /// Frames are committed together at most this long after the first of them, s; [0, 10]. Larger:
  /// more frames a second, more of them lost to a kill.
  double commit_every = 0.05;
};

/// What a killed run left in the log beside its recording becomes part of it: from here on it is
/// one file. What is no recording, or is being read, stays as it is. Requires: nobody writes it.
void fold_log(const std::filesystem::path& recording);

/// Writes a recording.repose frame by frame. A kill at any moment, a full disk or a lost writer
/// leaves a file that opens and holds at least committed_frames() frames.
///
/// Every error names the path and what the system said; after one, what was committed stays
/// readable and further calls fail the same way.
class RecordingWriter {
 public:
  /// Replaces a recording of the same name.
  static Result<RecordingWriter> create(const std::filesystem::path& path,
                                        const RecordingHead& head,
                                        const RecordingSettings& settings = {});
  /// Commits what is pending, as far as possible.
  ~RecordingWriter();
  RecordingWriter(RecordingWriter&&) noexcept;
  RecordingWriter& operator=(RecordingWriter&&) noexcept;

  /// What is known of the run by now, in place of what it was created with: a scene that hands
  /// change has more events than at its start. Survives with the frames that follow.
  Result<Done> set_head(const RecordingHead& head);
  /// Before the first frame, and again whenever an edit changed the bodies.
  Result<Done> set_bodies(const Problem& problem);
  /// Requires: `state` is finite and parallel to the bodies last set.
  Result<Done> add_frame(const State& state, const Audit& audit);
  Result<Done> add_event(const RecordedEvent& event);
  Result<Done> set_result(const std::string& json_text);

  Result<Done> commit();
  /// Commits if the pending frames are due (for callers that wait between frames).
  Result<Done> commit_if_due();
  /// Frames that survive a kill from now on.
  long committed_frames() const;
  /// Commits and folds the write-ahead log in: from here on the recording is one file that opens
  /// from read-only media too.
  Result<Done> finish();

 private:
  struct Inside;
  explicit RecordingWriter(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace repose
