#pragma once

#include "check/statics/wrenches.h"

namespace repose::check {

/// The forces that the input's claims tell, each given to the nearest contact of its pair; of no
/// length where nothing is claimed. Claims that are no numbers or name no pair are passed over.
Wrenches::Forces claimed_forces(const Input& input, const std::vector<ContactPoint>& contacts,
                                const Wrenches& wrenches);

}  // namespace repose::check
