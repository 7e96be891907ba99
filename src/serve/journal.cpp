#include "journal.h"

#include "repose/base/whole_file.h"

namespace repose::serve {

namespace {

/// The place of the state of that number among those kept; -1: it is not among them.
int place_of(const Session& session, long number) {
  for (int i = session.undoable(); i >= 0; --i) {
    const long here = session.kept(i).number;
    if (here == number) return i;
    if (here < number) break;
  }
  return -1;
}

}  // namespace

Result<Done> Journal::set_head(RecordingHead head) {
  head_ = std::move(head);
  return writer_ ? writer_->set_head(head_) : Done{};
}

Result<Done> Journal::follow(const Session& session, const std::map<long, Audit>& audits) {
  if (session.state_number() <= last_) return Done{};
  int from = place_of(session, last_) + 1;
  if (!writer_ || from == 0) {
    std::error_code failed;
    std::filesystem::create_directories(file_.parent_path(), failed);
    if (failed) return cannot_write(file_, failed.message());
    writer_.reset();
    auto writer = RecordingWriter::create(file_, head_);
    if (!writer) return writer.error();
    writer_.emplace(std::move(*writer));
    problem_version_ = -1;
    from = 0;
  }
  for (int i = from; i <= session.undoable(); ++i) {
    const Session::Kept kept = session.kept(i);
    const auto audit = audits.find(kept.number);
    if (audit == audits.end()) continue;
    if (kept.problem_version != problem_version_) {
      if (auto done = writer_->set_bodies(kept.problem); !done) return done;
      problem_version_ = kept.problem_version;
    }
    if (auto done = writer_->add_frame(kept.state, audit->second); !done) return done;
    last_ = kept.number;
  }
  return Done{};
}

Result<Done> Journal::commit() {
  return writer_ ? writer_->commit() : Done{};
}

Result<Done> Journal::finish() {
  return writer_ ? writer_->finish() : Done{};
}

}  // namespace repose::serve
