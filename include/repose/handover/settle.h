#pragma once

#include <atomic>

#include "repose/handover/with_poses.h"
#include "repose/run/judge.h"
#include "repose/world/method.h"

namespace repose::handover {

struct SettleSettings {
  /// Friction that bodies may lean on while they settle, of what their materials have; (0, 1].
  /// Smaller: rests that hold in engines whose friction is coarser, longer ways to them.
  double friction_share = 0.5;
  const std::atomic<bool>* interrupt = nullptr;
};

/// How far a body was moved: the greatest way of any of its points is at most this.
struct Shift {
  std::string body;
  double way = 0.0;  // m
};

/// What became of a scene.
struct Settled {
  std::string how;  // the methods that settled it: "pile", "pile, then place"
  RunStatus status = RunStatus::moving;
  std::string why;              // one sentence
  std::vector<Shift> parted;    // bodies that overlapped at the start, and how far they were moved
  Shift farthest;               // from the start to rest
  int moving = 0;               // bodies that could move
  std::vector<BodyPose> poses;  // of those, as they are written
  /// The file with these poses, or why there is none.
  Result<std::string> text = InputError{};
  Judgement verdict;                                // on the poses as they are written
  double solve_seconds = 0.0, check_seconds = 0.0;  // CPU

  /// Nothing overlaps and all is balanced, both proven: it is at rest.
  bool proven() const;
};

/// Brings what can move to rest near where it is. Bodies that overlap are first moved apart by the
/// least motion. Bodies of convex pieces go together by `pile`, others by `place`, one after the
/// other from the lowest up where they do not go together; what touches is then set down finely by
/// `place`. The verdict is on the poses that are read back from the written file.
/// Refused: a scene in which nothing can move, or that neither method takes.
Result<Settled> settle(const Handed& handed, const Catalogue& catalogue,
                       const SettleSettings& settings = {});

}  // namespace repose::handover
