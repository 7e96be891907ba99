#include "surface.h"

#include <algorithm>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"
#include "repose/collide/nearest.h"

#include "motion.h"
#include "padded.h"

namespace repose::surfel {

namespace {

/// A ball is next to so many others.
constexpr int kBallNeighbours = 6;
/// Of so many balls near a phyxel one holds it.
constexpr int kHolderCandidates = 8;
/// A phyxel deeper than a ball's centre by this share of the radius lies behind it.
constexpr double kBehind = 0.5;
/// A phyxel farther from the centre than this share of the radius is about to leave a ball.
constexpr double kLoose = 0.95;

/// The places at rest of one body's balls.
std::vector<Vec3> rest_centers(const Arena& arena, std::size_t body) {
  return {arena.rest_center.begin() + arena.first_ball[body],
          arena.rest_center.begin() + arena.first_ball[body + 1]};
}

/// A phyxel's own ball, carried by it alone: it holds its phyxel and is no part of the wall.
bool is_own_ball(const Arena& arena, int ball) {
  const auto weights = arena.carrying(ball).weights;
  return std::any_of(weights.begin(), weights.end(), [](double w) { return w == 1.0; });
}

}  // namespace

std::vector<int> holders_of(const Arena& arena) {
  std::vector<int> out(at(arena.phyxels()), -1);
  for (std::size_t b = 0; b + 1 < arena.first_ball.size(); ++b) {
    const collide::NearestPoints grid(rest_centers(arena, b));
    for (int i = arena.first_phyxel[b]; i < arena.first_phyxel[b + 1]; ++i) {
      double least = 1.0;
      for (const int k : grid.nearest(arena.rest[at(i)], kHolderCandidates)) {
        const int ball = arena.first_ball[b] + k;
        const Vec3 way = arena.rest[at(i)] - arena.rest_center[at(ball)];
        const double share = way.norm() / arena.radius[at(ball)];
        // what leaves a ball inwards is behind it still
        if (way.dot(arena.rest_normal[at(ball)]) < -kBehind * arena.radius[at(ball)]) continue;
        if (share < least) least = share, out[at(i)] = ball;
      }
    }
  }
  return out;
}

std::vector<std::array<int, 2>> beside_of(const Arena& arena) {
  std::vector<std::array<int, 2>> out;
  for (std::size_t b = 0; b + 1 < arena.first_ball.size(); ++b) {
    std::vector<int> wall;
    std::vector<Vec3> centers;
    for (int k = arena.first_ball[b]; k < arena.first_ball[b + 1]; ++k)
      if (!is_own_ball(arena, k)) {
        wall.push_back(k);
        centers.push_back(arena.rest_center[at(k)]);
      }
    const collide::NearestPoints grid(centers);
    for (std::size_t k = 0; k < wall.size(); ++k)
      for (const int j : grid.nearest(centers[k], kBallNeighbours, static_cast<int>(k)))
        out.push_back({std::min(wall[k], wall[at(j)]), std::max(wall[k], wall[at(j)])});
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool is_loose(const Arena& arena, const std::vector<Vec4>& x, int phyxel) {
  const int ball = arena.holder[at(phyxel)];
  if (ball < 0) return false;
  const Vec3 way = at_ball(arena, x, ball) - x[at(phyxel)].head<3>();
  return !(way.norm() <= kLoose * arena.radius[at(ball)]);
}

bool came_loose(const Arena& arena, const Motion& motion, double h) {
  const StageScope timed("watch_surfaces");
  std::vector<Vec4> now, before;
  pad(motion.x, now);
  for (int i = 0; i < arena.phyxels(); ++i) {
    if (!is_loose(arena, now, i)) continue;
    if (before.empty()) {
      std::vector<Vec3> places = motion.x;
      for (std::size_t k = 0; k < places.size(); ++k) places[k] -= h * motion.v[k];
      pad(places, before);
    }
    if (!is_loose(arena, before, i)) return true;
  }
  return false;
}

}  // namespace repose::surfel
