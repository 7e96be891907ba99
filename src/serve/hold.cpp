#include "hold.h"

#include <algorithm>
#include <cmath>

#include "repose/run/judge_input.h"

namespace repose::serve {

namespace {

/// While a hand moves, an answer in time is worth more than digits: fraction of the smaller body.
constexpr double kWidth = 1e-3;
/// Pair tests for each pair.
constexpr int kBudget = 60'000;

bool may_meet(const check::PlacedBody& a, const check::PlacedBody& b) {
  if (!a.collides || !b.collides) return false;
  const double reach = a.shape->bounding_radius + b.shape->bounding_radius;
  if (!std::isfinite(reach)) return true;
  const Vec3 between =
      b.world_from_body * b.shape->bounding_center - a.world_from_body * a.shape->bounding_center;
  return between.norm() <= reach;
}

}  // namespace

HoldProbe::HoldProbe(const Problem& problem, const State& state)
    : input_(judge_input(problem, state)) {}

std::vector<Interference> HoldProbe::at(int body, const Pose& world_from_body) const {
  check::PlacedBody held = input_.bodies[static_cast<std::size_t>(body)];
  const Pose motion = world_from_body * held.world_from_body.inverse();
  for (Vec3& point : held.points_world) point = motion * point;
  const bool soft = !held.points_world.empty();
  held.world_from_body = world_from_body;
  std::vector<Interference> out;
  for (std::size_t i = 0; i < input_.bodies.size(); ++i) {
    const check::PlacedBody& other = input_.bodies[i];
    // the balls of a body that has left its rest shape may be anywhere
    const bool near = soft || !other.points_world.empty() || may_meet(held, other);
    if (static_cast<int>(i) == body || !near) continue;
    const auto gap = check::gap(held, other, {.width = kWidth, .enough = 0.0, .budget = kBudget});
    if (gap.lower >= 0.0 || gap.status == check::GapStatus::unjudged) continue;
    out.push_back({static_cast<int>(i), 0.5 * (gap.point_a + gap.point_b), gap.lower, gap.upper,
                   gap.upper < 0.0});
  }
  std::sort(out.begin(), out.end(), [](const Interference& a, const Interference& b) {
    return a.gap_upper < b.gap_upper || (a.gap_upper == b.gap_upper && a.other < b.other);
  });
  return out;
}

}  // namespace repose::serve
