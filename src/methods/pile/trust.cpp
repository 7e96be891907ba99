#include "trust.h"

#include <algorithm>
#include <cmath>

namespace repose::pile {
namespace {

/// Of the settings' bounds: in the first step, and at least.
constexpr double kFirstWay = 0.5;
constexpr double kLeast = 1e-8;
/// How bounds change: of a mover that used them up, that was moved back and forth, that was blocked
/// or used less than that of them; and of all after a step that could not be taken.
constexpr double kGrow = 3.0;
constexpr double kSwing = 0.7;
constexpr double kFade = 0.5;
constexpr double kAtBound = 0.9;   // a motion that used this share of its bounds was held by them
constexpr double kBlocked = 0.6;   // a motion of which less was taken was blocked
constexpr double kSafeTurn = 0.7;  // over the root of the shell: turns that it covers
/// Stiffness, weights per radius. Larger: smaller steps of bodies that are nearly balanced.
constexpr double kLeastHold = 0.1, kMostHold = 1.0;
constexpr double kHoldGrow = 2.0;

/// Steps through the interior: bounds grow where more than this of them is used, shrink slowly to
/// this many times the way used, and not below this share of the root of the product.
constexpr double kUsed = 0.5, kRoomGrow = 2.0;
constexpr double kSlowFade = 0.7, kTimesUsed = 4.0;
constexpr double kSoftRoom = 0.1;

}  // namespace

std::vector<Trust> first_trust(const Arena& arena, const PileSettings& settings) {
  std::vector<Trust> out;
  for (const Mover& m : arena.movers) {
    Trust t;
    t.way = kFirstWay * settings.box_half_width * m.radius;
    t.turn = m.turns ? settings.most_turn : 0.0;
    t.hold = kLeastHold;
    out.push_back(t);
  }
  return out;
}

Trust next_trust(const Trust& trust, const Vec3& way, const Vec3& turn, double share,
                 const Mover& mover, double shell, const PileSettings& settings) {
  Trust out = trust;
  out.last_way = way;
  out.last_turn = turn;
  const auto next = [&](double bound, const Vec3& now, const Vec3& last, double most, double size) {
    const double used = now.lpNorm<Eigen::Infinity>();
    const double safe = std::min(most, kSafeTurn * std::sqrt(shell) * size);
    if (now.dot(last) < 0.0 && used >= kFade * bound)
      return std::max(kLeast * most, kSwing * bound);
    if (share < kBlocked) return std::max(std::min(bound, safe), kFade * bound);
    if (used >= kAtBound * bound) return std::min(kGrow * bound, most);
    const double wanted = std::max(kGrow * used, kFade * bound);
    return std::min(most, std::max(wanted, std::min(kGrow * bound, safe)));
  };
  out.hold = share < kBlocked ? std::min(kMostHold, kHoldGrow * trust.hold)
                              : std::max(kLeastHold, trust.hold / kHoldGrow);
  out.way =
      next(trust.way, way, trust.last_way, settings.box_half_width * mover.radius, mover.radius);
  if (mover.turns) out.turn = next(trust.turn, turn, trust.last_turn, settings.most_turn, 1.0);
  return out;
}

Trust next_room(const Trust& trust, const Vec3& way, const Vec3& turn, double share,
                const Mover& mover, double product, const PileSettings& settings) {
  const double soft = kSoftRoom * std::min(1.0, std::sqrt(product));
  const auto next = [&](double bound, double used, double most) {
    if (share < kBlocked) return std::max(soft * most, kFade * bound);
    if (used > kUsed * bound) return std::min(most, kRoomGrow * bound);
    return std::max({soft * most, kSlowFade * bound, std::min(most, kTimesUsed * used)});
  };
  Trust out = trust;
  out.last_way = way;
  out.last_turn = turn;
  out.way = next(trust.way, way.norm(), settings.box_half_width * mover.radius);
  if (mover.turns) out.turn = next(trust.turn, turn.norm(), settings.most_turn);
  return out;
}

void shrink_trust(const Arena& arena, std::span<Trust> trust) {
  for (std::size_t i = 0; i < trust.size(); ++i) {
    Trust& t = trust[i];
    t.hold = std::min(kMostHold, kHoldGrow * t.hold);
    t.way = std::max(kLeast * arena.movers[i].radius, kFade * t.way);
    if (arena.movers[i].turns) t.turn = std::max(kLeast, kFade * t.turn);
  }
}

StepBounds bounds_of(const Arena& arena, std::span<const Trust> trust,
                     const PileSettings& settings) {
  StepBounds out = rotated_bounds(arena, settings.box_half_width);
  for (std::size_t i = 0; i < trust.size(); ++i) {
    for (double& r : out.room[i]) r = std::min(r, trust[i].way);
    out.turn.push_back(trust[i].turn);
  }
  return out;
}

void add_holds(const Arena& arena, std::span<const Trust> trust, solve::LinearProgram& lp) {
  for (std::size_t i = 0; i < trust.size(); ++i)
    for (int k = 0; k < arena.movers[i].variables(); ++k) {
      const int v = arena.movers[i].first + k;
      lp.quadratic.push_back({v, v, trust[i].hold});
    }
}

}  // namespace repose::pile
