#pragma once

#include "model.h"

namespace repose::handover {

/// Reads a document of URDF into the model. Throws Refused.
void read_urdf(const At& root, Model& model, const OpenOptions& options);

}  // namespace repose::handover
