#pragma once

#include <vector>

#include "repose/record/recording.h"

namespace repose::exchange {

/// The way of one body through all frames. Where it is absent it stays at its nearest known place.
struct Track {
  std::vector<Pose> poses;                // one per frame
  std::vector<bool> present;              // one per frame
  std::vector<std::vector<Vec3>> points;  // soft bodies: per frame; empty where rigid

  bool moves() const;
  bool always_present() const;
};

struct Tracks {
  std::vector<double> times;  // s, strictly increasing
  std::vector<Track> bodies;  // parallel to Recording::bodies()
};

/// Reads every frame. Rotations are signed so that neighbours lie on the same side, and times that
/// do not increase are replaced by frame numbers at 24 a second.
Result<Tracks> read_tracks(const Recording& recording);

}  // namespace repose::exchange
