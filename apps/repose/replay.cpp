#include "replay.h"

#include <algorithm>

#include <fmt/format.h>

#include "repose/record/recording.h"
#include "repose/run/catalogue.h"

namespace {

namespace fs = std::filesystem;

fs::path file_of(const fs::path& saved) {
  return fs::is_directory(saved) ? saved / "recording.repose" : saved;
}

/// Largest distance of two points that should be one, m.
double largest_difference(const repose::RecordedFrame& a, const repose::RecordedFrame& b) {
  double out = 0.0;
  for (std::size_t i = 0; i < a.poses.size(); ++i) {
    out = std::max(out, (a.poses[i].position - b.poses[i].position).norm());
    const auto& p = a.soft[i].positions;
    const auto& q = b.soft[i].positions;
    for (std::size_t k = 0; k < std::min(p.size(), q.size()); ++k)
      out = std::max(out, (p[k] - q[k]).norm());
  }
  return out;
}

bool same_turns(const repose::RecordedFrame& a, const repose::RecordedFrame& b) {
  return std::ranges::equal(a.poses, b.poses, [](const repose::Pose& p, const repose::Pose& q) {
    return p.rotation.coeffs() == q.rotation.coeffs();
  });
}

repose::Result<repose::RecordedFrame> last_frame(const fs::path& file) {
  const auto recording = repose::Recording::open(file);
  if (!recording) return recording.error();
  if (auto done = recording->require_frames(); !done) return done.error();
  return recording->frame(recording->frame_count() - 1);
}

/// What a studio recorded as it came, and did not live to end, knows of more steps than its scene.
void stop_no_earlier(long step, repose::Scene& scene) {
  if (scene.events.empty() || !scene.events.back().at_step) return;
  repose::SceneEvent& last = scene.events.back();
  const bool stops = !last.edits.empty() && last.edits.back().kind == repose::EditKind::stop;
  if (!stops || *last.at_step >= step) return;
  repose::SceneEvent end = last;
  end.edits = {last.edits.back()};
  end.at_step = step;
  last.edits.pop_back();
  if (last.edits.empty()) scene.events.pop_back();
  scene.events.push_back(std::move(end));
}

}  // namespace

repose::Result<repose::Scene> replayed_scene(const fs::path& saved) {
  const fs::path file = file_of(saved);
  const auto recording = repose::Recording::open(file);
  if (!recording) return recording.error();
  if (recording->head().scene_text.empty()) {
    repose::InputError error;
    error.pointer = "--replay";
    error.value = saved.string();
    error.wrong = "its recording holds no scene";
    error.right = "the folder of a recording that the studio saved";
    return error;
  }
  auto scene = repose::scene_from_text(recording->head().scene_text,
                                       (file.parent_path() / "scene.json").string(),
                                       repose::method_catalogue());
  if (!scene) return scene;
  scene->name = recording->head().scene;
  if (recording->frame_count() > 0) stop_no_earlier(recording->steps().back(), *scene);
  return scene;
}

repose::Result<ReplayEnd> compare_ends(const fs::path& saved, const fs::path& again) {
  const auto a = last_frame(file_of(saved)), b = last_frame(file_of(again));
  if (!a) return a.error();
  if (!b) return b.error();
  if (a->step != b->step || a->poses.size() != b->poses.size())
    return ReplayEnd{
        false, fmt::format("it ended after {} steps with {} bodies, not after {} with {}", b->step,
                           b->poses.size(), a->step, a->poses.size())};
  const double off = largest_difference(*a, *b);
  if (off == 0.0 && same_turns(*a, *b))
    return ReplayEnd{true, "the end is the same to the last bit as what was recorded"};
  return ReplayEnd{false, fmt::format("the end differs from what was recorded by {:.3g} m", off)};
}
