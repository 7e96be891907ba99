// Recordings of what was done by hand.
#include <algorithm>

#include "repose/base/fault.h"
#include "repose/exchange/csv.h"
#include "repose/exchange/gltf.h"
#include "repose/report/report.h"
#include "repose/run/catalogue.h"

#include "desk.h"
#include "plain_name.h"

namespace repose::serve {

namespace {

constexpr const char* kRecording = "recording.repose";
constexpr const char* kLive = "live";  // folder of the recording that goes along

using Write = Result<Done> (*)(const Recording&, const std::filesystem::path&);

Result<Done> write_page(const Recording& recording, const std::filesystem::path& path) {
  const auto method = find_method(recording.head().method);
  return report::write_report(recording, path,
                              method ? (*method)->settings : std::vector<SettingInfo>{}, {});
}

/// What a page may ask for, beside the recording itself.
struct Form {
  const char* name;
  const char* file;
  Write write;
};
constexpr Form kForms[] = {{"page", "report.html", write_page},
                           {"gltf", "scene.glb", exchange::write_gltf},
                           {"csv", "series.csv", exchange::write_csv}};

}  // namespace

Result<std::string> Desk::save(const std::string& name) const {
  if (!is_plain(name))
    return fault("/name", name, "no name for a folder", "letters, digits, '-' and '_'");
  Journal journal(out_ / name / kRecording, recording_head());
  if (auto done = journal.follow(*session_, audits_); !done) return done.error();
  if (auto done = journal.finish(); !done) return done.error();
  return (out_ / name / kRecording).string();
}

Result<std::string> Desk::export_as(const std::string& name, const std::string& form) const {
  const auto* known = std::find_if(std::begin(kForms), std::end(kForms),
                                   [&form](const Form& f) { return form == f.name; });
  if (known == std::end(kForms)) return fault("/form", form, "no such form", "page, gltf or csv");
  const auto saved = save(name);
  if (!saved) return saved.error();
  const auto recording = Recording::open(*saved);
  if (!recording) return recording.error();
  const std::filesystem::path path = out_ / name / known->file;
  if (auto done = known->write(*recording, path); !done) return done.error();
  return path.string();
}

RecordingHead Desk::recording_head() const {
  RecordingHead out;
  out.scene = scene_.name;
  out.scene_text =
      write_scene(as_events(scene_, log_.until(session_->state_number()), session_->state().step));
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
