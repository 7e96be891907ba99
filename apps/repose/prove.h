#pragma once

#include <optional>

#include "repose/check/way.h"
#include "repose/run/judge.h"
#include "repose/run/result.h"
#include "repose/run/session.h"

/// Judges frame after frame for overlap, and every moment of every step, and keeps the worst
/// verdicts (`run --prove`).
class FrameProof {
 public:
  explicit FrameProof(repose::ProvenWays ways) : ways_taken_(ways) {}

  void add(const repose::Session& session);
  /// The method's word on motion beside what masses and velocities say.
  void add_motion(const repose::Session& session, const repose::Audit& audit);
  const std::optional<repose::MotionAudit>& motion() const { return motion_; }
  /// The state before the first step, then that after every step.
  void add_step(const repose::Session& session);
  /// An edit between two steps.
  void add_edit(const repose::Edit& edit);
  const std::optional<repose::Judgement>& worst() const { return worst_; }
  const std::optional<repose::check::WayVerdict>& worst_way() const { return worst_way_; }
  long ways() const { return ways_; }
  /// Bodies that an edit put elsewhere or changed, over all steps.
  long left_out() const { return left_out_; }
  double seconds() const { return seconds_; }  // CPU

 private:
  repose::ProvenWays ways_taken_;
  std::optional<repose::Judgement> worst_;
  std::optional<repose::check::WayVerdict> worst_way_;
  std::optional<repose::MotionAudit> motion_;
  std::optional<repose::check::Input> last_;
  std::vector<std::string> put_;  // by edits since the last step
  long ways_ = 0, left_out_ = 0;
  double seconds_ = 0.0;
};
