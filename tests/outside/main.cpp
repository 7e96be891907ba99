// Somebody else's program: moves a point with the installed library and hashes a state.
#include <cstdio>

#include "repose/base/version.h"
#include "repose/math/pose.h"
#include "repose/world/state.h"

int main() {
  const repose::Pose quarter_turn{repose::Vec3(0, 0, 1),
                                  repose::rotation_from_vector({0, 0, 1.5707963267948966})};
  const repose::Vec3 moved = quarter_turn * repose::Vec3(1, 0, 0);
  repose::State state;
  state.bodies.resize(1);
  std::printf("repose %s: (%.3f, %.3f, %.3f), state %s\n", repose::kVersion, moved.x(), moved.y(),
              moved.z(), repose::state_hash(state).c_str());
  return (moved - repose::Vec3(0, 1, 1)).norm() < 1e-12 && repose::all_finite(state) ? 0 : 1;
}
