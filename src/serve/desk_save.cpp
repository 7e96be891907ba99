// Recordings of what was done by hand.
#include <algorithm>

#include "repose/base/fault.h"
#include "repose/record/recording_writer.h"

#include "desk.h"

namespace repose::serve {

namespace {

constexpr std::size_t kLongestName = 80;  // letters

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
  const std::filesystem::path folder = out_ / name;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return fault("/name", folder.string(), failed.message(), "a folder to write to");

  RecordingHead head;
  head.scene = scene_.name;
  head.scene_text = write_scene(scene_);
  head.method = method_->name;
  for (const auto& [setting, value] : session_->settings())
    head.settings[setting] = repose::to_text(value);
  head.seed = static_cast<std::uint64_t>(scene_.seed);
  head.gravity = session_->problem().gravity;
  const auto path = folder / "recording.repose";
  auto writer = RecordingWriter::create(path, head);
  if (!writer) return writer.error();
  long problem_version = -1;
  for (int i = 0; i <= session_->undoable(); ++i) {
    const Session::Kept kept = session_->kept(i);
    if (kept.problem_version != problem_version) {
      if (auto done = writer->set_bodies(kept.problem); !done) return done.error();
      problem_version = kept.problem_version;
    }
    const auto audit = audits_.find(kept.number);
    if (audit == audits_.end()) continue;
    if (auto done = writer->add_frame(kept.state, audit->second); !done) return done.error();
  }
  if (auto done = writer->finish(); !done) return done.error();
  return path.string();
}

}  // namespace repose::serve
