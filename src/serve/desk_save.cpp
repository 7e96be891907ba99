// Recordings of what was done by hand.
#include <algorithm>

#include "repose/base/fault.h"
#include "repose/exchange/csv.h"
#include "repose/exchange/gltf.h"
#include "repose/record/recording_head.h"
#include "repose/report/report.h"
#include "repose/run/catalogue.h"

#include "desk.h"
#include "plain_name.h"

namespace repose::serve {

namespace {

constexpr const char* kRecording = "recording.repose";
constexpr const char* kLive = "live";  // folder of the recording that goes along

/// Writing down what hands did may take this share of the time while something is pulled.
constexpr double kToldShare = 0.05;

/// The recording of an earlier run there gets a folder of its own: LIVE-2, LIVE-3, ... One without
/// a step is no loss.
Result<Done> set_aside(const std::filesystem::path& live) {
  std::error_code failed;
  if (!std::filesystem::exists(live / kRecording, failed)) return Done{};
  {
    const auto old = Recording::open(live / kRecording);
    if (old && old->frame_count() <= 1) return Done{};
  }
  std::filesystem::path to;
  for (int k = 2; to.empty() || std::filesystem::exists(to, failed); ++k)
    to = live.string() + "-" + std::to_string(k);
  std::filesystem::rename(live, to, failed);
  if (failed)
    return fault("", live.string(), "the recording of an earlier run cannot be set aside",
                 failed.message());
  return Done{};
}

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
  const auto known = head();
  if (!known) return known.error();
  Journal journal(out_ / name / kRecording, *known);
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

Result<RecordingHead> Desk::head() const {
  return recording_head(
      as_events(scene_, log_.until(session_->state_number()), session_->state().step), *session_);
}

void Desk::keep_journal(bool on) {
  keeps_journal_ = on;
  begin_journal();
}

void Desk::begin_journal() {
  journal_.reset();
  if (!keeps_journal_ || !is_open()) return;
  if (auto done = set_aside(out_ / kLive); !done) {
    why_ = "nothing is recorded: " + done.error().text();
    return;
  }
  const auto known = head();
  if (!known) {
    why_ = "nothing is recorded: " + known.error().text();
    return;
  }
  journal_.emplace(out_ / kLive / kRecording, *known);
  told_ = {};
  write_journal();
}

// Whoever judges or replays the recording needs what hands did: joints and bodies with the very
// state that has them; pulls, which come with every step, as often as that costs little.
Result<Done> Desk::tell_journal() {
  const HandLog::Newest newest = log_.newest(session_->state_number());
  if (newest == told_.newest) return Done{};
  const bool pulls_only = newest.lasting == told_.newest.lasting;
  if (pulls_only && running_ && Clock::now() < told_.again) return Done{};
  const auto begun = Clock::now();
  const auto known = head();
  if (!known) return known.error();
  auto done = journal_->set_head(*known);
  const auto now = Clock::now();
  told_ = {newest, now + std::chrono::duration_cast<Clock::duration>((now - begun) / kToldShare)};
  return done;
}

// what cannot be written is said once, and the session goes on without
void Desk::write_journal() {
  if (!journal_) return;
  Result<Done> done = Done{};
  // a state that was gone back to is none of the recording's until something else comes of it
  if (session_->state_number() >= journal_->last()) done = tell_journal();
  if (done) done = journal_->follow(*session_, audits_);
  if (done && !running_) done = journal_->commit();
  if (done) return;
  why_ = "nothing is recorded from here on: " + done.error().text();
  journal_.reset();
}

}  // namespace repose::serve
