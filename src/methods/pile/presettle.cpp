#include "presettle.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

/// Thickness of the shells, in mean radii of a pair.
constexpr double kShell = 2e-2;
/// The descent ends when no ball has a larger unbalanced force, in its weights, or after so many
/// iterations.
constexpr double kLeastUnbalanced = 0.1;
constexpr int kAllRounds = 15000;
/// Mean weights that a shell bears when flat: at first, and how it grows where a shell is pressed
/// below this share of its thickness.
constexpr double kFirstForce = 10.0, kForceGrowth = 1.5, kLeastShare = 0.2;
/// The step of the descent over the period of a ball between two shells.
constexpr double kStepShare = 0.6;
/// Fastest speed over the one that a shell can stop.
constexpr double kSpeedShare = 0.4;
/// Constants of the engine, as its authors give them.
constexpr double kFirstMix = 0.1, kMixFade = 0.99, kStepGrowth = 1.1, kStepCut = 0.5;
constexpr int kDelay = 5;
/// Iterations between two looks at the way so far, and at most in one step.
constexpr int kLook = 16, kMostRounds = 2000;
/// How far a ball may go in one step, in its radii.
constexpr double kReach = 0.6;

/// A vector of space in one register; the last number is always 0.
using Four = double __attribute__((vector_size(32)));
Four four(const Vec3& v) {
  return Four{v.x(), v.y(), v.z(), 0.0};
}
Vec3 three(const Four& v) {
  return {v[0], v[1], v[2]};
}
double dot(const Four& a, const Four& b) {
  const Four c = a * b;
  return c[0] + c[1] + c[2];
}

/// Two balls, or a wall and a ball, that may meet during the step. Between balls gap stands for
/// (d^2 - apart^2) / (2 apart), d the distance of their centres: the gap itself where they touch,
/// and without a root.
struct SoftPair {
  Four normal;        // of a wall
  Four between;       // m: from a to b at the start of the step
  int a, b;           // movers; a -1: wall
  double apart;       // m: distance of the centres at which they touch, or height over the wall
  double gap;         // m: at the start of the step
  double shell;       // m
  double near;        // d^2 (height over the wall) from which on the shell bears nothing
  double touch;       // ... and at which they touch
  double per_shell;   // share of the shell that is left, by what d^2 (the height) is above `touch`
  double per_length;  // direction of the push, by the vector between the centres; of a wall 1
};

/// The descent of one step.
class Descent {
 public:
  Descent(const Arena& arena, const Placement& at, std::span<const Separation> separations,
          std::span<const double> keep, SoftFall& fall);
  /// One iteration.
  void advance();
  /// True if every straight way from the start to here is free.
  bool way_is_free();
  bool balanced() const { return worst_ <= kLeastUnbalanced; }
  bool pressed() const { return least_share_ < kLeastShare; }
  std::vector<Vec3> displacement() const;

 private:
  SoftPair soft_pair(const Separation& s, double keep) const;
  double farthest() const;
  void find_near();
  void find_forces();
  double push(const SoftPair& pair, double least_share);
  double longest_step() const;
  double fastest() const;

  const Arena& arena_;
  const Placement& at_;
  SoftFall& fall_;
  std::vector<SoftPair> pairs_;
  std::vector<int> near_;                          // pairs that may touch before the next look
  std::vector<Four> start_, x_, v_, push_, pull_;  // m; m per (square of the) unit of time
  std::vector<double> load_;  // squares of one over the pull that loads are measured by
  double stiffness_ = 0.0;    // m per square of the unit of time: push of a shell pressed flat
  double power_ = 0.0, speed_ = 0.0, force_ = 0.0;  // sums of v . pull, v^2, pull^2
  double worst_ = 0.0;                              // unbalanced force over load
  double least_share_ = 1.0;                        // of a shell that is left
};

SoftPair Descent::soft_pair(const Separation& s, double keep) const {
  const double radius_b = arena_.movers[s.b].radius;
  SoftPair out{};
  out.a = s.a;
  out.b = s.b;
  out.gap = s.gap;
  if (s.a < 0) {
    out.normal = four(s.normal);
    out.apart = out.touch = s.normal.dot(at_.centers[s.b]) - s.gap + keep;
    out.shell = kShell * radius_b;
    out.near = out.apart + out.shell;
    out.per_shell = 1.0 / out.shell;
    out.per_length = 1.0;
    return out;
  }
  const double radius_a = arena_.movers[s.a].radius;
  out.between = start_[s.b] - start_[s.a];
  out.apart = radius_a + radius_b + keep;
  out.shell = 0.5 * kShell * (radius_a + radius_b);
  out.touch = out.apart * out.apart;
  out.near = out.touch + 2.0 * out.apart * out.shell;
  out.per_shell = 1.0 / (2.0 * out.apart * out.shell);
  out.per_length = 1.0 / out.apart;
  return out;
}

Descent::Descent(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                 std::span<const double> keep, SoftFall& fall)
    : arena_(arena), at_(at), fall_(fall) {
  const double unit = arena.length_unit / arena.force_unit;
  stiffness_ = arena.length_unit * fall.force;
  for (std::size_t i = 0; i < at.centers.size(); ++i) {
    start_.push_back(four(at.centers[i]));
    v_.push_back(four(fall.velocity[i]));
    push_.push_back(four(unit * arena.potentials.push[i]));
    const double load = unit * arena.potentials.load[i];
    load_.push_back(load > 0.0 ? 1.0 / (load * load) : 0.0);
  }
  x_ = start_;
  pull_.resize(x_.size());
  pairs_.reserve(separations.size());
  for (std::size_t k = 0; k < separations.size(); ++k)
    pairs_.push_back(soft_pair(separations[k], keep[k]));
  find_near();
  find_forces();
}

/// How far the ball is from its start that is farthest, m.
double Descent::farthest() const {
  double square = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const Four way = x_[i] - start_[i];
    square = std::max(square, dot(way, way));
  }
  return std::sqrt(square);
}

/// Speeds are bounded, so that the others cannot touch within `kLook` iterations.
void Descent::find_near() {
  const double way = 2.0 * kLook * longest_step() * fastest(), gone = 2.0 * farthest();
  near_.clear();
  for (int k = 0; k < static_cast<int>(pairs_.size()); ++k) {
    const SoftPair& p = pairs_[static_cast<std::size_t>(k)];
    if (p.gap > p.shell + way + gone) continue;
    const double far = p.apart + p.shell + way;
    bool near = false;
    if (p.a >= 0) {
      const Four between = x_[p.b] - x_[p.a];
      near = dot(between, between) < far * far;
    } else {
      near = dot(p.normal, x_[p.b]) < far;
    }
    if (near) near_.push_back(k);
  }
}

/// What the shell of a pair adds to the pull on its movers. Answers the least share of a shell that
/// is left, with this one.
inline double Descent::push(const SoftPair& p, double least_share) {
  Four along = p.normal;
  double here = 0.0;
  if (p.a >= 0) {
    along = x_[p.b] - x_[p.a];
    here = dot(along, along);
  } else {
    here = dot(along, x_[p.b]);
  }
  if (here >= p.near) return least_share;
  const double share = (here - p.touch) * p.per_shell;
  const Four push = (stiffness_ * (1.0 - share) * p.per_length) * along;
  pull_[p.b] += push;
  if (p.a >= 0) pull_[p.a] -= push;
  return std::min(least_share, share);
}

void Descent::find_forces() {
  pull_ = push_;
  // kept at hand: what stands in memory would be written for every pair and ball
  double least_share = 1.0, worst = 0.0;
  for (const int near : near_)
    least_share = push(pairs_[static_cast<std::size_t>(near)], least_share);
  least_share_ = least_share;
  Four power{}, speed{}, force{};
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const auto& held = arena_.movers[i].held;
    for (int k = 0; k < 3; ++k)
      if (held[k]) pull_[i][k] = 0.0;
    const Four square = pull_[i] * pull_[i];
    worst = std::max(worst, (square[0] + square[1] + square[2]) * load_[i]);
    force += square;
    power += v_[i] * pull_[i];
    speed += v_[i] * v_[i];
  }
  worst_ = std::sqrt(worst);
  force_ = force[0] + force[1] + force[2];
  power_ = power[0] + power[1] + power[2];
  speed_ = speed[0] + speed[1] + speed[2];
}

/// A share of the time in which the stiffest shell would swing.
double Descent::longest_step() const {
  return kStepShare * std::sqrt(kShell / fall_.force);
}

/// What a shell can stop, with room for several balls that press one another.
double Descent::fastest() const {
  return kSpeedShare * arena_.length_unit * std::sqrt(kShell * fall_.force);
}

void Descent::advance() {
  if (fall_.rounds % kLook == 0) find_near();
  double keep = 0.0, turn = 0.0;  // of the velocities, and of the pull in its place
  if (power_ > 0.0) {
    keep = 1.0 - fall_.mix;
    turn = fall_.mix * std::sqrt(speed_ / force_);
    if (++fall_.downhill > kDelay) {
      fall_.dt *= kStepGrowth;
      fall_.mix *= kMixFade;
    }
  } else {
    fall_.dt *= kStepCut;
    fall_.mix = kFirstMix;
    fall_.downhill = 0;
  }
  fall_.dt = std::min(fall_.dt, longest_step());
  const double most = fastest(), pulled = turn + fall_.dt, dt = fall_.dt;
  for (std::size_t i = 0; i < v_.size(); ++i) {
    Four v = keep * v_[i] + pulled * pull_[i];
    const double square = dot(v, v);
    if (square > most * most) v *= most / std::sqrt(square);
    v_[i] = v;
    x_[i] += dt * v;
  }
  find_forces();
  ++fall_.rounds;
}

bool Descent::way_is_free() {
  for (std::size_t i = 0; i < x_.size(); ++i) {
    const double room = kReach * arena_.movers[i].radius;
    const Four way = x_[i] - start_[i];
    if (dot(way, way) > room * room) return false;
  }
  const double gone = 2.0 * farthest() * kMoreThanRounding;
  for (const SoftPair& p : pairs_) {
    if (p.gap > gone + p.shell) continue;
    if (p.a < 0) {
      if (dot(p.normal, x_[p.b]) < p.apart) return false;
      continue;
    }
    // the nearest point of the straight way of b past a
    const Four way = x_[p.b] - x_[p.a] - p.between;
    const double square = dot(way, way), back = -dot(p.between, way);
    if (back <= 0.0) continue;
    const Four nearest = p.between + (back >= square ? 1.0 : back / square) * way;
    if (dot(nearest, nearest) < p.touch) return false;
  }
  for (std::size_t i = 0; i < v_.size(); ++i) fall_.velocity[i] = three(v_[i]);
  return true;
}

std::vector<Vec3> Descent::displacement() const {
  std::vector<Vec3> out;
  out.reserve(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i) out.push_back(three(x_[i]) - at_.centers[i]);
  return out;
}

}  // namespace

SoftFall start_soft_fall(const Arena& arena) {
  SoftFall out;
  out.velocity.assign(arena.movers.size(), Vec3::Zero());
  out.force = kFirstForce;
  out.dt = kStepShare * std::sqrt(kShell / out.force);
  out.mix = kFirstMix;
  return out;
}

std::vector<double> soft_reach(const Arena& arena) {
  std::vector<double> out;
  for (const Mover& m : arena.movers) out.push_back(kReach * m.radius);
  return out;
}

Motion soft_fall(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                 std::span<const double> keep, SoftFall& fall) {
  const StageScope timed("soft_fall");
  Motion out;
  out.displacement.assign(at.centers.size(), Vec3::Zero());
  out.turn = out.displacement;
  SoftFall reached = fall;
  Descent descent(arena, at, separations, keep, fall);
  bool free = true;
  for (int round = 0; round < kMostRounds && free && !descent.balanced(); ++round) {
    descent.advance();
    if (fall.rounds >= kAllRounds) break;
    if (round % kLook != kLook - 1) continue;
    free = descent.way_is_free();
    auto way = descent.displacement();
    const double gain = energy_drop(arena.potentials, at.centers, way);
    if (!free || gain <= out.gain) continue;
    out.gain = gain;
    out.displacement = std::move(way);
    out.kept = true;
    reached = fall;
  }
  const bool balanced = descent.balanced(), pressed = descent.pressed();
  const int rounds = fall.rounds;
  if (out.kept) {
    fall = reached;
    fall.rounds = rounds;
  }
  if (pressed) fall.force *= kForceGrowth;
  if (!free && !out.kept) {
    for (Vec3& v : fall.velocity) v.setZero();
    fall.dt *= kStepCut;
    fall.rounds += kMostRounds;
  }
  fall.done = balanced || fall.rounds >= kAllRounds;
  for (const Vec3& d : out.displacement) out.farthest = std::max(out.farthest, d.norm());
  return out;
}

}  // namespace repose::pile
