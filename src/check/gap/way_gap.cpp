#include <algorithm>
#include <cmath>

#include "repose/base/check.h"
#include "repose/check/soft.h"
#include "repose/check/way.h"

#include "check/exact/rounding.h"
#include "check/gap/ball_gap.h"
#include "check/gap/ball_way.h"
#include "check/gap/bracket.h"
#include "check/gap/prepared.h"
#include "check/gap/sphere_sets.h"
#include "check/gap/sphere_tree.h"
#include "check/gap/support.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
/// Halvings of a way before its gap stays undecided.
constexpr int kHalvings = 10;

// the sine and cosine behind an angle are off by a few units in the last place
constexpr double kAngleError = 1e-14;

/// How far the balls of a rigid body that turns evenly leave the straight way, m: their distance
/// from the centre of mass times an eighth of the angle's square.
double bend_of(const PlacedBody& first, const PlacedBody& last) {
  const Quat &from = first.world_from_body.rotation, &to = last.world_from_body.rotation;
  if (!first.points_world.empty() || from.coeffs() == to.coeffs()) return 0.0;
  const double turn = from.angularDistance(to) + kAngleError;
  double arm = first.center_body.norm();
  if (const auto* set = std::get_if<shape::SphereSet>(&first.shape->geometry))
    for (const Vec3& center : set->centers)
      arm = std::max(arm, (center - first.center_body).norm());
  return turn * turn * arm / 8.0 * (1.0 + kSumError);
}

/// Balls at both ends of their ways; radii the larger of the two.
struct MovingBalls {
  std::vector<Vec3> from, to;
  std::vector<double> radii;
  std::vector<double> travel;  // m, how far each goes, rounding included
  double error = 0.0;

  MovingBalls(const PlacedBody& first, const PlacedBody& last) {
    WorldBalls a = WorldBalls::of(first), b = WorldBalls::of(last);
    if (a.centers.size() != b.centers.size()) return;
    error = std::max(a.error, b.error) + bend_of(first, last);
    from = std::move(a.centers);
    to = std::move(b.centers);
    for (std::size_t i = 0; i < a.radii.size(); ++i) {
      radii.push_back(std::max(a.radii[i], b.radii[i]));
      travel.push_back((to[i] - from[i]).norm() * (1.0 + kSumError));
    }
  }
  bool empty() const { return from.empty(); }
};

bool same_place(const PlacedBody& a, const PlacedBody& b) {
  return a.world_from_body.position == b.world_from_body.position &&
         a.world_from_body.rotation.coeffs() == b.world_from_body.rotation.coeffs() &&
         a.points_world == b.points_world;
}

GapBracket not_judged() {
  GapBracket g;
  g.status = GapStatus::unjudged;
  return g;
}

GapBracket pair_on_way(const MovingBalls& a, int i, const MovingBalls& b, int j) {
  const auto k = static_cast<std::size_t>(i), l = static_cast<std::size_t>(j);
  ++tally.pairs;
  const Interval near = least_distance(a.from[k], a.to[k], b.from[l], b.to[l], a.error + b.error);
  const double radii = a.radii[k] + b.radii[l];
  GapBracket g;
  g.lower = (Interval(near.lo) - Interval(a.radii[k]) - Interval(b.radii[l])).lo;
  g.upper = gap_of_balls(near.hi, a.radii[k], b.radii[l]) + kSumError * (near.hi + radii);
  g.point_a = a.to[k];
  g.point_b = b.to[l];
  const Vec3 between = g.point_b - g.point_a;
  if (between.norm() > 0.0) g.normal_a_to_b = between.normalized();
  g.tests = 1;
  return g;
}

/// Surely no nearer than this all along, in a few operations: most pairs need no more.
double quick_bound(const MovingBalls& a, int i, const MovingBalls& b, int j) {
  const auto k = static_cast<std::size_t>(i), l = static_cast<std::size_t>(j);
  const double apart = (b.from[l] - a.from[k]).norm();
  const double taken = a.travel[k] + b.travel[l] + a.radii[k] + b.radii[l];
  return apart - taken - kSumError * (apart + taken);
}

void take_least(GapBracket& least, const GapBracket& g) {
  least.tests += g.tests;
  const double lower = std::min(least.lower, g.lower);
  if (g.upper < least.upper) {
    const long tests = least.tests;
    least = g;
    least.tests = tests;
  }
  least.lower = lower;
}

GapBracket nothing_near() {
  GapBracket g;
  g.lower = g.upper = kFar;
  return g;
}

/// One body on its way: where it is at a share of it, and how far its points go in a part of it.
struct Way {
  const PlacedBody& from;
  const PlacedBody& to;

  /// The centre of mass goes straight.
  Pose pose_at(double share) const {
    const Pose &a = from.world_from_body, &b = to.world_from_body;
    Pose out;
    out.rotation = a.rotation.slerp(share, b.rotation);
    out.position = (1.0 - share) * (a * from.center_body) + share * (b * from.center_body) -
                   out.turn(from.center_body);
    return out;
  }
  /// m: of the points of a rigid body from its centre of mass.
  double reach() const {
    return (from.shape->bounding_center - from.center_body).norm() + from.shape->bounding_radius;
  }
  double turn() const {
    return from.world_from_body.rotation.angularDistance(to.world_from_body.rotation) + kAngleError;
  }

  PlacedBody at(double share) const {
    PlacedBody out = from;
    out.world_from_body = pose_at(share);
    for (std::size_t i = 0; i < out.points_world.size(); ++i)
      out.points_world[i] = (1.0 - share) * from.points_world[i] + share * to.points_world[i];
    return out;
  }
  /// How far the rounding of at() may put a point beside its true place, m.
  double rounding() const {
    if (same_place(from, to)) return 0.0;
    double far = 0.0;
    for (const PlacedBody* end : {&from, &to}) {
      far = std::max(far, end->world_from_body.position.norm());
      for (const Vec3& p : end->points_world) far = std::max(far, p.norm());
    }
    return kSumError * (far + 2.0 * from.center_body.norm()) +
           kTurnError * (reach() + from.center_body.norm());
  }
  /// No point goes farther on the whole way, m.
  double length() const {
    if (same_place(from, to)) return 0.0;
    constexpr double kMore = 1.0 + 1e-9;
    double out = 0.0;
    for (std::size_t i = 0; i < from.points_world.size(); ++i)
      out = std::max(out, (to.points_world[i] - from.points_world[i]).norm());
    if (!from.points_world.empty()) return kMore * out;
    const Pose &a = from.world_from_body, &b = to.world_from_body;
    return kMore * ((b * from.center_body - a * from.center_body).norm() + turn() * reach());
  }
};

/// By halving: in the middle of a part the two are no nearer than there, less what their points go
/// in half of it.
class Halving {
 public:
  Halving(Way a, Way b, const GapSettings& settings, double size)
      : a_(a),
        b_(b),
        settings_(settings),
        travel_(a.length() + b.length()),
        rounding_(a.rounding() + b.rounding()) {
    goal_ = std::min(settings.enough, 0.0) * size;
  }

  GapBracket run() {
    GapBracket least = nothing_near();
    part(0.0, 1.0, kHalvings, least);
    return unjudged_ ? not_judged() : least;
  }

 private:
  void part(double low, double high, int halvings, GapBracket& least) {
    if (unjudged_) return;
    const double middle = 0.5 * (low + high), go = 0.5 * (high - low) * travel_;
    GapBracket g = gap(a_.at(middle), b_.at(middle), settings_);
    if (g.status == GapStatus::unjudged) unjudged_ = true;
    g.lower -= go + rounding_;
    const bool overlap = g.upper < 0.0;
    if (g.lower >= goal_ || overlap || halvings == 0) return take_least(least, g);
    g.lower = kFar;
    take_least(least, g);
    part(low, middle, halvings - 1, least);
    part(middle, high, halvings - 1, least);
  }

  Way a_, b_;
  const GapSettings& settings_;
  double travel_, rounding_, goal_ = 0.0;
  bool unjudged_ = false;
};

/// Balls on their ways past a body that stays.
class PastBody {
 public:
  PastBody(const MovingBalls& balls, const PlacedBody& body, const GapSettings& settings,
           double size)
      : balls_(balls),
        tree_(balls.from, balls.to, balls.radii),
        body_(body),
        settings_(settings),
        size_(size) {}

  GapBracket run() {
    std::vector<int> stack{0};
    while (!stack.empty() && !unjudged_) {
      const SphereTree::Node& node = tree_.node(stack.back());
      stack.pop_back();
      if (node.leaf()) {
        for (int k = node.first; k < node.first + node.count; ++k) add(tree_.item(k));
      } else if (!skip(node)) {
        stack.push_back(node.right);
        stack.push_back(node.left);
      }
    }
    // the balls themselves are smaller and beside
    least_.upper += 2.0 * balls_.error;
    return unjudged_ ? not_judged() : least_;
  }

 private:
  GapBracket probe(const Vec3& center, double radius, double enough, double width, int budget) {
    const PlacedBody ball = ball_at(center, radius + kSumError * center.cwiseAbs().maxCoeff());
    GapSettings asked = settings_;
    const double pair = pair_size(ball, body_);
    asked.width = width / pair;
    asked.enough = enough / pair;
    asked.budget = std::min(asked.budget, budget);
    const GapBracket g = gap(ball, body_, asked);
    if (g.status == GapStatus::unjudged) unjudged_ = true;
    return g;
  }

  bool skip(const SphereTree::Node& node) {
    constexpr double kRough = 0.1;  // of the ball about the node
    constexpr int kRoughBudget = 500;
    const double radius =
        (0.5 * (node.high - node.low).norm() + node.radius) * (1.0 + kSumError) + balls_.error;
    const double goal = std::min(settings_.enough * size_, least_.upper);
    const GapBracket g =
        probe(0.5 * (node.low + node.high), radius, goal, kRough * radius, kRoughBudget);
    if (!(g.lower >= goal)) return false;
    least_.lower = std::min(least_.lower, g.lower);
    return true;
  }

  void add(int i) {
    const auto k = static_cast<std::size_t>(i);
    part(balls_.from[k], balls_.to[k], balls_.radii[k] + balls_.error, kHalvings);
  }

  /// A ball on its way from one place to another.
  void part(const Vec3& from, const Vec3& to, double radius, int halvings) {
    const Vec3 middle = 0.5 * (from + to);
    const double half = 0.5 * (to - from).norm() * (1.0 + kSumError);
    GapBracket g = probe(middle, radius, settings_.enough * size_ + half, settings_.width * size_,
                         settings_.budget);
    if (unjudged_) return;
    const bool overlap = g.upper < 0.0;
    g.lower -= half;
    if (!(g.lower >= settings_.enough * size_))
      g.lower = std::max(g.lower, behind_plane(from, to, radius, g.normal_a_to_b));
    if (g.lower >= 0.0 || overlap || halvings == 0) return take_least(least_, g);
    g.lower = kFar;
    take_least(least_, g);
    part(from, middle, radius, halvings - 1);
    part(middle, to, radius, halvings - 1);
  }

  /// The body lies beyond the plane square to `n`, the ball before it at both ends and so all
  /// along.
  double behind_plane(const Vec3& from, const Vec3& to, double radius, const Vec3& n) {
    const auto surface = prepared(body_.shape)->surface();
    if (!surface) return -kFar;
    const Frame frame = world_frame(body_);
    const Vec3 d = -(frame.turn.transpose() * n);
    constexpr int kPlaneBudget = 200;
    const Support reach = support(*surface, d, settings_.width * size_, kPlaneBudget);
    // the body's points: n.p >= n.shift - upper; |n| is 1 up to rounding
    const double far = surface->reach();
    const double error = 2.0 * frame.error(far) + kSumError * (far + frame.shift.norm());
    const double plane = n.dot(frame.shift) - reach.upper - error;
    const double most = std::max(n.dot(from), n.dot(to));
    const double slack = kSumError * (from.norm() + to.norm() + radius);
    return plane - most - radius - slack;
  }

  const MovingBalls& balls_;
  SphereTree tree_;
  const PlacedBody& body_;
  const GapSettings& settings_;
  double size_;
  GapBracket least_ = nothing_near();
  bool unjudged_ = false;
};

/// Ground that stays: a ball on a straight way is lowest at one of its ends.
GapBracket past_ground(const MovingBalls& balls, const PlacedBody& ground) {
  const Frame f = world_frame(ground);
  const prove::Ground below(ground.world_from_body);
  GapBracket least = nothing_near();
  for (std::size_t i = 0; i < balls.from.size(); ++i)
    for (const Vec3& center : {balls.from[i], balls.to[i]})
      take_least(least, ground_ball(below, f, center, balls.radii[i] + balls.error));
  least.upper += 2.0 * balls.error;
  return least;
}

GapBracket balls_on_way(const MovingBalls& a, const MovingBalls& b) {
  const SphereTree tree_a(a.from, a.to, a.radii), tree_b(b.from, b.to, b.radii);
  GapBracket least = nothing_near();
  const double slack = a.error + b.error;
  near_spheres(
      tree_a, tree_b, [&] { return least.upper + slack; },
      [&](int i, int j) {
        if (quick_bound(a, i, b, j) < least.upper + slack)
          take_least(least, pair_on_way(a, i, b, j));
      });
  return least;
}

/// Balls as a body that moves meets them on a part of its way, seen from its first place: they go
/// straight there, up to how its turn bends their ways, and their radii hold that.
struct SeenFrom {
  MovingBalls balls;
  double bend = 0.0;  // m, rounding included

  SeenFrom(const MovingBalls& all, const Way& body, double low, double high) : balls(all) {
    const Pose &first = body.from.world_from_body, &last = body.to.world_from_body;
    const Vec3 center = first * body.from.center_body, there = last * body.from.center_body;
    const Pose at_low = first * body.pose_at(low).inverse();
    const Pose at_high = first * body.pose_at(high).inverse();
    const double turn = body.turn();
    double far = center.norm() + there.norm() + body.from.center_body.norm();
    for (std::size_t i = 0; i < all.from.size(); ++i) {
      const Vec3 &a = all.from[i], &b = all.to[i];
      const double apart = std::max((a - center).norm(), (b - there).norm());
      const double way = ((b - a) - (there - center)).norm();
      const double part = high - low;
      // how far a function leaves its chord: its second derivative times an eighth
      bend = std::max(bend, part * part * (turn * turn * apart + 2.0 * turn * way) / 8.0);
      far = std::max(far, a.norm() + b.norm() + apart);
      balls.from[i] = at_low * ((1.0 - low) * a + low * b);
      balls.to[i] = at_high * ((1.0 - high) * a + high * b);
    }
    constexpr double kOperations = 8.0;  // of which each rounds so much
    bend = bend * (1.0 + kSumError) + kOperations * (kTurnError + kSumError) * far;
    for (std::size_t i = 0; i < all.from.size(); ++i) {
      balls.radii[i] += bend;
      balls.travel[i] = (balls.to[i] - balls.from[i]).norm() * (1.0 + kSumError);
    }
  }
};

/// Past a body that moves: in as many parts of the way as its turn asks for.
GapBracket past_moving(const MovingBalls& balls, const Way& body, const GapSettings& settings,
                       double size) {
  constexpr int kMostParts = 64;
  GapBracket least = nothing_near();
  for (int parts = 1; parts <= kMostParts; parts *= 4) {
    least = nothing_near();
    for (int k = 0; k < parts; ++k) {
      const SeenFrom seen(balls, body, 1.0 * k / parts, 1.0 * (k + 1) / parts);
      GapBracket g = PastBody(seen.balls, body.from, settings, size).run();
      if (g.status == GapStatus::unjudged) return g;
      // of the balls as they are: smaller and beside
      g.upper += 2.0 * seen.bend;
      take_least(least, g);
    }
    if (least.lower >= 0.0 || least.upper < 0.0) break;
  }
  return least;
}

GapBracket past_body(const MovingBalls& balls, const PlacedBody& set, const PlacedBody& from,
                     const PlacedBody& to, const GapSettings& settings) {
  if (!same_place(from, to)) {
    if (std::isinf(from.size())) return not_judged();
    return past_moving(balls, {from, to}, settings, pair_size(set, from));
  }
  if (std::holds_alternative<shape::HalfSpace>(from.shape->geometry))
    return past_ground(balls, from);
  return PastBody(balls, from, settings, pair_size(set, from)).run();
}

}  // namespace

GapBracket gap_on_way(const PlacedBody& from_a, const PlacedBody& to_a, const PlacedBody& from_b,
                      const PlacedBody& to_b, const GapSettings& settings) {
  if (never_meet(from_a, from_b)) return not_judged();
  const MovingBalls a(from_a, to_a), b(from_b, to_b);
  GapBracket g = not_judged();
  if (!a.empty() && !b.empty())
    g = balls_on_way(a, b);
  else if (!a.empty())
    g = past_body(a, from_a, from_b, to_b, settings);
  else if (!b.empty())
    g = swapped(past_body(b, from_b, from_a, to_a, settings));
  const double size = pair_size(from_a, from_b);
  const bool endless = std::isinf(from_a.size()) || std::isinf(from_b.size());
  if (g.status == GapStatus::unjudged && !endless)
    g = Halving({from_a, to_a}, {from_b, to_b}, settings, size).run();
  if (g.status != GapStatus::unjudged) g.status = status_of(g, settings, size);
  return g;
}

GapBracket self_gap_on_way(const PlacedBody& from, const PlacedBody& to,
                           const GapSettings& settings) {
  const MovingBalls balls(from, to);
  if (balls.empty()) return not_judged();
  const JoinedBalls links(from);
  const SphereTree tree(balls.from, balls.to, balls.radii);
  GapBracket least = nothing_near();
  near_spheres(
      tree, tree, [&] { return least.upper + 2.0 * balls.error; },
      [&](int i, int j) {
        if (quick_bound(balls, i, balls, j) < least.upper + 2.0 * balls.error &&
            !links.joined(i, j))
          take_least(least, pair_on_way(balls, i, balls, j));
      });
  least.status = status_of(least, settings, from.size());
  return least;
}

}  // namespace repose::check
