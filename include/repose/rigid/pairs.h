#pragma once

#include <span>
#include <vector>

#include "repose/collide/part.h"
#include "repose/rigid/rigid.h"

namespace repose::rigid {

/// Pieces of two solids and the plane between them.
struct RigidPair {
  int upper = 0, lower = 0;  // among rigids; the plane turns with `lower`
  int upper_piece = 0, lower_piece = 0;
  double needed = 0.0;       // m; with a larger gap they cannot meet in this step
  collide::Parting parting;  // at the step's start
};

/// All pairs of solids of which one is free, in place of what `out` held: those whose gap may come
/// below `extra` in a step h. What is held, or comes first, carries the planes; balls carry none
/// where they need not.
void find_pairs(std::span<const Rigid> rigids, std::span<const RigidMotion> motions, double h,
                double extra, std::vector<RigidPair>& out);

/// A corner of the upper piece of a pair.
struct Touch {
  Vec3 point = Vec3::Zero();  // world, m
  double gap = 0.0;           // m, before the plane
  int corner = 0;             // the same from step to step
};

/// Those corners of a pair's upper piece that are nearer to its plane than `within`.
void find_touches(std::span<const Rigid> rigids, std::span<const RigidMotion> motions,
                  const RigidPair& pair, double within, std::vector<Touch>& out);

}  // namespace repose::rigid
