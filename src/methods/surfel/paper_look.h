#pragma once

#include "arena.h"
#include "padded.h"
#include "paper_held.h"

namespace repose::surfel {

/// A ball's surfel: where it is and where it looks, with phyxels at x. Not `known` where what
/// carries it is flat.
struct CarriedSurfel {
  bool known = false;
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitZ();
};
CarriedSurfel surfel_of(const Arena& arena, const std::vector<Vec4>& x, int ball);

/// m/s; bodies, and bodies and solids, come no faster nearer to each other where they are near: as
/// their phyxels go in the boxes that they share.
double fastest_approach(const Arena& arena, const Motion& motion);
/// m/s; the same of phyxels of one body.
double fastest_within(const Arena& arena, const Motion& motion);

/// Looks at all bodies: colliding surfels, contact surfaces, where their forces go (sections 5 to 7
/// of Keiser 2004).
HeldContacts look_for_contacts(const Arena& arena, const SurfelSettings& settings,
                               const Motion& motion);
/// Phyxels of one body that come near and were no neighbours (section 8).
HeldSelves look_for_selves(const Arena& arena, const SurfelSettings& settings,
                           const Motion& motion);

}  // namespace repose::surfel
