// Several lines of states from one scene, and those that were saved.
#include <algorithm>

#include "repose/base/fault.h"
#include "repose/record/recording.h"
#include "repose/run/catalogue.h"

#include "desk.h"
#include "plain_name.h"

namespace repose::serve {

namespace {

constexpr std::size_t kMostBranches = 8;  // each keeps its states for undo

}  // namespace

Desk::Line Desk::take_line() {
  return {std::move(*session_), std::move(added_),  last_,          std::move(audits_),
          std::move(marks_),    std::move(undone_), std::move(log_)};
}

void Desk::put_line(Line line) {
  session_.emplace(std::move(line.session));
  added_ = std::move(line.added);
  last_ = line.last;
  audits_ = std::move(line.audits);
  marks_ = std::move(line.marks);
  undone_ = std::move(line.undone);
  log_ = std::move(line.log);
  why_.clear();
  serial_version_ = -1;  // what it counts may be another problem here
  changed();
}

Result<Done> Desk::branch() {
  if (branches_.size() >= kMostBranches)
    return fault("", "", "as many branches as are kept", "another scene, or one of the branches");
  pause();
  forget_hands();
  auto second = session_->branch();
  if (!second) return second.error();
  const auto added = added_;
  const auto last = last_;
  const auto log = log_;
  branches_[branch_] = take_line();
  branch_ = branches_.size();
  branches_.emplace_back();
  put_line({std::move(*second), added, last, {}, {}, {}, log});
  return Done{};
}

Result<Done> Desk::go_to_branch(int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= branches_.size())
    return fault("/branch", std::to_string(index), "no such branch", "one that the status lists");
  const auto to = static_cast<std::size_t>(index);
  if (to == branch_) return Done{};
  pause();
  forget_hands();
  branches_[branch_] = take_line();
  Line line = std::move(*branches_[to]);
  branches_[to].reset();
  branch_ = to;
  put_line(std::move(line));
  return Done{};
}

Result<Done> Desk::reset() {
  auto again = session_of(scene_);
  if (!again) return again.error();
  const bool untouched = session_->undoable() + session_->redoable() == 0;
  std::vector<std::optional<Line>> kept;
  std::size_t old = branch_;
  if (!untouched) branches_[branch_] = take_line();
  kept = std::move(branches_);
  Scene scene = scene_;
  begin(std::move(*again), std::move(scene));
  if (untouched) {
    branches_ = std::move(kept);
    branch_ = old;
    return Done{};
  }
  // the oldest of the others goes where there are too many
  if (kept.size() >= kMostBranches) {
    const std::size_t oldest = old == 0 ? 1 : 0;
    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(oldest));
    if (old > oldest) --old;
  }
  branch_ = kept.size();
  kept.emplace_back();
  branches_ = std::move(kept);
  why_ = "from the start; what was done stays as branch " + std::to_string(old + 1);
  return Done{};
}

std::vector<std::string> Desk::saved() const {
  std::vector<std::string> out;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(out_, failed))
    if (const std::string name = entry.path().filename().string();
        is_plain(name) && std::filesystem::exists(entry.path() / "recording.repose", failed))
      out.push_back(name);
  std::sort(out.begin(), out.end());
  return out;
}

Result<Done> Desk::open_saved(const std::string& name) {
  if (!is_plain(name))
    return fault("/name", name, "no name of a folder", "a name that `saved` lists");
  const auto recording = Recording::open(out_ / name / "recording.repose");
  if (!recording) return recording.error();
  auto scene = scene_from_text(recording->head().scene_text, (out_ / name / "scene.json").string(),
                               method_catalogue());
  if (!scene) return scene.error();
  scene->name = recording->head().scene;
  // a recording that went along knows of more steps than its scene
  auto last = take_stop(*scene);
  if (recording->frame_count() > 0) last = std::max(last.value_or(0), recording->steps().back());
  if (auto done = start(std::move(*scene)); !done) return done;
  if (!last || *last == 0) return Done{};
  replay_to_ = last;
  replay_pace_ = pace_;
  pace_ = 0.0;
  run();
  return Done{};
}

}  // namespace repose::serve
