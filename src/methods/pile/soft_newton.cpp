#include "soft_newton.h"

#include <algorithm>
#include <cmath>

#include "repose/base/stage_clock.h"

#include "soft_barrier.h"

namespace repose::pile {
namespace {

/// The product of force and gap, mean weights times radii: first, over the cube root of the number
/// of balls (the wider a pile, the farther it flows as its contacts harden); last; and over the one
/// before.
constexpr double kFirstProduct = 1e-3, kLastProduct = 1e-6, kHarder = 0.3;
/// A product has arrived where no ball has a larger unbalanced force, in its weights; the last.
constexpr double kArrived = 0.3, kLastArrived = 1e-3;
/// Rounds in all, and in one step.
constexpr int kMostRounds = 4000, kStepRounds = 25;
/// How far a ball may go in one round, in its radii: at most, and by the root of the product, as
/// sliding by t opens a contact by t^2 / (2 d). In one step so many times that.
constexpr double kMostRoom = 0.2, kRoomOfRoot = 2.0, kStepRooms = 3.0;
/// Damping, weights per radius: first, least, where it is raised from, and how it changes where a
/// round takes more than half of its way or less than a tenth.
constexpr double kFirstDamping = 1.0, kLeastDamping = 1e-6, kNewDamping = 1e-3;
constexpr double kLessDamping = 0.5, kMoreDamping = 2.0, kMuchMoreDamping = 10.0;
constexpr double kLongWay = 0.5, kShortWay = 0.1;
/// Share of the contacts' own curvature: after a matrix that was not positive definite, at least,
/// and after one that was.
constexpr double kLessBend = 0.6, kLeastBend = 0.2, kMoreBend = 1.05;
constexpr int kMostFactors = 16;
/// Part of the slope that a round must win (Armijo), halvings of its way until it does.
constexpr double kWorth = 1e-4;
constexpr int kMostHalvings = 20;
/// Gaps that are narrower at the start leave the barrier no room, mean radii.
constexpr double kLeastGap = 1e-12;

double room_of(double product) {
  return std::min(kMostRoom, kRoomOfRoot * std::sqrt(product));
}

/// The descent of one step.
class Descent {
 public:
  Descent(const Arena& arena, SoftBarrier& barrier, solve::SparseCholesky& cholesky,
          SoftNewton& fall);
  /// One round; false where it finds nothing to win.
  bool advance();
  /// True if no ball has gone too far and all straight ways from the start are free.
  bool way_is_free() const;

 private:
  bool factor();
  bool factor_somehow();
  std::vector<Vec3> newton_step() const;

  SoftBarrier& barrier_;
  solve::SparseCholesky& cholesky_;
  SoftNewton& fall_;
  std::vector<double> radius_;  // mean radii
  double most_way_;             // radii
};

Descent::Descent(const Arena& arena, SoftBarrier& barrier, solve::SparseCholesky& cholesky,
                 SoftNewton& fall)
    : barrier_(barrier),
      cholesky_(cholesky),
      fall_(fall),
      most_way_(kStepRooms * room_of(fall.product)) {
  for (const Mover& m : arena.movers) radius_.push_back(m.radius / arena.length_unit);
}

bool Descent::factor() {
  std::vector<double> damping;
  for (std::size_t i = 0; i < radius_.size(); ++i)
    damping.push_back(fall_.damping + barrier_.forces()[i].norm() / (kMostRoom * radius_[i]));
  barrier_.fill(fall_.bend, damping, cholesky_);
  return cholesky_.factor() && cholesky_.left_out() == 0;
}

/// Leaves out of the contacts' curvature what is too much; false if no matrix will do.
bool Descent::factor_somehow() {
  const StageScope timed("soft_factor");
  barrier_.analyze(cholesky_);
  if (factor()) {
    fall_.bend = std::clamp(kMoreBend * fall_.bend, kLeastBend, 1.0);
    return true;
  }
  for (int trial = 1; trial < kMostFactors; ++trial) {
    if (fall_.bend > 0.0)
      fall_.bend = kLessBend * fall_.bend < kLeastBend ? 0.0 : kLessBend * fall_.bend;
    else
      fall_.damping = kMuchMoreDamping * std::max(kNewDamping, fall_.damping);
    if (factor()) return true;
  }
  return false;
}

std::vector<Vec3> Descent::newton_step() const {
  const auto& force = barrier_.forces();
  std::vector<double> x(3 * force.size());
  for (std::size_t i = 0; i < force.size(); ++i)
    for (int k = 0; k < 3; ++k) x[3 * i + k] = force[i][k];
  cholesky_.solve(x);
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < force.size(); ++i)
    out.emplace_back(x[3 * i], x[3 * i + 1], x[3 * i + 2]);
  return out;
}

bool Descent::advance() {
  if (!factor_somehow()) return false;
  ++fall_.rounds;
  const std::vector<Vec3> step = newton_step();
  const double room = room_of(barrier_.product());
  double use = 1.0, slope = 0.0;
  for (std::size_t i = 0; i < step.size(); ++i) {
    use = std::max(use, step[i].norm() / (room * radius_[i]));
    slope -= barrier_.forces()[i].dot(step[i]);
  }
  std::vector<Vec3> way = step;
  for (Vec3& w : way) w /= use;
  double share = barrier_.longest(way) / use;
  int halvings = 0;
  while (!(barrier_.growth(step, share) <= kWorth * share * slope)) {
    if (++halvings > kMostHalvings) return false;
    share *= 0.5;
  }
  if (share > kLongWay)
    fall_.damping = std::max(kLeastDamping, kLessDamping * fall_.damping);
  else if (share < kShortWay)
    fall_.damping = kMoreDamping * std::max(kNewDamping, fall_.damping);
  barrier_.follow(step);
  for (std::size_t i = 0; i < way.size(); ++i) way[i] = barrier_.way()[i] + share * step[i];
  barrier_.move_to(std::move(way));
  return true;
}

bool Descent::way_is_free() const {
  for (std::size_t i = 0; i < radius_.size(); ++i)
    if (barrier_.way()[i].norm() > most_way_ * radius_[i]) return false;
  return barrier_.way_is_free();
}

/// The next product, or the end.
void harden(SoftBarrier& barrier, SoftNewton& fall) {
  fall.done = fall.product <= kLastProduct;
  if (fall.done) return;
  fall.product *= kHarder;
  barrier.set_product(fall.product);
}

}  // namespace

SoftNewton start_soft_newton(const Arena& arena) {
  SoftNewton out;
  out.product = kFirstProduct * std::cbrt(static_cast<double>(arena.movers.size()));
  out.damping = kFirstDamping;
  out.bend = 1.0;
  return out;
}

std::vector<double> soft_newton_reach(const Arena& arena, const SoftNewton& fall) {
  std::vector<double> out;
  for (const Mover& m : arena.movers)
    out.push_back((kStepRooms + 1.0) * room_of(fall.product) * m.radius);
  return out;
}

Motion soft_newton(const Arena& arena, const Placement& at, std::span<const Separation> separations,
                   std::span<const double> keep, solve::SparseCholesky& cholesky,
                   SoftNewton& fall) {
  const StageScope timed("soft_newton");
  Motion out;
  out.displacement.assign(at.centers.size(), Vec3::Zero());
  out.turn = out.displacement;
  SoftBarrier barrier(
      arena, at, separations, keep,
      known_multipliers(fall.multipliers, separations, static_cast<int>(separations.size())),
      fall.product);
  const bool ahead = !fall.ahead.empty();
  if (ahead) barrier.move_to(fall.ahead);
  if (barrier.least_gap() < kLeastGap) {
    fall.done = true;
    return out;
  }
  Descent descent(arena, barrier, cholesky, fall);
  std::vector<Vec3> taken(at.centers.size(), Vec3::Zero());
  const auto look = [&] {
    if (!descent.way_is_free()) return false;
    std::vector<Vec3> way = barrier.way();
    for (Vec3& w : way) w *= arena.length_unit;
    const double gain = energy_drop(arena.potentials, at.centers, way);
    if (gain <= out.gain) return true;
    out.gain = gain;
    out.displacement = std::move(way);
    out.kept = true;
    taken = barrier.way();
    return true;
  };
  bool free = !ahead || look();
  for (int round = 0; free && !fall.done;) {
    const bool last = fall.product <= kLastProduct;
    if (barrier.worst_force() <= (last ? kLastArrived : kArrived)) {
      harden(barrier, fall);
      continue;
    }
    if (out.kept && round >= kStepRounds) break;
    if (fall.rounds >= kMostRounds) fall.done = true;
    if (fall.done) break;
    if (!descent.advance()) harden(barrier, fall);
    free = look();
    ++round;
  }
  fall.multipliers = known_forces(separations, barrier.multipliers());
  fall.forces = known_forces(separations, barrier.contact_forces());
  fall.ahead.clear();
  if (out.kept || !ahead) {
    fall.ahead = barrier.way();
    for (std::size_t i = 0; i < taken.size(); ++i) fall.ahead[i] -= taken[i];
  }
  // what leads nowhere with soft contacts may do so with harder ones
  if (!out.kept && ahead && !fall.done) {
    fall.product *= kHarder;
    fall.done = fall.product < kLastProduct;
  }
  for (const Vec3& d : out.displacement) out.farthest = std::max(out.farthest, d.norm());
  return out;
}

}  // namespace repose::pile
