#pragma once

#include "model.h"

namespace repose::handover {

/// Reads a document of MJCF into the model. Throws Refused.
void read_mjcf(const At& root, Model& model, const OpenOptions& options);

}  // namespace repose::handover
