#include "near.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "repose/base/stage_clock.h"

namespace repose::surfel {

namespace {

/// Pairs are listed ahead by so much, of the least radius, or by so many steps.
constexpr double kAhead = 0.4;
constexpr double kStepsAhead = 4.0;
constexpr int kBeside = 27;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

using Cell = std::array<std::int64_t, 3>;
struct Entry {
  Cell cell;
  int ball;
  friend auto operator<=>(const Entry&, const Entry&) = default;
};

Cell cell_of(const Vec3& p, double width) {
  Cell out;
  for (int k = 0; k < 3; ++k) out[at(k)] = static_cast<std::int64_t>(std::floor(p[k] / width));
  return out;
}

/// m; how far the fastest comes in a step, and how far the farthest has come since.
double fastest(const std::vector<Vec3>& velocities, double h) {
  double out = 0.0;
  for (const Vec3& v : velocities) out = std::max(out, v.squaredNorm());
  return h * std::sqrt(out);
}
double farthest(const std::vector<Vec3>& now, const std::vector<Vec3>& then,
                const std::vector<Vec3>& velocities, double h) {
  double out = 0.0;
  for (std::size_t i = 0; i < now.size(); ++i)
    out = std::max(out, (now[i] - then[i]).norm() + h * velocities[i].norm());
  return out;
}

std::vector<Vec3> positions(const std::vector<Pose>& poses) {
  std::vector<Vec3> out;
  for (const Pose& pose : poses) out.push_back(pose.position);
  return out;
}

}  // namespace

bool NearSearch::update(const Arena& arena, const Motion& motion, const Balls& balls, double h,
                        double extra) {
  const StageScope timed("find_near");
  const std::vector<Vec3> solids = positions(motion.solids);
  if (margin_ >= 0.0) {
    const double ball = farthest(balls.centers, centers_, balls.velocities, h);
    const double solid = farthest(solids, solids_, motion.solid_velocities, h);
    if (ball + std::max(ball, solid) + extra <= margin_) return false;
  }
  const double step =
      2.0 * std::max(fastest(balls.velocities, h), fastest(motion.solid_velocities, h));
  margin_ = std::max(kAhead * arena.least_radius, kStepsAhead * step) + extra;
  centers_ = balls.centers;
  solids_ = solids;
  ++searches_;
  find(arena, motion, balls);
  return true;
}

void NearSearch::find(const Arena& arena, const Motion& motion, const Balls& balls) {
  pairs_.clear();
  find_ball_pairs(arena, balls);
  find_solids(arena, motion, balls);
  std::sort(pairs_.begin(), pairs_.end());
}

void NearSearch::find_ball_pairs(const Arena& arena, const Balls& balls) {
  const double width = 2.0 * arena.most_radius + margin_;
  std::vector<Entry> entries;
  for (int i = 0; i < arena.balls(); ++i)
    if (arena.collides[at(arena.ball_body[at(i)])])
      entries.push_back({cell_of(balls.centers[at(i)], width), i});
  std::sort(entries.begin(), entries.end());
  for (std::size_t first = 0; first < entries.size();) {
    const Cell& cell = entries[first].cell;
    std::size_t last = first;
    while (last < entries.size() && entries[last].cell == cell) ++last;
    for (int n = 0; n < kBeside; ++n) {
      const Cell beside{cell[0] + n / 9 - 1, cell[1] + n / 3 % 3 - 1, cell[2] + n % 3 - 1};
      auto other = std::lower_bound(entries.begin(), entries.end(), Entry{beside, -1});
      for (; other != entries.end() && other->cell == beside; ++other)
        for (std::size_t k = first; k < last; ++k) {
          const int a = entries[k].ball, b = other->ball;
          if (b >= a) continue;
          const double reach = arena.radius[at(a)] + arena.radius[at(b)] + margin_;
          if ((balls.centers[at(a)] - balls.centers[at(b)]).squaredNorm() < reach * reach &&
              !arena.belong_together(a, b))
            pairs_.push_back({a, b, -1, -1});
        }
    }
    first = last;
  }
}

void NearSearch::find_solids(const Arena& arena, const Motion& motion, const Balls& balls) {
  std::vector<int> pieces;
  for (std::size_t s = 0; s < arena.solids.size(); ++s) {
    const Pose body_from_world = motion.solids[s].inverse();
    for (int i = 0; i < arena.balls(); ++i) {
      if (!arena.collides[at(arena.ball_body[at(i)])]) continue;
      pieces.clear();
      arena.solids[s].obstacle->near(body_from_world * balls.centers[at(i)],
                                     arena.radius[at(i)] + margin_, pieces);
      for (const int piece : pieces) pairs_.push_back({i, -1, static_cast<int>(s), piece});
    }
  }
}

}  // namespace repose::surfel
