#pragma once

#include <span>
#include <vector>

#include "row.h"

namespace repose::place {

/// A body on its way from t = 0 to t = 1: its centre of mass goes straight, it turns evenly.
struct Journey {
  Surface* surface = nullptr;
  Mat3 rotation = Mat3::Identity();  // at t = 0
  Vec3 center = Vec3::Zero();        // of mass, world, at t = 0
  Vec3 center_body = Vec3::Zero();   // of mass, body frame
  Vec3 move = Vec3::Zero();          // of the centre, m
  Vec3 turn = Vec3::Zero();          // rotation vector, world

  Posed at(double t) const;
};

/// A direction that may separate the two near a place: a contact's normal at both ends of the way.
struct Hint {
  Vec3 point = Vec3::Zero();                        // world
  Vec3 start = Vec3::UnitZ(), end = Vec3::UnitZ();  // unit, world, from q to p
};

enum class Passage { free, blocked, out_of_budget };

struct PassageReport {
  Passage passage = Passage::free;
  long tests = 0;
  int cell_p = -1, cell_q = -1;  // blocked: where
  double time = 0.0;
};

/// Proves that the two surfaces stay apart all the way. For a pair of cells and a direction n, held
/// over a span of time, the gap along n is at least that at its middle less what the two can
/// approach in half the span: |n.v| + |n x w| r + |w|^2 h r / 2 for each body. Cells and spans are
/// halved until every pair is shown apart; `blocked` where they are smaller than `least` (m).
/// Requires: p is no half space. Bodies of one formula go by it (swept_motion.h) first.
PassageReport prove_free(const Journey& p, const Journey& q, std::span<const Hint> hints,
                         double least, long budget);

}  // namespace repose::place
