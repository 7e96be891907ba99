#pragma once

#include <string>
#include <vector>

#include "repose/check/balance.h"

namespace repose::check {

/// stable: balanced, and no small motion loses energy up to second order (neutral ones, such as a
/// ball rolling on level ground, are allowed). metastable: balanced, but a small push lets it lose
/// energy (a ball on a ball). unstable: not balanced, it moves at once.
enum class StabilityClass { stable, metastable, unstable, undecided };
const char* to_text(StabilityClass c);

/// A small rigid motion: velocity of the body's centre of mass and angular velocity, world axes,
/// scaled so that the fastest surface point moves at unit speed.
struct Screw {
  int body = -1;  // moves first; -1: none
  Vec3 velocity = Vec3::Zero();
  Vec3 angular = Vec3::Zero();
  double power = 0.0;  // of the loads along the motion, W per unit speed; positive: energy is lost
};

struct Margins {
  double tilt = -1.0;      // rad; least tilt of gravity that unbalances; negative: not computed
  double friction = -1.0;  // least coefficient that holds everything; negative: none does, see open
  double load = -1.0;      // factor on outside loads before balance is lost; negative: not computed
  Screw first_if_tilted;   // what moves when the tilt is a little more than it bears
  std::string open;        // why some are bounds only or not computed; empty: all are closed
};

struct Stability {
  StabilityClass kind = StabilityClass::undecided;
  Margins margins;
  Screw witness;
  std::string why;  // one sentence
};

struct StabilitySettings {
  bool margins = true;         // seek the margins as well
  int tilt_directions = 8;     // [4, 360]
  double margin_width = 1e-3;  // relative; bisection ends there
  /// Work spent on margins at most: unknown forces times steps of the solver, summed over all that
  /// is asked; 5 to 50 ns each. [1, 1e12]. Larger: margins of larger piles, later.
  double margin_work = 2e7;
  int second_order_bodies = 60;  // the second-order test is made up to this many movable bodies
  /// Curvature of the energy, over what presses and pulls on a body / its size, below which a
  /// motion counts as neutral. (0, 1e-1]
  double neutral = 1e-5;
};

Stability stability(const Input& input, const std::vector<ContactPoint>& contacts,
                    const Balance& balance, const StabilitySettings& settings = {});
/// The same where forces without friction are known as well: what they hold in a valley of the
/// energy friction does not let go.
Stability stability(const Input& input, const std::vector<ContactPoint>& contacts,
                    const Balance& balance, const Balance& frictionless,
                    const StabilitySettings& settings);

}  // namespace repose::check
