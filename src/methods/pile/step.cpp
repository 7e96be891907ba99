#include "step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"

namespace repose::pile {
namespace {

/// A motion that must be shortened to less than this share is not worth taking.
constexpr double kLeastShare = 1e-3;
/// Part of the way to a violated half-space that a shortened motion goes.
constexpr double kShorten = 0.999;
constexpr int kMaxHalvings = 6;  // of a motion that would raise the energy

/// The gap of a separation between bodies that do not turn, along its normal.
double gap_at(const Separation& s, std::span<const Vec3> displacement) {
  Vec3 relative = displacement[s.b];
  if (s.a >= 0) relative -= displacement[s.a];
  return s.gap + s.normal.dot(relative);
}
/// ... and between balls, from the places themselves.
double ball_gap_at(const Arena& arena, const Separation& s, std::span<const Vec3> to) {
  return s.normal.dot(to[s.b] - to[s.a]) - arena.movers[s.a].radius - arena.movers[s.b].radius;
}

/// The share of the way after which some pair of bodies that do not turn would overlap; 1: none.
double straight_share(const Arena& arena, std::span<const Separation> separations,
                      std::span<const Vec3> from, std::span<const Vec3> displacement) {
  std::vector<Vec3> to(from.begin(), from.end());
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += displacement[i];
  double share = 1.0;
  for (const Separation& s : separations) {
    const bool balls = s.a >= 0 && s.piece_a < 0;
    const double end = balls ? ball_gap_at(arena, s, to) : gap_at(s, displacement);
    if (end >= 0.0 || end >= s.gap) continue;
    share = std::min(share, kShorten * std::max(0.0, s.gap) / (s.gap - end));
  }
  return share;
}

}  // namespace

Placement moved(const Arena& arena, const Placement& from, const Motion& motion, double share) {
  Placement out = from;
  for (std::size_t i = 0; i < out.centers.size(); ++i) {
    const Mover& m = arena.movers[i];
    out.centers[i] += share * motion.displacement[i];
    Pose& pose = out.poses[i];
    if (m.turns)
      pose.rotation = (rotation_from_vector(share * motion.turn[i]) * pose.rotation).normalized();
    pose.position = m.ball ? out.centers[i] : Vec3(out.centers[i] - pose.turn(m.center_body));
  }
  return out;
}

Motion proposed_motion(const Arena& arena, const solve::LpSolution& solution) {
  Motion out;
  out.displacement.assign(arena.movers.size(), Vec3::Zero());
  out.turn.assign(arena.movers.size(), Vec3::Zero());
  for (std::size_t i = 0; i < arena.movers.size(); ++i) {
    const Mover& m = arena.movers[i];
    for (int k = 0; k < m.variables(); ++k) {
      if (m.held[k]) continue;
      const double way = arena.length_unit * solution.x[m.first + k];
      (k < 3 ? out.displacement[i][k] : out.turn[i][k - 3]) = k < 3 ? way : way / m.radius;
    }
  }
  return out;
}

Motion verified_motion(const Arena& arena, std::span<const Separation> separations,
                       const Placement& from, const solve::LpSolution& solution) {
  const StageScope timed("verify_motion");
  Motion out = proposed_motion(arena, solution);
  const auto shorten = [&out](double share) {
    for (Vec3& d : out.displacement) d *= share;
    for (Vec3& t : out.turn) t *= share;
    out.share *= share;
  };
  // bodies that do not turn are free of one another all the way if they are at its end
  for (double share = 0.0; share < 1.0;) {
    share = straight_share(arena, separations, from.centers, out.displacement);
    if (share < 1.0) shorten(share);
    if (out.share < kLeastShare) return out;
  }
  out.gain = energy_drop(arena.potentials, from.centers, out.displacement);
  for (int half = 0; half < kMaxHalvings && out.gain < 0.0; ++half) {
    // the quadratic that stands for a link need not lie above it: nearer by it does
    shorten(0.5);
    out.gain = energy_drop(arena.potentials, from.centers, out.displacement);
  }
  for (const Vec3& d : out.displacement) out.farthest = std::max(out.farthest, d.norm());
  for (const Vec3& t : out.turn) out.farthest_turn = std::max(out.farthest_turn, t.norm());
  out.kept = out.gain >= 0.0;
  return out;
}

double unbalanced(const Arena& arena, std::size_t mover, Vec3 force, Vec3 torque) {
  const Mover& m = arena.movers[mover];
  for (int k = 0; k < 3; ++k) {
    if (m.held[k]) force[k] = 0.0;
    if (!m.turns || m.held[k + 3]) torque[k] = 0.0;
  }
  const double load = arena.potentials.load[mover];
  return std::max(force.norm(), torque.norm() / m.radius) / (load > 0.0 ? load : arena.force_unit);
}

Balance balance_of(const Arena& arena, std::span<const Separation> separations, const Placement& at,
                   std::span<const double> multipliers, double touch_gap,
                   std::span<const double> keep) {
  std::vector<Vec3> force = forces_of(arena.potentials, at.centers);
  std::vector<Vec3> torque(force.size(), Vec3::Zero());
  Balance out;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    if (s.gap > touch_gap || s.passes) continue;
    ++out.touching;
    if (multipliers[k] < 0.0) out.gain_left = std::numeric_limits<double>::infinity();  // a pull
    out.gain_left += multipliers[k] * std::max(0.0, s.gap - keep[k]) / arena.length_unit;
    const Vec3 push = multipliers[k] * arena.force_unit * s.normal;
    force[s.b] += push;
    torque[s.b] += (s.point - at.centers[s.b]).cross(push);
    if (s.a < 0) continue;
    force[s.a] -= push;
    torque[s.a] -= (s.point - at.centers[s.a]).cross(push);
  }
  out.gain_left /= static_cast<double>(force.size());
  for (std::size_t i = 0; i < force.size(); ++i) {
    const double left = unbalanced(arena, i, force[i], torque[i]);
    if (left > out.worst || out.worst_mover < 0) {
      out.worst = left;
      out.worst_mover = static_cast<int>(i);
    }
  }
  return out;
}

std::vector<Contact> contacts_of(const Arena& arena, std::span<const Separation> separations,
                                 std::span<const double> multipliers, double touch_gap) {
  std::vector<Contact> out;
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    if (s.gap > touch_gap || s.passes) continue;
    Contact c;
    c.body_a = s.a >= 0 ? arena.movers[s.a].body : s.wall_body;
    c.body_b = arena.movers[s.b].body;
    c.normal_a_to_b = s.normal;
    c.gap = s.gap;
    c.point_world = s.point;
    c.force_on_b = multipliers[k] * arena.force_unit * s.normal;
    out.push_back(c);
  }
  return out;
}

}  // namespace repose::pile
