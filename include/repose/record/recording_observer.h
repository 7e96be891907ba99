#pragma once

#include "repose/record/recording_writer.h"
#include "repose/run/loop.h"

namespace repose {

/// Records every frame and event that a run loop shows; contacts and their forces where asked.
class RecordingObserver : public RunObserver {
 public:
  /// The writer must outlive this.
  explicit RecordingObserver(RecordingWriter& writer, bool contacts = true)
      : writer_(writer), contacts_(contacts) {}

  Result<Done> frame(const Session& session, const Audit& audit) override;
  Result<Done> event(const Session& session, const Edit& edit) override;

 private:
  RecordingWriter& writer_;
  bool contacts_;
  long problem_version_ = -1;
};

}  // namespace repose
