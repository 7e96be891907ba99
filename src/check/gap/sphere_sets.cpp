#include "check/gap/sphere_sets.h"

#include <algorithm>

#include "repose/base/check.h"

#include "check/exact/rounding.h"
#include "check/gap/ball_gap.h"
#include "check/gap/bracket.h"
#include "check/gap/sphere_tree.h"
#include "check/verdict/tally.h"

namespace repose::check {

namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

/// The least of several gaps: bounds of the least, witnesses of the one with the least upper bound.
class LeastGap {
 public:
  LeastGap() { least_.lower = least_.upper = kNone; }
  void add(const GapBracket& g) {
    least_.tests += g.tests;
    least_.lower = std::min(least_.lower, g.lower);
    if (!(g.upper < least_.upper)) return;
    least_.upper = g.upper;
    least_.point_a = g.point_a;
    least_.point_b = g.point_b;
    least_.normal_a_to_b = g.normal_a_to_b;
  }
  /// Of what was not looked at.
  void at_least(double lower) { least_.lower = std::min(least_.lower, lower); }
  double upper() const { return least_.upper; }
  GapBracket take(const GapSettings& settings, double size) const {
    GapBracket out = least_;
    out.status = status_of(out, settings, size);
    return out;
  }

 private:
  GapBracket least_;
};

GapBracket pair_of(const WorldBalls& a, int i, const WorldBalls& b, int j) {
  const auto k = static_cast<std::size_t>(i), l = static_cast<std::size_t>(j);
  ++tally.pairs;
  GapBracket g = ball_ball(a.centers[k], a.radii[k], b.centers[l], b.radii[l]);
  g.lower -= a.error + b.error;
  g.upper += a.error + b.error;
  return g;
}

GapBracket without_gap() {
  GapBracket g;
  g.status = GapStatus::unjudged;
  return g;
}

/// Settings in which lengths are what they are for a pair of `size`, for a pair of another size.
GapSettings rescaled(const GapSettings& settings, double size, double other) {
  GapSettings out = settings;
  out.width = settings.width * size / other;
  out.enough = settings.enough * size / other;
  return out;
}

/// Balls of a set against a body of another kind, cluster by cluster.
class SetSearch {
 public:
  SetSearch(const PlacedBody& set, const PlacedBody& body, const GapSettings& settings)
      : balls_(WorldBalls::of(set)),
        tree_(balls_.centers, balls_.centers, balls_.radii),
        body_(body),
        settings_(settings),
        size_(pair_size(set, body)) {}

  GapBracket run() {
    std::vector<int> stack{0};
    while (!stack.empty()) {
      const SphereTree::Node& node = tree_.node(stack.back());
      stack.pop_back();
      if (node.leaf()) {
        for (int k = node.first; k < node.first + node.count; ++k) add(tree_.item(k));
      } else if (!skip(node)) {
        stack.push_back(node.right);
        stack.push_back(node.left);
      }
      if (unjudged_) return without_gap();
    }
    return least_.take(settings_, size_);
  }

 private:
  /// Nothing in the node is nearer than what is known already, or than anyone asks.
  bool skip(const SphereTree::Node& node) {
    constexpr double kRough = 0.1;     // of the ball about the node
    constexpr int kRoughBudget = 500;  // pair tests
    const double radius =
        (0.5 * (node.high - node.low).norm() + node.radius) * (1.0 + kSumError) + balls_.error;
    const Vec3 middle = 0.5 * (node.low + node.high);
    const double slack = kSumError * middle.cwiseAbs().maxCoeff();
    const PlacedBody ball = ball_at(middle, radius + slack);
    const double goal = std::min(settings_.enough * size_, least_.upper());
    GapSettings rough = settings_;
    const double pair = pair_size(ball, body_);
    rough.width = kRough;
    rough.enough = goal / pair;
    rough.budget = std::min(rough.budget, kRoughBudget);
    const GapBracket g = gap(ball, body_, rough);
    if (g.status == GapStatus::unjudged) return !(unjudged_ = true);
    if (!(g.lower >= goal)) return false;
    least_.at_least(g.lower);
    return true;
  }

  void add(int i) {
    const auto k = static_cast<std::size_t>(i);
    const PlacedBody ball = ball_at(balls_.centers[k], balls_.radii[k]);
    GapBracket g = gap(ball, body_, rescaled(settings_, size_, pair_size(ball, body_)));
    if (g.status == GapStatus::unjudged) unjudged_ = true;
    g.lower -= balls_.error;
    g.upper += balls_.error;
    least_.add(g);
  }

  WorldBalls balls_;
  SphereTree tree_;
  const PlacedBody& body_;
  const GapSettings& settings_;
  double size_;
  LeastGap least_;
  bool unjudged_ = false;
};

}  // namespace

PlacedBody ball_at(const Vec3& center, double radius) {
  auto shape = std::make_shared<shape::Shape>();
  shape->geometry = shape::Ball{radius};
  shape->bounding_radius = radius;
  PlacedBody out;
  out.shape = std::move(shape);
  out.world_from_body.position = center;
  return out;
}

JoinedBalls::JoinedBalls(const PlacedBody& set) {
  const auto& balls = std::get<shape::SphereSet>(set.shape->geometry);
  first_.assign(balls.centers.size() + 1, 0);
  for (const auto& [i, j] : balls.links) ++first_[static_cast<std::size_t>(std::min(i, j)) + 1];
  for (std::size_t k = 1; k < first_.size(); ++k) first_[k] += first_[k - 1];
  std::vector<int> next(first_.begin(), first_.end() - 1);
  others_.resize(balls.links.size());
  for (const auto& [i, j] : balls.links) {
    int& place = next[static_cast<std::size_t>(std::min(i, j))];
    others_[static_cast<std::size_t>(place++)] = std::max(i, j);
  }
  for (std::size_t k = 0; k + 1 < first_.size(); ++k)
    std::sort(others_.begin() + first_[k], others_.begin() + first_[k + 1]);
}

bool JoinedBalls::joined(int i, int j) const {
  const auto low = static_cast<std::size_t>(std::min(i, j));
  return std::binary_search(others_.begin() + first_[low], others_.begin() + first_[low + 1],
                            std::max(i, j));
}

GapBracket balls_gap(const PlacedBody& a, const PlacedBody& b, const GapSettings& settings) {
  const WorldBalls in_a = WorldBalls::of(a), in_b = WorldBalls::of(b);
  REPOSE_CHECK(!in_a.empty() && !in_b.empty());
  const SphereTree tree_a(in_a.centers, in_a.centers, in_a.radii);
  const SphereTree tree_b(in_b.centers, in_b.centers, in_b.radii);
  LeastGap least;
  const double slack = in_a.error + in_b.error;
  near_spheres(
      tree_a, tree_b, [&] { return least.upper() + slack; },
      [&](int i, int j) { least.add(pair_of(in_a, i, in_b, j)); });
  return least.take(settings, pair_size(a, b));
}

GapBracket set_body_gap(const PlacedBody& set, const PlacedBody& body,
                        const GapSettings& settings) {
  return SetSearch(set, body, settings).run();
}

std::optional<GapBracket> soft_gap(const PlacedBody& a, const PlacedBody& b,
                                   const GapSettings& settings) {
  const bool set_a = std::holds_alternative<shape::SphereSet>(a.shape->geometry);
  const bool set_b = std::holds_alternative<shape::SphereSet>(b.shape->geometry);
  if (!set_a && !set_b) return std::nullopt;
  const bool balls_a = !WorldBalls::of(a).empty(), balls_b = !WorldBalls::of(b).empty();
  if ((set_a && !balls_a) || (set_b && !balls_b)) return without_gap();
  if (balls_a && balls_b) return balls_gap(a, b, settings);
  return set_a ? set_body_gap(a, b, settings) : swapped(set_body_gap(b, a, settings));
}

GapBracket unjoined_gap(const PlacedBody& body, const GapSettings& settings) {
  const WorldBalls balls = WorldBalls::of(body);
  if (balls.empty()) return without_gap();
  const JoinedBalls links(body);
  const SphereTree tree(balls.centers, balls.centers, balls.radii);
  LeastGap least;
  near_spheres(
      tree, tree, [&] { return least.upper() + 2.0 * balls.error; },
      [&](int i, int j) {
        if (!links.joined(i, j)) least.add(pair_of(balls, i, balls, j));
      });
  if (least.upper() == kNone) {
    GapBracket none;
    none.lower = none.upper = kNone;
    none.status = GapStatus::apart;
    return none;
  }
  return least.take(settings, body.size());
}

}  // namespace repose::check
