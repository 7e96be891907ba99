#include "resample.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

#include "fit.h"
#include "motion.h"

namespace repose::surfel {

namespace {

/// Balls next to each other that are farther apart than this many of their radii get one between
/// them: the wall of balls has a hole from 2 sqrt(3) / 2 on.
constexpr double kStretched = 1.3;
/// Unless there is one nearer to the middle than this.
constexpr double kFilled = 0.6;
constexpr double kLeastShare = 0.5;
/// A ball looks at so many of its neighbours.
constexpr int kBallNeighbours = 6;

std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

/// Finds where balls are missing on one body.
class Resampling {
 public:
  Resampling(const Arena& arena, const Motion& motion, const shape::PointSet& points,
             std::size_t body, double keep)
      : arena_(arena),
        motion_(motion),
        points_(points),
        body_(body),
        centers_(at_balls(arena, motion.x)),
        room_(arena, motion, centers_, static_cast<int>(body), keep),
        phyxels_(points.phyxels),
        balls_(ball_plans(points)) {}

  /// All balls, the new ones last.
  std::vector<BallPlan> run() {
    const int first = arena_.first_ball[body_];
    std::vector<Vec3> rest;
    for (std::size_t k = 0; k < balls_.size(); ++k) {
      rest.push_back(balls_[k].center);
      now_.push_back(centers_[at(first) + k]);
      room_.take(now_[k], rest[k], 0, balls_[k].radius);
    }
    const collide::NearestPoints grid(rest);
    const std::size_t before = balls_.size();
    for (std::size_t i = 0; i < before; ++i)
      for (const int j : grid.nearest(rest[i], kBallNeighbours, static_cast<int>(i)))
        if (j > static_cast<int>(i)) look_between(i, at(j));
    return std::move(balls_);
  }

 private:
  void look_between(std::size_t i, std::size_t j) {
    const double radius = std::min(balls_[i].radius, balls_[j].radius);
    if ((now_[i] - now_[j]).norm() < kStretched * radius) return;
    BallPlan ball{0.5 * (balls_[i].center + balls_[j].center),
                  (balls_[i].normal + balls_[j].normal).normalized(), radius, -1};
    if (!ball.normal.allFinite()) return;
    const auto carriers = fit_carriers(points_.phyxels, phyxels_, ball.center);
    if (carriers.empty() || !carries_well(carriers)) return;
    Vec3 center = Vec3::Zero();
    for (const Carrier& carrier : carriers)
      center += carrier.weight * motion_.x[at(arena_.first_phyxel[body_] + carrier.phyxel)];
    for (const Vec3& other : now_)
      if ((other - center).norm() < kFilled * radius) return;
    ball.radius = room_.radius_for(center, ball.center, 0, radius);
    if (ball.radius < kLeastShare * radius) return;
    room_.take(center, ball.center, 0, ball.radius);
    now_.push_back(center);
    balls_.push_back(ball);
  }

  const Arena& arena_;
  const Motion& motion_;
  const shape::PointSet& points_;
  std::size_t body_;
  std::vector<Vec3> centers_;
  Room room_;
  collide::NearestPoints phyxels_;
  std::vector<BallPlan> balls_;
  std::vector<Vec3> now_;  // of the balls
};

}  // namespace

std::vector<BodyChange> resample_surfaces(const Arena& arena, const Problem& problem,
                                          const SurfelSettings& settings, const Motion& motion,
                                          State& state) {
  const StageScope timed("resample_surfaces");
  std::vector<BodyChange> out;
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const Body& body = problem.bodies[b];
    if (body.soft == nullptr || body.fixed || !arena.plastic[b]) continue;
    const auto& points = std::get<shape::PointSet>(body.shape->geometry);
    PartPlan plan;
    plan.balls =
        Resampling(arena, motion, points, b, settings.contact_gap * arena.least_radius).run();
    if (plan.balls.size() == points.surfels.size()) continue;
    for (std::size_t i = 0; i < points.phyxels.size(); ++i)
      plan.phyxels.push_back(static_cast<int>(i));
    Part part = make_part(problem, state, static_cast<int>(b), plan,
                          std::vector<bool>(points.phyxels.size(), false), settings.neighbours);
    state.bodies[b] = std::move(part.state);
    BodyChange change;
    change.body = static_cast<int>(b);
    change.parts.push_back(std::move(part.body));
    change.points_before.push_back(std::move(part.points_before));
    out.push_back(std::move(change));
  }
  return out;
}

}  // namespace repose::surfel
