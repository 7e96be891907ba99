#pragma once

#include "repose/record/recording.h"

namespace repose {

/// A moment between two recorded frames.
struct Moment {
  int frame = 0;       // the earlier of the two
  double share = 0.0;  // [0, 1) of the way to the next
};

/// Moments at which the body that is farthest on its way moves evenly. Methods that count steps
/// only pass long falls and small shifts alike in a step; here time is the path of the fastest
/// body.
class EvenPace {
 public:
  /// Reads every frame once. An error means that the file is damaged.
  static Result<EvenPace> of(const Recording& recording);

  /// m; what the fastest body went from one frame to the next, over all frames. A turn counts with
  /// the body's half size.
  double length() const { return path_.back(); }
  /// After this share of the whole path; [0, 1]. 1 is the last frame.
  Moment at(double share) const;
  /// Places between two frames are those that the method proved free of overlap: consecutive steps
  /// of `pile` and `place` without an edit. Else only recorded frames are.
  bool proven_between() const { return proven_between_; }

 private:
  std::vector<double> path_{0.0};  // m, to each frame
  bool proven_between_ = false;
};

/// Whether time passes in the recording; `place` and `pile` count steps only.
bool has_time(const Recording& recording);

/// The last frame at or before `time` (s, counted from the first frame).
/// Requires: at least one frame.
Moment moment_at_time(const Recording& recording, double time);

/// From frame to frame bodies go straight with their centres of mass (as `place` moves them), or
/// with their origins.
bool centers_go_straight(const Recording& recording);

/// The frame at a moment: origins (of `place`: centres of mass) on the straight way, rotations
/// evenly turned, soft points straight; contacts are those of the earlier frame. A body that one of
/// the two lacks stands as in the other.
Result<RecordedFrame> frame_at(const Recording& recording, const Moment& moment);

}  // namespace repose
