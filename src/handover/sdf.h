#pragma once

#include "model.h"

namespace repose::handover {

/// Reads a document of SDF into the model. Throws Refused.
void read_sdf(const At& root, Model& model, const OpenOptions& options);

}  // namespace repose::handover
