// Recordings of what was done by hand.
#include <algorithm>

#include "repose/base/fault.h"

#include "desk.h"

namespace repose::serve {

namespace {

constexpr std::size_t kLongestName = 80;  // letters
constexpr const char* kRecording = "recording.repose";
constexpr const char* kLive = "live";  // folder of the recording that goes along

bool is_plain(const std::string& name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), good);
}

}  // namespace

Result<std::string> Desk::save(const std::string& name) const {
  if (!is_plain(name))
    return fault("/name", name, "no name for a folder", "letters, digits, '-' and '_'");
  Journal journal(out_ / name / kRecording, recording_head());
  if (auto done = journal.follow(*session_, audits_); !done) return done.error();
  if (auto done = journal.finish(); !done) return done.error();
  return (out_ / name / kRecording).string();
}

RecordingHead Desk::recording_head() const {
  RecordingHead out;
  out.scene = scene_.name;
  out.scene_text = write_scene(scene_);
  out.method = method_->name;
  for (const auto& [setting, value] : session_->settings())
    out.settings[setting] = repose::to_text(value);
  out.seed = static_cast<std::uint64_t>(scene_.seed);
  out.gravity = session_->problem().gravity;
  return out;
}

void Desk::keep_journal(bool on) {
  keeps_journal_ = on;
  begin_journal();
}

void Desk::begin_journal() {
  journal_.reset();
  if (keeps_journal_ && is_open()) journal_.emplace(out_ / kLive / kRecording, recording_head());
  write_journal();
}

// what cannot be written is said once, and the session goes on without
void Desk::write_journal() {
  if (!journal_) return;
  auto done = journal_->follow(*session_, audits_);
  if (done && !running_) done = journal_->commit();
  if (done) return;
  why_ = "nothing is recorded from here on: " + done.error().text();
  journal_.reset();
}

}  // namespace repose::serve
