#include "tracks.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "surface.h"

namespace repose::exchange {
namespace {

constexpr double kFramesPerSecond = 24.0;

std::vector<double> increasing(const std::vector<double>& times) {
  const bool good = std::adjacent_find(times.begin(), times.end(), [](double a, double b) {
                      return static_cast<float>(a) >= static_cast<float>(b);
                    }) == times.end();
  if (good) return times;
  std::vector<double> out;
  for (std::size_t i = 0; i < times.size(); ++i)
    out.push_back(static_cast<double>(i) / kFramesPerSecond);
  return out;
}

/// Tracks may hold this many places for each that is recorded, and this many besides.
constexpr std::size_t kMostGrowth = 64;
constexpr std::size_t kFewPlaces = std::size_t{1} << 20;

Result<Done> check_amount(const Recording& recording, const Tracks& tracks) {
  std::size_t recorded = 0, shown = 0;
  for (const auto& sightings : tracks.bodies) {
    recorded += sightings.size();
    shown += sightings.empty() ? 0 : tracks.times.size();
  }
  if (shown <= kMostGrowth * recorded + kFewPlaces) return Done{};
  InputError error;
  error.file = recording.head().scene;
  error.wrong = fmt::format("{} bodies that come and go in {} frames would need {} places",
                            tracks.bodies.size(), tracks.times.size(), shown);
  error.right = "CSV or VTK, which write each frame as it is";
  return error;
}

}  // namespace

bool Track::moves() const {
  for (const Pose& pose : poses)
    if (pose.position != poses[0].position || pose.rotation.coeffs() != poses[0].rotation.coeffs())
      return true;
  return false;
}

bool Track::always_present() const {
  return std::find(present.begin(), present.end(), false) == present.end();
}

bool Track::soft() const {
  return !points.empty() &&
         std::none_of(points.begin(), points.end(), [](const auto& of) { return of.empty(); });
}

// gaps take the pose before them, or the first one there is; rotations are signed so that
// neighbours lie on the same side
Track Tracks::of(std::size_t body) const {
  const std::vector<Sighting>& seen = bodies[body];
  Track out;
  if (seen.empty()) return out;
  auto next = seen.begin();
  const Sighting* last = &seen.front();
  for (int f = 0; f < static_cast<int>(times.size()); ++f) {
    const bool there = next != seen.end() && next->frame == f;
    if (there) last = &*next++;
    out.present.push_back(there);
    out.poses.push_back(last->pose);
    out.points.push_back(last->points);
    Quat& rotation = out.poses.back().rotation;
    if (f > 0 && rotation.dot(out.poses[static_cast<std::size_t>(f) - 1].rotation) < 0.0)
      rotation.coeffs() *= -1.0;
  }
  return out;
}

Result<Tracks> read_tracks(const Recording& recording) {
  Tracks out;
  out.times = increasing(recording.times());
  out.bodies.resize(recording.bodies().size());
  for (int f = 0; f < recording.frame_count(); ++f) {
    auto frame = recording.frame(f);
    if (!frame) return frame.error();
    for (std::size_t i = 0; i < frame->bodies.size(); ++i)
      out.bodies[static_cast<std::size_t>(frame->bodies[i])].push_back(
          {f, frame->poses[i], frame->soft[i].positions.view()});
  }
  if (auto done = check_amount(recording, out); !done) return done.error();
  return out;
}

double ground_half_width(const Recording& recording, const Tracks& tracks) {
  std::vector<Vec3> places;
  double largest = 0.0;
  for (std::size_t b = 0; b < recording.bodies().size(); ++b) {
    const RecordedBody& body = recording.bodies()[b];
    if (!std::isfinite(body.size)) continue;
    largest = std::max(largest, body.size);
    for (const Sighting& seen : tracks.bodies[b]) places.push_back(seen.pose.position);
  }
  return ground_half_width(places, largest);
}

}  // namespace repose::exchange
