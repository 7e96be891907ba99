#pragma once

#include <unordered_map>
#include <vector>

#include "repose/world/method.h"

#include "arena.h"

namespace repose::surfel {

/// A ball that a remade body is to have.
struct BallPlan {
  Vec3 center = Vec3::Zero();   // at rest, body frame, m
  Vec3 normal = Vec3::UnitZ();  // unit, body frame
  double radius = 0.0;          // m
  int before = -1;              // the ball of the body before, counted within it; -1: a new one
};

/// A body made of some phyxels of another, which keep their places, speeds and what lasts of their
/// strain.
struct PartPlan {
  std::vector<int> phyxels;  // counted within the body before
  std::vector<BallPlan> balls;
};

/// The body and the state of a plan. Phyxels that lost neighbours stand without stress: `torn`, one
/// for each phyxel of the plan. Requires: its phyxels can be fitted.
struct Part {
  Body body;
  BodyState state;
  std::vector<int> points_before;
};
Part make_part(const Problem& problem, const State& state, int body, const PartPlan& plan,
               const std::vector<bool>& torn, int neighbours);

/// The balls of a body as plans.
std::vector<BallPlan> ball_plans(const shape::PointSet& points);

/// What stands where, to find room for new balls.
class Room {
 public:
  /// All balls and solids but those of the body `without`. New balls keep `keep` from all, m.
  Room(const Arena& arena, const Motion& motion, const std::vector<Vec3>& centers, int without,
       double keep);

  /// The largest radius up to `wanted` with which a ball of `part` finds room at `center`; 0: none.
  /// Balls of one part that are near at rest may overlap.
  double radius_for(const Vec3& center, const Vec3& rest, int part, double wanted) const;
  void take(const Vec3& center, const Vec3& rest, int part, double radius);

 private:
  struct Taken {
    Vec3 center, rest;
    int part;
    double radius;
  };
  std::int64_t cell_of(const Vec3& p, int dx, int dy, int dz) const;

  const Arena& arena_;
  const Motion& motion_;
  double keep_, width_;
  std::vector<Taken> taken_;
  std::unordered_map<std::int64_t, std::vector<int>> cells_;  // looked up only, never walked
};

}  // namespace repose::surfel
