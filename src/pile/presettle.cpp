#include "presettle.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

/// Thickness of the shells by stage, in mean radii of a pair.
constexpr double kShell[] = {2e-2, 5e-3, 1.25e-3, 3e-4};
constexpr int kStages = static_cast<int>(std::size(kShell));
/// A stage ends when no ball has a larger unbalanced force, in its weights, or after so many
/// iterations.
constexpr double kStageForce[] = {0.1, 3e-3, 0.03, 0.03};
constexpr int kStageRounds = 40000;
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

/// Two balls, or a wall and a ball, that may meet during the step.
struct SoftPair {
  int a, b;         // movers; a -1: wall
  Vec3 normal;      // of a wall
  double apart;     // m: distance of the centres at which they touch, or height over the wall
  double shell;     // m
  double softness;  // 1/m: of the shell
  Vec3 between;     // m: from a to b at the start of the step
};

/// The descent of one step.
class Descent {
 public:
  Descent(const Arena& arena, const Placement& at, std::span<const Separation> separations,
          std::span<const double> keep, SoftFall& fall);
  /// One iteration.
  void advance();
  /// True if every straight way from the start to here is free.
  bool way_is_free() const;
  bool balanced() const { return worst_ <= kStageForce[fall_.stage]; }
  bool pressed() const { return least_share_ < kLeastShare; }
  std::vector<Vec3> displacement() const;
  const std::vector<Vec3>& velocity() const { return fall_.velocity; }

 private:
  void find_near();
  void find_forces();
  double longest_step() const;
  double fastest() const;

  const Arena& arena_;
  const Placement& at_;
  SoftFall& fall_;
  std::vector<SoftPair> pairs_;
  std::vector<int> near_;       // pairs that may touch before the next look
  std::vector<Vec3> x_, pull_;  // m; m per square of the unit of time
  std::vector<double> room_;    // m: how far each may go
  double worst_ = 0.0;          // unbalanced force over load
  double least_share_ = 1.0;    // of a shell that is left
};

Descent::Descent(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                 std::span<const double> keep, SoftFall& fall)
    : arena_(arena), at_(at), fall_(fall), x_(at.centers), room_(soft_reach(arena)) {
  const double shell = kShell[fall.stage];
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    const double radius_b = arena.movers[s.b].radius;
    SoftPair pair{s.a, s.b, s.normal, 0.0, shell * radius_b, 0.0, Vec3::Zero()};
    if (s.a >= 0) {
      const double radius_a = arena.movers[s.a].radius;
      pair.between = at.centers[s.b] - at.centers[s.a];
      pair.apart = radius_a + radius_b + keep[k];
      pair.shell = 0.5 * shell * (radius_a + radius_b);
    } else {
      pair.apart = s.normal.dot(at.centers[s.b]) - s.gap + keep[k];
    }
    pair.softness = 1.0 / pair.shell;
    pairs_.push_back(pair);
  }
  find_near();
  find_forces();
}

/// Speeds are bounded, so that the others cannot touch within `kLook` iterations.
void Descent::find_near() {
  const double way = 2.0 * kLook * longest_step() * fastest();
  near_.clear();
  for (int k = 0; k < static_cast<int>(pairs_.size()); ++k) {
    const SoftPair& p = pairs_[static_cast<std::size_t>(k)];
    const double far = p.apart + p.shell + way;
    const bool near =
        p.a >= 0 ? (x_[p.b] - x_[p.a]).squaredNorm() < far * far : p.normal.dot(x_[p.b]) < far;
    if (near) near_.push_back(k);
  }
}

void Descent::find_forces() {
  const double unit = arena_.length_unit / arena_.force_unit;
  pull_.resize(x_.size());
  for (std::size_t i = 0; i < x_.size(); ++i) pull_[i] = unit * arena_.potentials.push[i];
  least_share_ = 1.0;
  for (const int near : near_) {
    const SoftPair& p = pairs_[static_cast<std::size_t>(near)];
    Vec3 along = p.normal;
    double gap = 0.0, length = 1.0;
    if (p.a >= 0) {
      along = x_[p.b] - x_[p.a];
      const double square = along.squaredNorm(), far = p.apart + p.shell;
      if (square >= far * far) continue;
      const double distance = std::sqrt(square);
      length = 1.0 / distance;
      gap = distance - p.apart;
    } else {
      gap = along.dot(x_[p.b]) - p.apart;
      if (gap >= p.shell) continue;
    }
    const double share = gap * p.softness;
    least_share_ = std::min(least_share_, share);
    const Vec3 push = (arena_.length_unit * fall_.force * (1.0 - share) * length) * along;
    pull_[p.b] += push;
    if (p.a >= 0) pull_[p.a] -= push;
  }
  worst_ = 0.0;
  for (std::size_t i = 0; i < x_.size(); ++i) {
    for (int k = 0; k < 3; ++k)
      if (arena_.movers[i].held[k]) pull_[i][k] = 0.0;
    const double load = arena_.potentials.load[i];
    if (load > 0.0) worst_ = std::max(worst_, pull_[i].squaredNorm() / (load * load));
  }
  worst_ = std::sqrt(worst_) / unit;
}

/// A share of the time in which the stiffest shell would swing.
double Descent::longest_step() const {
  return kStepShare * std::sqrt(kShell[fall_.stage] / fall_.force);
}

/// What a shell can stop, with room for several balls that press one another.
double Descent::fastest() const {
  return kSpeedShare * arena_.length_unit * std::sqrt(kShell[fall_.stage] * fall_.force);
}

void Descent::advance() {
  if (fall_.rounds % kLook == 0) find_near();
  std::vector<Vec3>& v = fall_.velocity;
  double power = 0.0, speed = 0.0, force = 0.0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    power += v[i].dot(pull_[i]);
    speed += v[i].squaredNorm();
    force += pull_[i].squaredNorm();
  }
  if (power > 0.0) {
    const double turn = fall_.mix * std::sqrt(speed / force);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = (1.0 - fall_.mix) * v[i] + turn * pull_[i];
    if (++fall_.downhill > kDelay) {
      fall_.dt *= kStepGrowth;
      fall_.mix *= kMixFade;
    }
  } else {
    for (Vec3& w : v) w.setZero();
    fall_.dt *= kStepCut;
    fall_.mix = kFirstMix;
    fall_.downhill = 0;
  }
  fall_.dt = std::min(fall_.dt, longest_step());
  const double most = fastest();
  for (std::size_t i = 0; i < v.size(); ++i) {
    v[i] += fall_.dt * pull_[i];
    const double square = v[i].squaredNorm();
    if (square > most * most) v[i] *= most / std::sqrt(square);
    x_[i] += fall_.dt * v[i];
  }
  find_forces();
  ++fall_.rounds;
}

bool Descent::way_is_free() const {
  for (std::size_t i = 0; i < x_.size(); ++i)
    if ((x_[i] - at_.centers[i]).squaredNorm() > room_[i] * room_[i]) return false;
  for (const SoftPair& p : pairs_) {
    if (p.a < 0) {
      if (p.normal.dot(x_[p.b]) < p.apart) return false;
      continue;
    }
    // the nearest point of the straight way of b past a
    const Vec3 way = x_[p.b] - x_[p.a] - p.between;
    const double square = way.squaredNorm(), back = -p.between.dot(way);
    const double share = back <= 0.0 ? 0.0 : (back >= square ? 1.0 : back / square);
    if ((p.between + share * way).squaredNorm() < p.apart * p.apart && share > 0.0) return false;
  }
  return true;
}

std::vector<Vec3> Descent::displacement() const {
  std::vector<Vec3> out = x_;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] -= at_.centers[i];
  return out;
}

/// The next stage, from standstill.
void begin_stage(SoftFall& fall, int stage) {
  fall.stage = stage;
  fall.done = stage >= kStages;
  fall.rounds = 0;
  fall.downhill = 0;
  fall.mix = kFirstMix;
  for (Vec3& v : fall.velocity) v.setZero();
}

}  // namespace

SoftFall start_soft_fall(const Arena& arena) {
  SoftFall out;
  out.velocity.assign(arena.movers.size(), Vec3::Zero());
  out.force = kFirstForce;
  out.dt = kStepShare * std::sqrt(kShell[0] / out.force);
  begin_stage(out, 0);
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
    if (fall.rounds >= kStageRounds) break;
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
  if (balanced || fall.rounds >= kStageRounds) begin_stage(fall, fall.stage + 1);
  for (const Vec3& d : out.displacement) out.farthest = std::max(out.farthest, d.norm());
  return out;
}

}  // namespace repose::pile
