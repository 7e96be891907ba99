#pragma once

#include <span>
#include <vector>

#include "step.h"

namespace repose::pile {

/// How far one mover may go and turn in the next step, and what it did in the last.
struct Trust {
  double way = 0.0;               // m
  double turn = 0.0;              // rad
  double hold = 0.0;              // stiffness that holds it where it is, weights per radius
  Vec3 last_way = Vec3::Zero();   // m
  Vec3 last_turn = Vec3::Zero();  // rad
};

std::vector<Trust> first_trust(const Arena& arena, const PileSettings& settings);

/// After a step of which `share` was taken: who was moved back and forth or blocked is given less
/// room, who went as far as it could more. `shell` (mean radii) is what touching bodies keep free:
/// turns up to about its root are covered by it.
Trust next_trust(const Trust& trust, const Vec3& way, const Vec3& turn, double share,
                 const Mover& mover, double shell, const PileSettings& settings);

/// The same after a step through the interior towards `product` (weights times radii).
Trust next_room(const Trust& trust, const Vec3& way, const Vec3& turn, double share,
                const Mover& mover, double product, const PileSettings& settings);

/// Less room for all, after a step that could not be taken.
void shrink_trust(const Arena& arena, std::span<Trust> trust);

/// Step bounds and the stiffness of each mover as the trust says.
StepBounds bounds_of(const Arena& arena, std::span<const Trust> trust,
                     const PileSettings& settings);
void add_holds(const Arena& arena, std::span<const Trust> trust, solve::LinearProgram& lp);

}  // namespace repose::pile
