#include "resample.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "repose/base/at.h"
#include "repose/base/stage_clock.h"

#include "fit.h"
#include "motion.h"
#include "padded.h"
#include "surface.h"

namespace repose::surfel {

namespace {

/// Balls next to each other that are farther apart than this many of their mean radius get one
/// between them: the wall of balls has a hole from 2 sqrt(3) / 2 on.
constexpr double kStretched = 1.3;
/// Unless there is one nearer to the middle than this.
constexpr double kFilled = 0.6;
constexpr double kLeastShare = 0.5;  // of the body's largest radius
/// A phyxel that comes loose gets a ball of this share of the one that held it: it stands out of
/// the surface as little. It may be as small as the other share of that.
constexpr double kOwnBall = 0.25;
constexpr double kLeastOwnShare = 0.02;
/// A sum of two unit vectors that is shorter has no direction.
constexpr double kNoDirection = 1e-9;
/// Two balls of one body have no centre in common, of the radius.
constexpr double kSamePlace = 1e-6;

/// The direction of a vector; the other one where it has none, as between opposite faces.
Vec3 direction_of(const Vec3& v, const Vec3& otherwise) {
  const double length = v.norm();
  return length > kNoDirection ? Vec3(v / length) : otherwise;
}

/// What a look at one body's surface found.
struct Missing {
  std::vector<std::array<int, 2>> between;  // balls, counted within the body
  std::vector<int> loose;                   // phyxels, of all bodies

  bool empty() const { return between.empty() && loose.empty(); }
};

Missing missing_on(const Arena& arena, const std::vector<Vec4>& phyxels,
                   const std::vector<Vec3>& centers, std::size_t body) {
  Missing out;
  const int first = arena.first_ball[body], last = arena.first_ball[body + 1];
  auto pair = std::lower_bound(arena.beside.begin(), arena.beside.end(), std::array{first, -1});
  for (; pair != arena.beside.end() && (*pair)[0] < last; ++pair) {
    const auto [i, j] = *pair;
    const double radius = 0.5 * (arena.radius[at(i)] + arena.radius[at(j)]);
    if ((centers[at(i)] - centers[at(j)]).norm() >= kStretched * radius)
      out.between.push_back({i - first, j - first});
  }
  for (int i = arena.first_phyxel[body]; i < arena.first_phyxel[body + 1]; ++i)
    if (is_loose(arena, phyxels, i)) out.loose.push_back(i);
  return out;
}

/// Sets balls where they are missing on one body.
class Resampling {
 public:
  Resampling(const Arena& arena, const Motion& motion, const std::vector<Vec3>& centers,
             const shape::PointSet& points, std::size_t body, double keep)
      : arena_(arena),
        motion_(motion),
        points_(points),
        body_(body),
        room_(arena, motion, centers, static_cast<int>(body), keep),
        phyxels_(points.phyxels),
        balls_(ball_plans(points)) {
    for (std::size_t k = 0; k < balls_.size(); ++k) {
      now_.push_back(centers[at(arena.first_ball[body]) + k]);
      room_.take(now_[k], balls_[k].center, 0, balls_[k].radius);
      largest_ = std::max(largest_, balls_[k].radius);
    }
  }

  /// All balls, the new ones last.
  std::vector<BallPlan> run(const Missing& missing) {
    for (const auto& [i, j] : missing.between) set_between(at(i), at(j));
    for (const int phyxel : missing.loose) set_about(phyxel);
    return std::move(balls_);
  }

 private:
  /// Where a place of the body at rest is now; nothing where no phyxels carry it.
  std::optional<Vec3> now_at(const Vec3& rest) const {
    const auto carriers = fit_carriers(points_.phyxels, phyxels_, rest);
    if (carriers.empty() || !carries_well(carriers)) return std::nullopt;
    Vec3 out = Vec3::Zero();
    for (const Carrier& carrier : carriers)
      out += carrier.weight * motion_.x[at(arena_.first_phyxel[body_] + carrier.phyxel)];
    return out;
  }

  void set_between(std::size_t i, std::size_t j) {
    const double radius = std::max(balls_[i].radius, balls_[j].radius);
    const BallPlan ball{0.5 * (balls_[i].center + balls_[j].center),
                        direction_of(balls_[i].normal + balls_[j].normal, balls_[i].normal), radius,
                        -1};
    const auto center = now_at(ball.center);
    if (!center) return;
    for (const Vec3& other : now_)
      if ((other - *center).norm() < kFilled * radius) return;
    place(ball, *center, kLeastShare * largest_);
  }

  /// The phyxel's own ball goes with it, so that it stays within the surface however it goes on.
  void set_about(int phyxel) {
    const int holder = arena_.holder[at(phyxel)] - arena_.first_ball[body_];
    const BallPlan& held = balls_[at(holder)];
    const Vec3& rest = arena_.rest[at(phyxel)];
    for (const BallPlan& ball : balls_)
      if ((ball.center - rest).norm() < kSamePlace * ball.radius) return;
    if (!now_at(rest)) return;
    const Vec3 normal = direction_of((rest - held.center) / held.radius, held.normal);
    place({rest, normal, kOwnBall * held.radius, -1}, motion_.x[at(phyxel)],
          kLeastOwnShare * held.radius);
  }

  /// Where there is room for a radius of at least `least`.
  void place(BallPlan ball, const Vec3& center, double least) {
    ball.radius = room_.radius_for(center, ball.center, 0, ball.radius);
    if (ball.radius < least) return;
    room_.take(center, ball.center, 0, ball.radius);
    now_.push_back(center);
    balls_.push_back(ball);
  }

  const Arena& arena_;
  const Motion& motion_;
  const shape::PointSet& points_;
  std::size_t body_;
  Room room_;
  collide::NearestPoints phyxels_;
  std::vector<BallPlan> balls_;
  std::vector<Vec3> now_;  // of the balls
  double largest_ = 0.0;   // m, of their radii
};

}  // namespace

std::vector<BodyChange> resample_surfaces(const Arena& arena, const Problem& problem,
                                          const SurfelSettings& settings, const Motion& motion,
                                          State& state) {
  const StageScope timed("resample_surfaces");
  std::vector<BodyChange> out;
  const std::vector<Vec3> centers = at_balls(arena, motion.x);
  std::vector<Vec4> phyxels;
  pad(motion.x, phyxels);
  for (std::size_t b = 0; b < problem.bodies.size(); ++b) {
    const Body& body = problem.bodies[b];
    if (body.soft == nullptr || body.fixed) continue;
    const Missing missing = missing_on(arena, phyxels, centers, b);
    if (missing.empty()) continue;
    const auto& points = std::get<shape::PointSet>(body.shape->geometry);
    PartPlan plan;
    plan.balls =
        Resampling(arena, motion, centers, points, b, settings.contact_gap * arena.least_radius)
            .run(missing);
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
