#include "check/statics/level_motion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "repose/shape/meridian.h"

#include "check/exact/rounding.h"
#include "check/statics/potential.h"

namespace repose::check {

namespace {

constexpr std::size_t kMostBodies = 8, kMostPairs = 16, kMostMotions = 12;
constexpr double kWays[] = {0.2, 0.5};  // of the smallest body's size: how far they are followed
/// Half of the way loses at least this share where the loss grows as a power of the way, up to the
/// tenth; where it loses less, an edge lies between.
constexpr double kOfHalf = 1.0 / 1024.0;
constexpr double kTold = 64.0;            // sure losses: half the way then tells of a sixth power
constexpr double kInStep = 0.4;           // more than this share is in step with the way
constexpr double kSureShare = 2.0;        // of what the curvature known may lose on that way
constexpr double kLeastCurvature = 1e-7;  // over weight / size: rounding of second differences
constexpr double kSureLoss = 1e-8;        // of weight times size: rounding and brackets
constexpr double kGapWidth = 1e-8;        // of size
constexpr int kGapBudget = 20'000;        // pair tests for one gap
constexpr double kStill = 1e-9;           // of the way: no motion
constexpr std::size_t kMostRising = 12;   // motions that a way may bend along
constexpr double kNudge = 0.02;           // of the way: step along one of them
constexpr double kMostAside = 0.5;        // of the way: how far it bends

/// All faces are turned about the body's z axis.
bool turned_about_axis(const shape::Shape& shape) {
  if (std::holds_alternative<shape::Ball>(shape.geometry)) return true;
  const auto* solid = std::get_if<shape::Solid>(&shape.geometry);
  if (!solid) return false;
  for (const shape::Part& part : solid->parts)
    for (const shape::Face& face : part.faces)
      if (!shape::meridian_of(*face.patch)) return false;
  return true;
}

/// Two bodies that press on each other.
struct Pressed {
  double force = 0.0;  // N
  GapBracket at_rest;
};
std::map<std::array<int, 2>, Pressed> pressed_pairs(const Input& input,
                                                    const std::vector<ContactPoint>& contacts,
                                                    const Balance& balance) {
  const auto stands = [&](int i) { return input.bodies[static_cast<std::size_t>(i)].fixed; };
  std::map<std::array<int, 2>, Vec3> sums;
  for (std::size_t c = 0; c < contacts.size(); ++c) {
    if (stands(contacts[c].body_a) && stands(contacts[c].body_b)) continue;
    sums.emplace(std::array{contacts[c].body_a, contacts[c].body_b}, Vec3::Zero()).first->second +=
        balance.forces_on_b[c];
  }
  std::map<std::array<int, 2>, Pressed> out;
  for (const auto& [pair, force] : sums)
    if (force.norm() > 0.0) out.emplace(pair, Pressed{force.norm(), {}});
  return out;
}

class Follower {
 public:
  Follower(const Input& input, const std::vector<ContactPoint>& contacts, const Balance& balance,
           const SecondOrder& second)
      : input_(input),
        balance_(balance),
        items_(second.bodies),
        rising_(second.rising),
        pairs_(pressed_pairs(input, contacts, balance)),
        weight_(whole_load(input)) {
    for (const int i : items_)
      shortest_ = std::min(shortest_, input_.bodies[static_cast<std::size_t>(i)].size());
    if (too_much()) return;
    for (auto& [pair, pressed] : pairs_) pressed.at_rest = gap_of(input_.bodies, pair);
  }
  /// Joints bend the way of what they hold: it is known to second order alone.
  bool too_much() const {
    return pairs_.size() > kMostPairs || items_.size() > kMostBodies || !input_.restraints.empty();
  }

  /// The motion scaled so that its fastest point goes `way` of the smallest body's size.
  Eigen::VectorXd scaled(const Eigen::VectorXd& motion, double way) const {
    const double top = fastest_of(motion);
    return top > 0.0 ? Eigen::VectorXd(motion * (way * shortest_ / top)) : motion;
  }
  /// Bodies that turn about their own axis of revolution stay where they are.
  bool moves_nothing(const Eigen::VectorXd& motion) const {
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const auto [v, w] = of(motion, k);
      if (v.norm() + w.norm() * item(k).size() <= kStill * shortest_) continue;
      if (!turned_about_axis(*item(k).shape)) return false;
      const Frame f = world_frame(item(k));
      const Vec3 axis = f.turn.col(2);
      const Vec3 at_origin = v + w.cross(f.shift - item(k).center_world());
      const bool ball = std::holds_alternative<shape::Ball>(item(k).shape->geometry);
      const double off = at_origin.norm() + (ball ? 0.0 : w.cross(axis).norm() * item(k).size());
      if (off > kStill * shortest_) return false;
    }
    return true;
  }
  /// Energy gained after the motion, over weight times size.
  double gained(const Eigen::VectorXd& motion) const {
    std::vector<PlacedBody> moved = input_.bodies;
    std::vector<SmallMotion> motions(moved.size());
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const auto [v, w] = of(motion, k);
      PlacedBody& body = moved[static_cast<std::size_t>(items_[k])];
      const Vec3 center = body.center_world();
      const Quat turn = rotation_from_vector(w);
      Pose& pose = body.world_from_body;
      pose.position = center + v + turn * (pose.position - center);
      pose.rotation = (turn * pose.rotation).normalized();
      motions[static_cast<std::size_t>(items_[k])] = {v, w};
    }
    double energy = energy_after(input_, balance_, motions);
    for (const auto& [pair, pressed] : pairs_) {
      const GapBracket g = gap_of(moved, pair), &from = pressed.at_rest;
      // what touches at rest need not do so to the last bit, and what is not known did not change
      const double least = g.lower - from.upper, most = g.upper - from.lower;
      energy -= pressed.force * (least > 0.0 ? least : most < 0.0 ? most : 0.0);
    }
    return energy / (weight_ * shortest_);
  }
  /// The motion with what it pushes aside: a level way may bend, and fall beside the straight one
  /// (x^2 - 3 x y^2). Nothing where that is no more than `sure`, or too much to look at.
  std::optional<Eigen::VectorXd> bent(const Eigen::VectorXd& motion, double sure) const {
    if (rising_.size() > kMostRising) return std::nullopt;
    const double unit = weight_ * shortest_, way = fastest_of(motion), here = gained(motion);
    Eigen::VectorXd out = motion;
    double gain = 0.0;
    for (const SecondOrder::Level& across : rising_) {
      const double nudge = kNudge * way / fastest_of(across.motion);
      const double there = gained(motion + nudge * across.motion);
      const double slope = (there - here) * unit / nudge - 0.5 * across.curvature * nudge;
      const double most = kMostAside * way / fastest_of(across.motion);
      const double by = std::clamp(-slope / across.curvature, -most, most);
      out += by * across.motion;
      gain += 0.5 * across.curvature * by * by / unit;
    }
    return gain > sure ? std::optional(out) : std::nullopt;
  }
  bool weighs() const { return weight_ > 0.0 && std::isfinite(shortest_); }

 private:
  static GapBracket gap_of(const std::vector<PlacedBody>& bodies, const std::array<int, 2>& pair) {
    GapSettings settings;
    settings.width = kGapWidth;
    settings.budget = kGapBudget;
    return gap(bodies[static_cast<std::size_t>(pair[0])], bodies[static_cast<std::size_t>(pair[1])],
               settings);
  }
  const PlacedBody& item(std::size_t k) const {
    return input_.bodies[static_cast<std::size_t>(items_[k])];
  }
  static std::pair<Vec3, Vec3> of(const Eigen::VectorXd& motion, std::size_t k) {
    const auto at = static_cast<Eigen::Index>(6 * k);
    return {motion.segment<3>(at), motion.segment<3>(at + 3)};
  }
  double fastest_of(const Eigen::VectorXd& motion) const {
    double top = 0.0;
    for (std::size_t k = 0; k < items_.size(); ++k) {
      const auto [v, w] = of(motion, k);
      top = std::max(top, v.norm() + 0.5 * item(k).size() * w.norm());
    }
    return top;
  }

  const Input& input_;
  const Balance& balance_;
  const std::vector<int>& items_;
  const std::vector<SecondOrder::Level>& rising_;
  std::map<std::array<int, 2>, Pressed> pairs_;
  double weight_ = 0.0;
  double shortest_ = std::numeric_limits<double>::infinity();
};

/// What the motion loses grows as a power of its way. It does not where the motion is level as far
/// as a small push goes and falls only over an edge (a body on a table without friction); and a
/// loss in step with the way is the rounding of the motion: balanced bodies have none.
bool loses_by_power(const Follower& follower, Eigen::VectorXd step, bool bends) {
  const auto lost_on = [&](const Eigen::VectorXd& motion) {
    const auto aside = bends ? follower.bent(motion, 0.0) : std::nullopt;
    return -follower.gained(aside ? *aside : motion);
  };
  double lost = lost_on(step);
  for (bool first = true; lost > kTold * kSureLoss; first = false) {
    step *= 0.5;
    const double half = lost_on(step);
    if (half < std::max(kOfHalf * lost, kSureLoss) || (first && half > kInStep * lost))
      return false;
    lost = half;
  }
  return true;
}

/// The way along a level motion on which energy is lost; nothing where none is. `bends`: some is
/// gained or lost on it.
std::optional<Eigen::VectorXd> falling_way(const Follower& follower,
                                           const SecondOrder::Level& level, bool& bends) {
  for (const double way : kWays)
    for (const double sign : {1.0, -1.0}) {
      const double bend = std::max(std::fabs(level.curvature), kLeastCurvature);
      const double sure = kSureShare * 0.5 * bend * way * way + kSureLoss;
      const Eigen::VectorXd step = sign * follower.scaled(level.motion, way);
      if (follower.moves_nothing(step)) continue;
      const double gained = follower.gained(step);
      bends = bends || std::fabs(gained) > sure;
      if (gained < -sure && loses_by_power(follower, step, false)) return sign * level.motion;
      if (gained < -sure || way != kWays[1]) continue;
      const auto aside = follower.bent(step, sure);
      if (aside && follower.gained(*aside) < -sure && loses_by_power(follower, step, true))
        return sign * level.motion;
    }
  return std::nullopt;
}

/// Motions between two, all round.
std::vector<SecondOrder::Level> between(const Follower& follower, const SecondOrder::Level& a,
                                        const SecondOrder::Level& b) {
  constexpr int kSectors = 16;  // of half a turn; the first and the middle one are a and b
  const Eigen::VectorXd along = follower.scaled(a.motion, 1.0);
  const Eigen::VectorXd across = follower.scaled(b.motion, 1.0);
  const double curvature = std::max(std::fabs(a.curvature), std::fabs(b.curvature));
  std::vector<SecondOrder::Level> out;
  for (int k = 1; k < kSectors; ++k) {
    const double angle = k * std::numbers::pi / kSectors;
    if (2 * k != kSectors)
      out.push_back({std::cos(angle) * along + std::sin(angle) * across, curvature});
  }
  return out;
}

}  // namespace

LevelMotion follow_level_motions(const Input& input, const std::vector<ContactPoint>& contacts,
                                 const Balance& balance, const SecondOrder& second) {
  LevelMotion out;
  if (second.level.empty()) return out;
  const Follower follower(input, contacts, balance, second);
  if (!follower.weighs()) return out;
  out.kind = LevelMotion::Kind::not_told;
  if (follower.too_much() || second.level.size() > kMostMotions) return out;
  out.kind = LevelMotion::Kind::level;
  std::vector<bool> bends(second.level.size(), false);
  const auto falls = [&](const SecondOrder::Level& level, bool& bent) {
    const auto motion = falling_way(follower, level, bent);
    if (!motion) return false;
    out.kind = LevelMotion::Kind::falls;
    out.motion = *motion;
    return true;
  };
  for (std::size_t i = 0; i < second.level.size(); ++i) {
    bool bent = false;
    if (falls(second.level[i], bent)) return out;
    bends[i] = bent;
  }
  // what rises along both of two motions may fall between them: x^4 - 6 x^2 y^2 + y^4
  for (std::size_t i = 0; i < second.level.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (!bends[i] && !bends[j]) continue;
      for (const SecondOrder::Level& mixed : between(follower, second.level[i], second.level[j])) {
        bool bent = false;
        if (falls(mixed, bent)) return out;
      }
    }
  return out;
}

}  // namespace repose::check
