#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "repose/check/input.h"
#include "repose/prove/answer.h"

namespace repose::check {

/// How one body goes from a moment to a later one: `point_body` straight, the rest turned evenly
/// about it by the shorter turn.
struct Course {
  Pose from, to;                   // world_from_body
  Vec3 point_body = Vec3::Zero();  // body frame
};

struct MomentSettings {
  /// Overlap up to this between the two moments is no fault, where both bodies are thicker than
  /// twice that. Fraction of the smaller body's size; [1e-9, 1e-1]. Smaller: bodies that slide on
  /// one another are looked at at more moments, about as the inverse.
  double tolerance = 1e-3;
  /// Moments at which one pair is looked at before it is given up. [1, 1e9]
  int most_moments = 2000;
  /// Set by a signal handler or another thread: what is not judged by then is undecided.
  const std::atomic<bool>* interrupt = nullptr;
};

/// What is known of all moments between two.
struct MomentVerdict {
  prove::Answer answer = prove::Answer::undecided;  // proven: nothing overlaps deeper than allowed
  double depth_relative = 0.0;   // of the smaller body's size: at no moment is an overlap deeper
  long moments = 0;              // at which gaps were sought
  int body_a = -1, body_b = -1;  // missed or undecided: who
  double share = 0.0;            // of the way: when
  double depth = 0.0;            // m, missed: how deep they overlap then, or deeper
};

/// Every moment is covered: at the middle of a stretch the gap is bracketed, and what either body
/// can go from there to the stretch's ends is taken off. Requires: as many courses as bodies.
MomentVerdict judge_moments(const std::vector<PlacedBody>& bodies,
                            const std::vector<Course>& courses,
                            const MomentSettings& settings = {});

}  // namespace repose::check
