#pragma once

#include <optional>

#include "repose/run/judge.h"
#include "repose/run/result.h"
#include "repose/run/session.h"

/// Judges frame after frame for overlap and keeps the worst verdict (`run --prove`); of soft bodies
/// the way of every step as well.
class FrameProof {
 public:
  void add(const repose::Problem& problem, const repose::State& state);
  /// The method's word on motion beside what masses and velocities say.
  void add_motion(const repose::Session& session, const repose::Audit& audit);
  const std::optional<repose::MotionAudit>& motion() const { return motion_; }
  /// The state before the first step, then that after every step.
  void add_step(const repose::Session& session);
  const std::optional<repose::Judgement>& worst() const { return worst_; }
  const std::optional<repose::Judgement>& worst_way() const { return worst_way_; }
  long ways() const { return ways_; }
  long ways_left_out() const { return ways_left_out_; }  // an edit came between
  double seconds() const { return seconds_; }            // CPU

 private:
  std::optional<repose::Judgement> worst_, worst_way_;
  std::optional<repose::MotionAudit> motion_;
  std::optional<repose::State> last_;  // what its arrays share with the session costs nothing
  long last_version_ = 0;
  long ways_ = 0, ways_left_out_ = 0;
  double seconds_ = 0.0;
};
