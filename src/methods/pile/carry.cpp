#include "carry.h"

namespace repose::pile {

void carry_on(const Arena& arena, const Placement& at, std::span<const Separation> separations,
              std::span<const double> multipliers, std::span<const Vec3> way, double share,
              solve::LinearProgram& lp) {
  const auto add = [&](int mover, const Vec3& pull) {
    const Mover& m = arena.movers[static_cast<std::size_t>(mover)];
    for (int k = 0; k < 3; ++k)
      if (!m.held[k]) lp.cost[static_cast<std::size_t>(m.first + k)] -= pull[k];
  };
  for (std::size_t k = 0; k < separations.size(); ++k) {
    const Separation& s = separations[k];
    if (s.a < 0 || multipliers[k] <= 0.0) continue;
    const auto a = static_cast<std::size_t>(s.a), b = static_cast<std::size_t>(s.b);
    const Vec3 relative = way[b] - way[a];
    const Vec3 slide = relative - s.normal.dot(relative) * s.normal;
    const Vec3 pull = (share * multipliers[k] / (at.centers[b] - at.centers[a]).norm()) * slide;
    add(s.b, pull);
    add(s.a, -pull);
  }
}

}  // namespace repose::pile
