#pragma once

#include <optional>

#include "rest.h"

namespace repose::place {

/// A long step along a bent valley (a nearly round body rolls on) leaves it. Of the motions that go
/// as far, one whose straight way keeps to the valley: at its middle and at its end the bodies lie
/// across the valley where the energy is least. Where a motion changes nothing by itself (a spin
/// about the upright), it is what makes such a way. None where the proposal keeps to it already.
std::optional<Proposal> along_valley(const Standing& here, const Proposal& proposal,
                                     const Memory& memory);

/// Contacts that a step has only met at its end send it on: the same step with corrections across
/// the valley that they make there, while they lower the energy.
Restored down_at_end(const Standing& here, const Proposal& proposal, Restored there,
                     const Memory& memory);

}  // namespace repose::place
