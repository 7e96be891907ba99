#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "repose/record/recording_writer.h"
#include "repose/run/session.h"

namespace repose::serve {

/// A recording that goes along with a session: whatever ends the program, it opens.
class Journal {
 public:
  /// Touches nothing yet.
  Journal(std::filesystem::path file, RecordingHead head)
      : file_(std::move(file)), head_(std::move(head)) {}

  /// What is known of the run by now: it goes in with the states that follow.
  Result<Done> set_head(RecordingHead head);
  /// Number of the newest state in it; -1: there is none.
  long last() const { return last_; }
  /// Adds the states on the way to the current one that are new. Where others had been undone
  /// meanwhile it begins anew with the oldest state that the session keeps: a recording has one
  /// line of states. States without an audit are passed over.
  Result<Done> follow(const Session& session, const std::map<long, Audit>& audits);
  /// All that was added survives a kill from now on.
  Result<Done> commit();
  /// One file, without the log beside it.
  Result<Done> finish();

 private:
  std::filesystem::path file_;
  RecordingHead head_;
  std::optional<RecordingWriter> writer_;
  long last_ = -1;
  long problem_version_ = -1;
};

}  // namespace repose::serve
