#include "drag.h"

#include "friction.h"

namespace repose::pile {
namespace {

/// Sliding friction over that which holds: bodies come to rest well within what holds them.
constexpr double kSliding = 0.8;

}  // namespace

Drag drag_of(const Arena& arena, const Placement& at, std::span<const Trust> trust,
             const Separation& s, double most) {
  const Vec3 u = s.normal.unitOrthogonal();
  Eigen::Matrix<double, 3, 2> across;
  across << u, s.normal.cross(u);
  Drag out;
  out.friction = kSliding * friction_at(arena, s, most);
  Vec3 last = Vec3::Zero();
  for (const int side : {0, 1}) {
    const int i = side == 0 ? s.a : s.b;
    if (i < 0) continue;
    const double sign = side == 0 ? -1.0 : 1.0;
    const Mover& m = arena.movers[i];
    const Vec3 arm = s.point - at.centers[i];
    last += sign * (trust[i].last_way + trust[i].last_turn.cross(arm));
    for (int k = 0; k < m.variables(); ++k) {
      if (m.held[k]) continue;
      const Vec3 way = k < 3 ? Vec3(Vec3::Unit(k)) : Vec3(Vec3::Unit(k - 3).cross(arm) / m.radius);
      out.slip.row(6 * side + k) = sign * way.transpose() * across;
    }
  }
  out.full_at = (across.transpose() * last).norm() / arena.length_unit;
  return out;
}

}  // namespace repose::pile
