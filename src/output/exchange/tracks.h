#pragma once

#include <vector>

#include "repose/record/recording.h"

namespace repose::exchange {

/// A body in one of the frames that show it.
struct Sighting {
  int frame = 0;
  Pose pose;
  std::vector<Vec3> points;  // soft bodies
};

/// The way of one body through all frames. Where it is absent it stays at its nearest known place.
struct Track {
  std::vector<Pose> poses;                // one per frame; none of a body that no frame shows
  std::vector<bool> present;              // one per frame
  std::vector<std::vector<Vec3>> points;  // soft bodies: per frame; empty where rigid

  bool moves() const;
  bool always_present() const;
  /// Every frame has points of its own.
  bool soft() const;
};

/// All that the frames say, as large as they are: a body that is there in few frames takes little.
struct Tracks {
  std::vector<double> times;                  // s, strictly increasing
  std::vector<std::vector<Sighting>> bodies;  // parallel to Recording::bodies()

  Track of(std::size_t body) const;
};

/// Reads every frame. Times that do not increase are replaced by frame numbers at 24 a second.
/// Refused: bodies that are there in so few frames that their tracks would dwarf the recording.
Result<Tracks> read_tracks(const Recording& recording);

/// m; how wide endless ground is drawn under bodies that go these ways.
double ground_half_width(const Recording& recording, const Tracks& tracks);

}  // namespace repose::exchange
