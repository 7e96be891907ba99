#include "far_separations.h"

#include <algorithm>
#include <array>
#include <optional>

#include <tbb/parallel_for.h>

#include "repose/base/stage_clock.h"

#include "nearest.h"
#include "turning.h"

namespace repose::pile {
namespace {

/// Where pieces meet at the end of the motion, it is looked at after these shares of it.
constexpr std::array<double, 4> kShares{1.0, 0.5, 0.25, 0.0625};

}  // namespace

std::vector<FarSeparation> find_far_separations(const Arena& arena,
                                                std::span<const Separation> separations,
                                                const Placement& from, const Motion& motion,
                                                std::span<const double> least) {
  const StageScope timed("find_far_separations");
  std::vector<Placement> to;
  for (const double share : kShares) to.push_back(moved(arena, from, motion, share));
  std::vector<std::optional<FarSeparation>> found(separations.size());
  tbb::parallel_for(0, static_cast<int>(separations.size()), [&](int k) {
    const Separation& s = separations[k];
    if (s.piece_b < 0) return;
    if (k > 0 && same_pieces(separations[k - 1], s)) return;
    double way = farthest_way(arena, motion, s.b);
    if (s.a >= 0) way += farthest_way(arena, motion, s.a);
    if (s.gap - way >= least[k]) return;
    const Convex& b = arena.movers[s.b].pieces[s.piece_b];
    Nearest nearest;
    std::size_t look = 0;
    for (; look < kShares.size() && !nearest.apart; ++look) {
      const Placement& at = to[look];
      nearest = s.a < 0 ? arena.walls.nearest_to(s.piece_a, b, at.poses[s.b])
                        : nearest_of(arena.movers[s.a].pieces[s.piece_a], at.poses[s.a], b,
                                     at.poses[s.b], &s.normal);
    }
    if (!nearest.apart || (look == 1 && nearest.gap >= least[k])) return;
    const double share = kShares[look - 1];
    const Placement& at = to[look - 1];
    FarSeparation far;
    far.a = s.a;
    far.b = s.b;
    far.normal = nearest.normal;
    far.gap = nearest.gap;
    far.start_gap = std::max(0.0, s.gap);
    far.arm_b = nearest.point_b - at.centers[s.b];
    far.way_b = share * motion.displacement[s.b];
    far.turn_b = share * motion.turn[s.b];
    if (s.a >= 0) {
      far.arm_a = nearest.point_a - at.centers[s.a];
      far.way_a = share * motion.displacement[s.a];
      far.turn_a = share * motion.turn[s.a];
    }
    if (share < 1.0) {
      // a parabola through the start and the place looked at tells the gap at the end
      double slope = far.normal.dot(far.way_b + far.turn_b.cross(far.arm_b));
      if (s.a >= 0) slope -= far.normal.dot(far.way_a + far.turn_a.cross(far.arm_a));
      const double bend = std::max(0.0, (far.gap - s.gap - slope) / (share * share));
      far.gap -= bend * (1.0 - share) * (1.0 - share);
    }
    found[k] = far;
  });
  std::vector<FarSeparation> out;
  for (const auto& f : found)
    if (f) out.push_back(*f);
  return out;
}

}  // namespace repose::pile
