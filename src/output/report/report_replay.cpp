#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "repose/base/json.h"
#include "repose/base/text.h"
#include "repose/report/report.h"
#include "repose/run/catalogue.h"
#include "repose/world/palette.h"

#include "granular.h"

namespace repose::report {
namespace {

/// The method whose last state is measured as granular matter.
constexpr const char* kGranularMethod = "pile";
/// The method whose bodies move in a plane.
constexpr const char* kPlaneMethod = "mechanism";

/// Frames first, first + stride, ..., and always the last: at most about `most` of `count`.
std::vector<int> kept_frames(int count, double most) {
  const int stride = std::max(1, static_cast<int>(std::ceil(count / std::max(2.0, most))));
  std::vector<int> out;
  for (int i = 0; i < count; i += stride) out.push_back(i);
  if (out.back() != count - 1) out.push_back(count - 1);
  return out;
}

/// The drawing's own points out of all the points of a soft body.
bool take_soft_points(const DrawingShape& shape, const std::vector<Vec3>& points,
                      std::vector<Vec3>& out) {
  const SoftSpan span = shown_span(shape);
  if (points.size() < span.first + span.count) return false;
  const auto first = points.begin() + static_cast<long>(span.first);
  out.insert(out.end(), first, first + static_cast<long>(span.count));
  return true;
}

/// Turns recorded frames into replay frames. A body that a frame lacks keeps its last place there.
class FrameReader {
 public:
  FrameReader(const Recording& recording, Replay& replay)
      : recording_(recording),
        replay_(replay),
        poses_(replay.bodies.size()),
        points_(replay.bodies.size()),
        seen_(replay.bodies.size(), false) {}

  Result<Done> read(const std::vector<int>& kept) {
    for (const int index : kept) {
      auto frame = recording_.frame(index);
      if (!frame) return frame.error();
      take(*frame);
    }
    settle_softness();
    return Done{};
  }

 private:
  void take(RecordedFrame& frame) {
    const int at = static_cast<int>(replay_.frames.size());
    for (std::size_t k = 0; k < frame.bodies.size(); ++k) {
      const auto body = static_cast<std::size_t>(frame.bodies[k]);
      poses_[body] = frame.poses[k];
      if (k < frame.soft.size()) points_[body] = frame.soft[k].positions.view();
      if (!seen_[body]) replay_.bodies[body].first_frame = at;
      if (!seen_[body]) back_fill(body);
      seen_[body] = true;
      replay_.bodies[body].last_frame = at;
    }
    ReplayFrame out;
    out.time = frame.time;
    out.step = frame.step;
    out.poses = poses_;
    out.contacts = std::move(frame.contacts);
    soft_.push_back(points_);
    replay_.frames.push_back(std::move(out));
  }

  /// A body that comes late stands hidden at its first place until then.
  void back_fill(std::size_t body) {
    for (ReplayFrame& frame : replay_.frames) frame.poses[body] = poses_[body];
    for (auto& points : soft_) points[body] = points_[body];
  }

  void settle_softness() {
    for (std::size_t i = 0; i < replay_.bodies.size(); ++i)
      replay_.bodies[i].soft = std::all_of(soft_.begin(), soft_.end(), [&](const auto& points) {
        std::vector<Vec3> taken;
        return !points[i].empty() && take_soft_points(shape_of(i), points[i], taken);
      });
    for (std::size_t f = 0; f < replay_.frames.size(); ++f)
      for (std::size_t i = 0; i < replay_.bodies.size(); ++i)
        if (replay_.bodies[i].soft)
          take_soft_points(shape_of(i), soft_[f][i], replay_.frames[f].soft_points);
  }

  const DrawingShape& shape_of(std::size_t body) const {
    return replay_.shapes[static_cast<std::size_t>(replay_.bodies[body].shape)];
  }

  const Recording& recording_;
  Replay& replay_;
  std::vector<Pose> poses_;
  std::vector<std::vector<Vec3>> points_;
  std::vector<std::vector<std::vector<Vec3>>> soft_;  // per frame, per body
  std::vector<bool> seen_;
};

/// Drops the contacts of frames in between until they fit; the last frame's stay.
void thin_contacts(Replay& replay, const ReportSettings& settings) {
  double total = 0.0;
  for (const ReplayFrame& frame : replay.frames)
    total += static_cast<double>(frame.contacts.size());
  if (total <= settings.max_contacts) return;
  const auto count = static_cast<int>(replay.frames.size());
  const double most = count * settings.max_contacts / total;
  for (ReplayFrame& frame : replay.frames) frame.has_contacts = false;
  for (const int kept : kept_frames(count, most))
    replay.frames[static_cast<std::size_t>(kept)].has_contacts = true;
}

std::vector<ReplayBody> bodies_of(const Recording& recording) {
  std::vector<ReplayBody> out;
  std::map<std::string, int> numbers;
  for (const RecordedBody& body : recording.bodies()) {
    ReplayBody shown;
    shown.name = body.name;
    shown.shape = body.shape;
    shown.material = body.material;
    // one that is sampled anew keeps its colour
    const int number = numbers.try_emplace(body.name, static_cast<int>(out.size())).first->second;
    shown.material.color = drawn_color(body.material, body.fixed, number);
    shown.mass = body.mass;
    shown.fixed = body.fixed;
    shown.role = body.role;
    out.push_back(std::move(shown));
  }
  return out;
}

void add_series(const Recording& recording, Replay& replay) {
  for (const double time : recording.times()) replay.sample_times.push_back(time);
  for (const long step : recording.steps())
    replay.sample_steps.push_back(static_cast<double>(step));
  std::set<std::string> bodies;
  for (const RecordedBody& body : recording.bodies()) bodies.insert(body.name);
  for (const std::string& name : recording.series_names()) {
    PlotSeries series = worded_series(name, bodies);
    series.values = recording.series(name);
    const bool any = std::any_of(series.values.begin(), series.values.end(),
                                 [](double value) { return std::isfinite(value); });
    if (any && series.values.size() == replay.sample_steps.size())
      replay.series.push_back(std::move(series));
  }
}

void add_settings(const Recording& recording, const std::vector<SettingInfo>& known,
                  Replay& replay) {
  for (const auto& [name, value] : recording.head().settings) {
    ShownSetting shown{name, value, "", "", false};
    for (const SettingInfo& info : known) {
      if (info.name != name) continue;
      shown.unit = info.unit;
      shown.meaning = info.meaning;
      shown.changed = to_text(info.default_value) != value;
    }
    replay.settings.push_back(std::move(shown));
  }
}

/// The plain entries of result.json, nested ones as "seconds.solve".
void add_facts(const JsonView& json, const std::string& prefix, Replay& replay) {
  json.each_member([&](const JsonView& key, const JsonView& value) {
    const std::string name = prefix.empty() ? key.text() : prefix + "." + key.text();
    switch (value.kind()) {
      case JsonKind::object:
        // the judge's details have their own page (repose check --out)
        if (name != "verdict.details") add_facts(value, name, replay);
        break;
      case JsonKind::text:
        replay.facts.emplace_back(name, value.text());
        break;
      case JsonKind::number:
        replay.facts.emplace_back(name, value.integer() ? std::string(value.raw())
                                                        : fmt::format("{:.6g}", value.number()));
        break;
      case JsonKind::boolean:
        replay.facts.emplace_back(name, value.raw());
        break;
      case JsonKind::array:
      case JsonKind::null:
        break;
    }
    return true;
  });
}

/// Consecutive steps are joined by the ways that the method has proven, unless something was put
/// elsewhere between the two.
void settle_ways(const Recording& recording, Replay& replay) {
  const auto method = find_method(recording.head().method);
  if (!method || (*method)->ways == ProvenWays::none) return;
  std::set<long> edited;
  for (const RecordedEvent& event : recording.events())
    if (event.kind == "edit") edited.insert(event.step);
  for (std::size_t f = 0; f + 1 < replay.frames.size(); ++f) {
    const long step = replay.frames[f].step;
    if (replay.frames[f + 1].step != step + 1 || edited.contains(step))
      replay.jumps.push_back(static_cast<int>(f));
  }
  replay.proven_between = replay.jumps.size() + 1 < replay.frames.size();
  if ((*method)->ways != ProvenWays::of_centers) return;
  for (std::size_t i = 0; i < replay.bodies.size(); ++i)
    replay.bodies[i].center = recording.bodies()[i].center_body;
}

/// Differs from that of every other page of the same file.
std::string new_stamp() {
  return std::to_string(std::chrono::system_clock::now().time_since_epoch().count());
}

/// The scene's own sentence about itself.
std::string about_of(const std::string& scene_text) {
  const auto scene = JsonDocument::parse(scene_text, "scene");
  if (!scene || (*scene)->root().kind() != JsonKind::object) return {};
  const auto about = (*scene)->root().find("about");
  return about && about->kind() == JsonKind::text ? about->text() : std::string();
}

}  // namespace

Result<Replay> replay_of(const Recording& recording, const std::vector<SettingInfo>& known,
                         const ReportSettings& settings) {
  if (auto done = recording.require_frames(); !done) return done.error();
  const RecordingHead& head = recording.head();
  Replay replay;
  replay.title = head.scene.empty() ? "Untitled scene" : head.scene;
  replay.method = head.method;
  replay.camera = settings.camera;
  replay.ties = settings.ties;
  replay.plane = head.method == kPlaneMethod;
  // without gravity the plane is looked at as it is drawn on paper
  if (replay.plane) replay.up = Vec3::UnitY();
  if (head.gravity.norm() > 0.0) replay.up = -head.gravity.normalized();
  replay.verdict = verdict_of(recording.result_text());
  replay.shapes = recording.shapes();
  replay.bodies = bodies_of(recording);
  replay.about = about_of(head.scene_text);
  if (settings.watches) replay.stamp = new_stamp();

  // two soft points take the room of a pose
  constexpr double kPointsOfPose = 2.0;
  const auto first = recording.frame(0);
  if (!first) return first.error();
  double weight = static_cast<double>(std::max<std::size_t>(1, replay.bodies.size()));
  for (const SoftState& soft : first->soft)
    weight += static_cast<double>(soft.size()) / kPointsOfPose;
  const double most = settings.max_poses / weight;
  const auto kept = kept_frames(recording.frame_count(), most);
  FrameReader reader(recording, replay);
  if (auto read = reader.read(kept); !read) return read.error();
  if (static_cast<int>(kept.size()) < recording.frame_count())
    replay.note =
        fmt::format("{} of {} recorded frames are shown.", kept.size(), recording.frame_count());
  // as many as the terminal tells: those of the last frame
  const int end = static_cast<int>(replay.frames.size()) - 1;
  const auto at_end =
      std::count_if(replay.bodies.begin(), replay.bodies.end(),
                    [end](const ReplayBody& body) { return body.last_frame == end; });
  replay.subtitle =
      fmt::format("{} · {}", count_of(static_cast<long>(at_end), "body"), head.method);
  settle_ways(recording, replay);
  thin_contacts(replay, settings);
  if (head.method == kGranularMethod)
    if (auto done = add_granular(recording, replay); !done) return done.error();
  add_series(recording, replay);
  add_settings(recording, known, replay);
  for (const RecordedEvent& event : recording.events())
    replay.events.push_back(
        {event.step, event.target.empty() ? event.text : event.target + ": " + event.text});
  const auto result = JsonDocument::parse(recording.result_text(), "result");
  if (result && (*result)->root().kind() == JsonKind::object)
    add_facts((*result)->root(), "", replay);
  return replay;
}

}  // namespace repose::report
