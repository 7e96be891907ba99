#include "repose/check/moments.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"
#include "repose/check/gap.h"

#include "check/exact/rounding.h"
#include "check/gap/ball_way.h"
#include "check/gap/thickness.h"

namespace repose::check {

namespace {

using prove::Answer;

constexpr double kWidth = 0.05;  // of the tolerance: how narrow brackets are made
constexpr int kBudget = 20'000;  // pair tests for one gap
constexpr int kLastBudget =
    400'000;                         // where those did not decide it, as among surfaces that nestle
constexpr double kShortest = 0.05;   // of what is allowed: ways below are not halved
constexpr double kThinnest = 0.1;    // of the tolerance: of thinner bodies ways are halved no more
constexpr double kThickness = 0.25;  // of how thick a body is: what may overlap
/// Of a way: bounds of lengths and angles are computed in doubles, to a few dozen ulp.
constexpr double kRoundUp = 1.0 + 1e-12;

/// A body on its way.
struct Traveller {
  const PlacedBody* body;
  const Course* way;
  double far = 0.0;       // m: of no point of the body from the one that goes straight more
  double speed = 0.0;     // m: no point goes farther on the whole way
  double rounding = 0.0;  // m: of the places computed

  Traveller(const PlacedBody& b, const Course& w) : body(&b), way(&w) {
    const Vec3 from = w.from * w.point_body, to = w.to * w.point_body;
    const bool endless = std::isinf(b.size());
    const double turn = w.from.rotation.angularDistance(w.to.rotation);
    if (!endless) far = (b.shape->bounding_center - w.point_body).norm() + b.shape->bounding_radius;
    speed = kRoundUp * ((to - from).norm() + turn * far);
    // endless ground that moves is anywhere
    if (endless &&
        !(w.from.position == w.to.position && w.from.rotation.coeffs() == w.to.rotation.coeffs()))
      speed = std::numeric_limits<double>::infinity();
    rounding = kTurnError * (far + w.point_body.norm()) +
               kSumError * (from.cwiseAbs() + to.cwiseAbs() + w.point_body.cwiseAbs()).norm();
  }

  PlacedBody at(double share) const {
    PlacedBody out = *body;
    Pose& pose = out.world_from_body;
    pose.rotation = way->from.rotation.slerp(share, way->to.rotation);
    const Vec3 straight =
        (1.0 - share) * (way->from * way->point_body) + share * (way->to * way->point_body);
    pose.position = straight - pose.turn(way->point_body);
    return out;
  }
  /// About all places of the body: straight way and reach.
  BoundingBall ball() const {
    const Vec3 from = way->from * way->point_body, to = way->to * way->point_body;
    if (std::isinf(body->size())) return bounding_ball_world(*body);
    return {0.5 * (from + to), kRoundUp * (0.5 * (to - from).norm() + far) + rounding};
  }
};

/// A stretch of the way, by its shares.
struct Stretch {
  double from, to;
};

class PairOnCourse {
 public:
  PairOnCourse(const Traveller& a, const Traveller& b, const MomentSettings& settings)
      : a_(a), b_(b), settings_(settings), size_(pair_size(*a.body, *b.body)) {}

  MomentVerdict judge() {
    out_.answer = Answer::proven;
    if (!judge_balls()) open_.push_back({0.0, 1.0});
    while (!open_.empty() && out_.answer == Answer::proven) {
      const Stretch s = open_.back();
      open_.pop_back();
      look_at(s);
    }
    return out_;
  }

 private:
  /// Two balls whose centres go straight: in closed form, over all moments at once. False: they are
  /// others, or it is not decided so.
  bool judge_balls() {
    const auto ball_a = radius(a_), ball_b = radius(b_);
    if (!ball_a || !ball_b) return false;
    const Interval apart = least_distance(a_.way->from.position, a_.way->to.position,
                                          b_.way->from.position, b_.way->to.position, 0.0);
    const Interval least = apart - Interval(*ball_a) - Interval(*ball_b);
    ++out_.moments;
    const double allowed = settings_.tolerance * size_;
    const Answer free = prove::at_least({least.lo, least.hi}, -allowed);
    if (free != Answer::proven) return false;  // when it happens is sought
    out_.depth_relative = std::max(0.0, -least.lo / size_);
    return true;
  }
  /// Of a ball whose centre goes straight.
  static std::optional<double> radius(const Traveller& t) {
    const auto* ball = std::get_if<shape::Ball>(&t.body->shape->geometry);
    if (!ball || !t.way->point_body.isZero(0.0)) return std::nullopt;
    return ball->radius;
  }

  void look_at(const Stretch& s) {
    const double middle = 0.5 * (s.from + s.to), half = 0.5 * (s.to - s.from);
    const double way = kRoundUp * half * (a_.speed + b_.speed) + a_.rounding + b_.rounding;
    const PlacedBody a = a_.at(middle), b = b_.at(middle);
    out_.share = middle;
    if (balls_apart(a, b, way)) return;
    ++out_.moments;
    const bool stopped =
        settings_.interrupt && settings_.interrupt->load(std::memory_order_relaxed);
    if (stopped || out_.moments > settings_.most_moments) return give_up();
    GapBracket g = gap(a, b, gap_settings(way, kBudget));
    if (g.status == GapStatus::undecided) g = gap(a, b, gap_settings(way, kLastBudget));
    if (g.status == GapStatus::unjudged) return give_up();
    // what the bracket says of all moments of the stretch
    const prove::Bracket here = g.bracket();
    g.lower -= way;
    const prove::Bracket whole(g.lower, std::numeric_limits<double>::infinity());
    if (prove::at_least(whole, 0.0) == Answer::proven) return;
    const double allowed = allowed_overlap(a, b, g, settings_.tolerance, kThickness);
    if (prove::at_least(here, -allowed) == Answer::missed) {
      out_.answer = Answer::missed;
      out_.depth = -here.upper();
      return;
    }
    if (prove::at_least(whole, -allowed) == Answer::proven) {
      out_.depth_relative = std::max(out_.depth_relative, -whole.lower() / size_);
      return;
    }
    const double least = std::max(allowed, kThinnest * settings_.tolerance * size_);
    if (way <= kShortest * least) return give_up();
    open_.push_back({middle, s.to});
    open_.push_back({s.from, middle});
  }

  void give_up() { out_.answer = Answer::undecided; }

  bool balls_apart(const PlacedBody& a, const PlacedBody& b, double way) const {
    if (std::isinf(a.size()) || std::isinf(b.size())) return false;
    const bool plane = is_plane(a) && is_plane(b);
    const prove::Around p = surroundings(a), q = surroundings(b);
    return prove::apart(plane ? p.flat() : p, plane ? q.flat() : q) > way;
  }

  GapSettings gap_settings(double way, int budget) const {
    GapSettings out;
    out.width = kWidth * settings_.tolerance;
    out.enough = kRoundUp * way / size_;
    out.budget = budget;
    out.interrupt = settings_.interrupt;
    return out;
  }

  const Traveller &a_, &b_;
  const MomentSettings& settings_;
  double size_;
  std::vector<Stretch> open_;
  MomentVerdict out_;
};

/// Pairs whose balls about all their places meet, in increasing order.
std::vector<std::array<int, 2>> meeting_pairs(const std::vector<Traveller>& all) {
  std::vector<BoundingBall> balls;
  for (const Traveller& t : all) balls.push_back(t.ball());
  std::vector<int> order;
  for (std::size_t i = 0; i < all.size(); ++i) order.push_back(static_cast<int>(i));
  const auto left = [&](int i) {
    const BoundingBall& b = balls[static_cast<std::size_t>(i)];
    return b.center.x() - b.radius;
  };
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return left(i) < left(j); });
  std::vector<std::array<int, 2>> out;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const BoundingBall& p = balls[static_cast<std::size_t>(order[k])];
    for (std::size_t l = k + 1; l < order.size(); ++l) {
      if (left(order[l]) > p.center.x() + p.radius) break;
      const BoundingBall& q = balls[static_cast<std::size_t>(order[l])];
      const PlacedBody &a = *all[static_cast<std::size_t>(order[k])].body,
                       &b = *all[static_cast<std::size_t>(order[l])].body;
      if (between_middles(a, p, b, q).norm() > (p.radius + q.radius) * kRoundUp) continue;
      if (never_meet(a, b) || (a.fixed && b.fixed)) continue;
      out.push_back({std::min(order[k], order[l]), std::max(order[k], order[l])});
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

bool worse(const MomentVerdict& a, const MomentVerdict& b) {
  const auto badness = [](Answer answer) {
    return answer == Answer::proven ? 0 : answer == Answer::undecided ? 1 : 2;
  };
  return badness(a.answer) > badness(b.answer);
}

}  // namespace

MomentVerdict judge_moments(const std::vector<PlacedBody>& bodies,
                            const std::vector<Course>& courses, const MomentSettings& settings) {
  const StageScope timed("judge_moments");
  constexpr std::size_t kGrain = 4;
  std::vector<Traveller> all;
  for (std::size_t i = 0; i < bodies.size(); ++i) all.emplace_back(bodies[i], courses[i]);
  const auto pairs = meeting_pairs(all);
  std::vector<MomentVerdict> each(pairs.size());
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, pairs.size(), kGrain),
                    [&](const auto& range) {
                      for (std::size_t k = range.begin(); k != range.end(); ++k)
                        each[k] = PairOnCourse(all[static_cast<std::size_t>(pairs[k][0])],
                                               all[static_cast<std::size_t>(pairs[k][1])], settings)
                                      .judge();
                    });
  MomentVerdict out;
  out.answer = Answer::proven;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    MomentVerdict v = each[k];
    v.body_a = pairs[k][0];
    v.body_b = pairs[k][1];
    v.moments += out.moments;
    v.depth_relative = std::max(v.depth_relative, out.depth_relative);
    if (worse(v, out)) {
      out = v;
    } else {
      out.moments = v.moments;
      out.depth_relative = v.depth_relative;
    }
  }
  return out;
}

}  // namespace repose::check
