#include "repose/record/recording_observer.h"

namespace repose {

Result<Done> RecordingObserver::frame(const Session& session, const Audit& audit) {
  if (problem_version_ != session.problem_version()) {
    if (auto done = writer_.set_bodies(session.problem()); !done) return done;
    problem_version_ = session.problem_version();
  }
  if (contacts_) return writer_.add_frame(session.state(), audit);
  State bare = session.state();
  bare.contacts.clear();
  return writer_.add_frame(bare, audit);
}

Result<Done> RecordingObserver::event(const Session& session, const Edit& edit) {
  RecordedEvent event;
  event.step = session.fired_step();
  event.time = session.fired_time();
  event.kind = "edit";
  event.target = edit.kind == EditKind::add && edit.body != nullptr ? edit.body->name : edit.target;
  event.text = name_of(edit.kind);
  for (const auto& [name, value] : edit.values) event.text += ' ' + name + '=' + to_text(value);
  return writer_.add_event(event);
}

}  // namespace repose
