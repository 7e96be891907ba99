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

/// Looks at all bodies: colliding surfels, contact surfaces, where their forces go (sections 5 to 7
/// of Keiser 2004). Contact surfels of the look before go on; null: there is none.
HeldContacts look_for_contacts(const Arena& arena, const SurfelSettings& settings,
                               const Motion& motion, const HeldContacts* before);

}  // namespace repose::surfel
