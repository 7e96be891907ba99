#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "repose/base/result.h"
#include "repose/record/drawing.h"
#include "repose/world/problem.h"
#include "repose/world/state.h"

namespace repose::report {

struct ReplayBody {
  std::string name;
  int shape = 0;  // index into Replay::shapes
  Material material;
  double mass = 0.0;  // kg; 0 where unknown
  bool fixed = false;
  std::string role;
  Vec3 center = Vec3::Zero();            // m, body frame; goes straight from frame to frame
  bool soft = false;                     // its drawing's points are given frame by frame
  int first_frame = 0, last_frame = -1;  // drawn in these frames; -1: to the end
};

struct ReplayFrame {
  double time = 0.0;  // s
  long step = 0;
  std::vector<Pose> poses;        // parallel to Replay::bodies
  std::vector<Vec3> soft_points;  // world; the drawing's points of all soft bodies in turn
  std::vector<Contact> contacts;  // indices into Replay::bodies
  bool has_contacts = true;       // false: left out; the page shows those of the nearest frame
};

/// Series of one `plot` share axes.
struct PlotSeries {
  std::string name, unit, plot;
  std::vector<double> values;  // NaN where there is none
};

/// A curve or histogram of one state.
struct Chart {
  std::string title, x_label;
  bool bars = false;  // a bar at each x; else a line
  std::vector<double> x, y;
};

/// One line of the verdict: what was promised, what was measured. Both may be empty where the name
/// says it all.
struct KeptPromise {
  std::string name, promised, measured;
  bool kept = true;
  std::string advice = {};  // what to try; of missed ones
};

struct ShownVerdict {
  std::string status;         // "rest", "stuck", ...
  std::string headline;       // one short sentence
  std::string detail;         // one more; may be empty
  std::string judged;         // what the judge found; may be empty
  std::optional<Vec3> place;  // m, world; what that is about
  int exit_code = 0;          // of the run: 0 done, 1 a promise was missed
  std::vector<KeptPromise> promises;
};

struct ShownSetting {
  std::string name, value, unit, meaning;
  bool changed = false;  // differs from its default
};

/// A place worth pointing at, such as one where the checker found overlap.
struct Mark {
  Vec3 point_world = Vec3::Zero();
  std::string label;
};

/// A joint or a spring: something drawn between two bodies, or between one and the world.
struct Tie {
  std::string kind;             // "pin", "spring", "rope", ...
  std::string body_a, body_b;   // names; empty: the world
  Vec3 point_a = Vec3::Zero();  // m, frame of a
  Vec3 point_b = Vec3::Zero();  // m, frame of b
  Vec3 axis = Vec3::UnitZ();    // frame of a
};
std::vector<Tie> ties_of(const Problem& problem);

struct ShownEvent {
  long step = 0;
  std::string text;
};

/// From where a page looks at first.
struct PageCamera {
  Vec3 eye = Vec3::UnitX(), target = Vec3::Zero();  // m
  double view_angle_deg = 26.0;                     // from bottom to top
};

/// All that a replay page shows: a run, or a single state (one frame) with marks.
struct Replay {
  std::string title, subtitle, method;
  std::string about;        // the scene's own sentence; may be empty
  Vec3 up = Vec3::UnitZ();  // unit, against gravity; the page stands that way up
  ShownVerdict verdict;
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<ShownSetting> settings;
  std::vector<ShownEvent> events;
  std::vector<std::pair<std::string, std::string>> measured;  // figures of the last state
  std::vector<Chart> charts;
  std::vector<Mark> marks;
  std::vector<Tie> ties;
  bool plane = false;                // bodies move in the plane z = 0 alone
  std::optional<PageCamera> camera;  // absent: so that all bodies are in view
  std::string stamp;                 // by which it tells newer ones of itself; empty: it does not
  std::string note;                  // what was left out to keep the page small; empty: nothing

  std::vector<DrawingShape> shapes;
  std::vector<ReplayBody> bodies;
  std::vector<ReplayFrame> frames;  // at least one
  /// Between two frames bodies may be drawn going straight with their `center` and turning evenly:
  /// the method has proven that way free of overlap. Not so from the frames in `jumps` to the next.
  bool proven_between = false;
  std::vector<int> jumps;

  std::vector<double> sample_steps, sample_times;  // of the series
  std::vector<PlotSeries> series;
};

/// The page as one self-contained html text: no part of it is fetched, whatever the names in it.
/// Positions are kept to 2^-24 of the scene's size, orientations to 2^-22 radians.
/// An error says that the front end was not found or that a number is not finite.
Result<std::string> replay_page(const Replay& replay);

}  // namespace repose::report
