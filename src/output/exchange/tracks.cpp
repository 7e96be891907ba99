#include "tracks.h"

#include <algorithm>

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

// gaps take the pose before them, or the first one there is
void fill_gaps(Track& track) {
  const auto first = std::find(track.present.begin(), track.present.end(), true);
  if (first == track.present.end()) return;
  auto last = static_cast<std::size_t>(first - track.present.begin());
  for (std::size_t f = 0; f < track.poses.size(); ++f) {
    if (track.present[f]) last = f;
    if (!track.present[f]) {
      track.poses[f] = track.poses[last];
      track.points[f] = track.points[last];
    }
    if (f > 0 && track.poses[f].rotation.dot(track.poses[f - 1].rotation) < 0.0)
      track.poses[f].rotation.coeffs() *= -1.0;
  }
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

Result<Tracks> read_tracks(const Recording& recording) {
  const auto frames = static_cast<std::size_t>(recording.frame_count());
  Tracks out;
  out.times = increasing(recording.times());
  out.bodies.resize(recording.bodies().size());
  for (Track& track : out.bodies) {
    track.poses.resize(frames);
    track.present.resize(frames, false);
    track.points.resize(frames);
  }
  for (std::size_t f = 0; f < frames; ++f) {
    auto frame = recording.frame(static_cast<int>(f));
    if (!frame) return frame.error();
    for (std::size_t i = 0; i < frame->bodies.size(); ++i) {
      Track& track = out.bodies[static_cast<std::size_t>(frame->bodies[i])];
      track.poses[f] = frame->poses[i];
      track.present[f] = true;
      if (i < frame->points_world.size()) track.points[f] = std::move(frame->points_world[i]);
    }
  }
  for (Track& track : out.bodies) fill_gaps(track);
  return out;
}

}  // namespace repose::exchange
