#pragma once

#include <vector>

#include "arena.h"

namespace repose::surfel {

/// Two balls that do not belong together, or a ball and a piece of a solid.
struct Pair {
  int ball = 0;    // the upper side
  int other = -1;  // a ball of a lower index; -1: a solid
  int solid = -1;
  int piece = -1;
  friend auto operator<=>(const Pair&, const Pair&) = default;
};

/// Where the balls are and how they go.
struct Balls {
  std::vector<Vec3> centers, velocities;  // m, m/s
};

/// Finds what may touch in a step. It remembers what it found while nothing has come much nearer.
class NearSearch {
 public:
  /// All pairs that can come nearer than `extra` in a step h with these velocities are among the
  /// answer, sorted. True if the answer is another than before.
  bool update(const Arena& arena, const Motion& motion, const Balls& balls, double h, double extra);
  const std::vector<Pair>& pairs() const { return pairs_; }
  void clear() { *this = NearSearch(); }
  long searches() const { return searches_; }

 private:
  void find(const Arena& arena, const Motion& motion, const Balls& balls);
  void find_ball_pairs(const Arena& arena, const Balls& balls);
  void find_solids(const Arena& arena, const Motion& motion, const Balls& balls);

  std::vector<Pair> pairs_;
  double margin_ = -1.0;       // m; pairs nearer than that were listed
  std::vector<Vec3> centers_;  // when they were
  std::vector<Vec3> solids_;
  long searches_ = 0;
};

}  // namespace repose::surfel
