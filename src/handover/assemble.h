#pragma once

#include "model.h"

namespace repose::handover {

/// The model as a scene; fills Origin::moving. Throws Refused.
Handed assemble(std::shared_ptr<Origin> origin, const Catalogue& catalogue);

}  // namespace repose::handover
