// measure_a_gap: how far a torus hangs above a ball, with every rounding bounded.
#include <cmath>
#include <cstdio>

#include "repose/check/gap.h"
#include "repose/shape/make.h"

int main() {
  using namespace repose;
  const auto ball = shape::make_ball({.radius = 0.1});
  const auto torus = shape::make_torus({.ring_radius = 0.2, .tube_radius = 0.05});
  if (!ball || !torus) return 2;

  check::PlacedBody below, above;
  below.shape = *ball;
  above.shape = *torus;
  above.world_from_body.position = Vec3(0.0, 0.0, 0.15);

  const check::GapBracket gap = check::gap(below, above);
  std::printf("the gap lies between %.15f and %.15f m\n", gap.lower, gap.upper);
  // the tube's circle is hypot(0.2, 0.15) = 0.25 m away from the ball's centre
  const double right = 0.25 - 0.1 - 0.05;
  return gap.lower <= right && right <= gap.upper ? 0 : 1;
}
