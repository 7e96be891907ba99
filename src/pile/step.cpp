#include "step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

/// A motion that must be shortened to less than this share is not worth taking.
constexpr double kLeastShare = 1e-3;
/// Part of the way to a violated half-space that a shortened motion goes.
constexpr double kShorten = 0.999;
constexpr int kMaxHalvings = 6;  // of a motion that would raise the energy

/// The gap of a separation, along its normal, when its bodies stand at the given centres.
double gap_at(const Arena& arena, const Separation& s, const Separation& start,
              std::span<const Vec3> from, std::span<const Vec3> to) {
  if (s.a < 0) return start.gap + s.normal.dot(to[s.b] - from[s.b]);
  return s.normal.dot(to[s.b] - to[s.a]) - arena.movers[s.a].radius - arena.movers[s.b].radius;
}

}  // namespace

Motion verified_motion(const Arena& arena, std::span<const Separation> separations,
                       std::span<const Vec3> centers, const LpSolution& solution) {
  const StageScope timed("verify_motion");
  Motion out;
  const std::size_t count = arena.movers.size();
  out.displacement.resize(count);
  for (std::size_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k)
      out.displacement[i][k] =
          arena.movers[i].held[k] ? 0.0 : arena.length_unit * solution.x[3 * i + k];
  std::vector<Vec3> to(centers.begin(), centers.end());
  for (double share = 1.0; share > kLeastShare;) {
    for (std::size_t i = 0; i < count; ++i) to[i] = centers[i] + share * out.displacement[i];
    double next = share;
    for (const Separation& s : separations) {
      const double end = gap_at(arena, s, s, centers, to);
      if (end >= 0.0 || end >= s.gap) continue;
      next = std::min(next, share * kShorten * std::max(0.0, s.gap) / (s.gap - end));
    }
    if (next < share) {
      share = next;
      continue;
    }
    for (std::size_t i = 0; i < count; ++i) out.displacement[i] = to[i] - centers[i];
    out.gain = energy_drop(arena.potentials, centers, out.displacement);
    for (int half = 0; half < kMaxHalvings && out.gain < 0.0; ++half) {
      // the quadratic that stands for a link need not lie above it: nearer by it does
      for (Vec3& d : out.displacement) d *= 0.5;
      out.gain = energy_drop(arena.potentials, centers, out.displacement);
    }
    for (const Vec3& d : out.displacement) out.farthest = std::max(out.farthest, d.norm());
    out.kept = out.gain >= 0.0;
    return out;
  }
  return out;
}

Balance balance_of(const Arena& arena, std::span<const Separation> separations,
                   std::span<const Vec3> centers, std::span<const double> multipliers,
                   double touch_gap, double margin) {
  std::vector<Vec3> force = forces_of(arena.potentials, centers);
  Balance out;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    if (s.gap > touch_gap) continue;
    ++out.touching;
    if (multipliers[k] < 0.0) out.gain_left = std::numeric_limits<double>::infinity();  // a pull
    double kept = margin * arena.movers[s.b].radius;
    if (s.a >= 0) kept += margin * arena.movers[s.a].radius;
    out.gain_left += multipliers[k] * std::max(0.0, s.gap - kept) / arena.length_unit;
    const Vec3 push = multipliers[k] * arena.force_unit * s.normal;
    force[s.b] += push;
    if (s.a >= 0) force[s.a] -= push;
  }
  out.gain_left /= static_cast<double>(force.size());
  for (std::size_t i = 0; i < force.size(); ++i) {
    for (int k = 0; k < 3; ++k)
      if (arena.movers[i].held[k]) force[i][k] = 0.0;
    const double load = arena.potentials.load[i];
    const double left = force[i].norm() / (load > 0.0 ? load : arena.force_unit);
    if (left > out.worst || out.worst_mover < 0) {
      out.worst = left;
      out.worst_mover = static_cast<int>(i);
    }
  }
  return out;
}

std::vector<Contact> contacts_of(const Arena& arena, std::span<const Separation> separations,
                                 std::span<const Vec3> centers, std::span<const double> multipliers,
                                 double touch_gap) {
  std::vector<Contact> out;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    if (s.gap > touch_gap) continue;
    Contact c;
    c.body_a = s.a >= 0 ? arena.movers[s.a].body : s.wall_body;
    c.body_b = arena.movers[s.b].body;
    c.normal_a_to_b = s.normal;
    c.gap = s.gap;
    c.point_world = centers[s.b] - (arena.movers[s.b].radius + 0.5 * s.gap) * s.normal;
    c.force_on_b = multipliers[k] * arena.force_unit * s.normal;
    out.push_back(c);
  }
  return out;
}

}  // namespace repose::pile
