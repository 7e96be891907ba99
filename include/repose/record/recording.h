#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "repose/base/result.h"
#include "repose/record/drawing.h"
#include "repose/world/state.h"

namespace repose {

/// A body as the recording knows it. An edit that changes a body's properties makes a new row.
struct RecordedBody {
  std::string name;
  int shape = 0;  // index into Recording::shapes()
  Material material;
  double mass = 0.0;  // kg
  Vec3 center_body = Vec3::Zero();
  double size = 0.0;  // m, Body::size(); infinite for a half space
  bool fixed = false;
  bool collides = true;
  int layer = 0;
  std::string role;
  std::vector<std::string> groups;
};

/// One recorded moment. Poses and points belong to the bodies named in `bodies`, in that order;
/// contacts name indices into Recording::bodies().
struct RecordedFrame {
  long step = 0;
  double time = 0.0;        // s
  double energy = 0.0;      // J
  std::vector<int> bodies;  // indices into Recording::bodies(); all of them unless edits changed it
  std::vector<Pose> poses;  // world_from_body
  /// Soft bodies; empty where rigid. Radii are empty where they are those of the drawing;
  /// velocities where the recording has none.
  std::vector<SoftState> soft;
  std::vector<Contact> contacts;
};

/// Something that happened beside the steps: an event or edit, a warning, the end.
struct RecordedEvent {
  long step = 0;
  double time = 0.0;
  std::string kind;    // "edit", "status", "warning"
  std::string target;  // body, joint, force or setting; may be empty
  std::string text;    // one sentence
};

/// Facts of the whole run, written before the first frame.
struct RecordingHead {
  std::string scene;       // name
  std::string scene_text;  // the scene file as it was read; may be empty
  std::string method;
  std::map<std::string, std::string> settings;  // all of the method's settings, as text
  std::uint64_t seed = 0;
  std::string version;                   // of the program that wrote it
  Vec3 gravity = Vec3(0.0, 0.0, -9.81);  // m/s^2
};

/// Reads a recording.repose, finished or cut short: every committed frame is there. The file may
/// still be growing; refresh() sees what was committed since.
class Recording {
 public:
  /// Errors name the path: missing, not a recording, or of a newer format.
  static Result<Recording> open(const std::filesystem::path& path);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  const RecordingHead& head() const;
  const std::vector<DrawingShape>& shapes() const;
  const std::vector<RecordedBody>& bodies() const;
  const std::vector<RecordedEvent>& events() const;

  /// Committed frames, counted from 0.
  int frame_count() const;
  /// An error that names the file if there is none.
  Result<Done> require_frames() const;
  /// Requires 0 <= index < frame_count(). An error means that the file is damaged.
  Result<RecordedFrame> frame(int index) const;
  /// Time (s) of every frame, and its step.
  const std::vector<double>& times() const;
  const std::vector<long>& steps() const;

  /// Names of the plotted series, in the order they first appeared; "energy" is always the first.
  const std::vector<std::string>& series_names() const;
  /// One value per frame; NaN in frames that did not give it. Empty for an unknown name.
  std::vector<double> series(const std::string& name) const;

  /// result.json's text as stored when the run ended; empty if it was cut short.
  const std::string& result_text() const;

  Result<Done> refresh();

 private:
  struct Inside;
  explicit Recording(std::unique_ptr<Inside> inside);
  std::unique_ptr<Inside> inside_;
};

}  // namespace repose
