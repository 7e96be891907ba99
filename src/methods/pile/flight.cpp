#include "flight.h"

namespace repose::pile {

std::vector<char> movers_alone(std::span<const Separation> separations, std::size_t movers) {
  std::vector<char> out(movers, 1);
  for (const Separation& s : separations) {
    out[static_cast<std::size_t>(s.b)] = 0;
    if (s.a >= 0) out[static_cast<std::size_t>(s.a)] = 0;
  }
  return out;
}

void fly_alone(const Arena& arena, const StepBounds& bounds,
               std::span<const Separation> separations, solve::LpSolution& solution) {
  if (solution.x.size() != static_cast<std::size_t>(arena.variables)) return;
  const std::vector<char> alone = movers_alone(separations, arena.movers.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    const Mover& m = arena.movers[i];
    const Vec3& force = arena.potentials.push[i];
    if (alone[i] == 0 || m.turns || force.norm() == 0.0 || m.held[0] || m.held[1] || m.held[2])
      continue;
    Vec3 way = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
      const double along = bounds.axis[k].dot(force);
      const double room = bounds.room[i][along >= 0.0 ? k : k + 3];
      way += (along >= 0.0 ? room : -room) * bounds.axis[k];
    }
    for (int k = 0; k < 3; ++k) solution.x[m.first + k] = way[k] / arena.length_unit;
  }
}

}  // namespace repose::pile
