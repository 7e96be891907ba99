#pragma once

#include "graph.h"

namespace repose::handover {

/// A scene of glTF 2.0, text or binary. Throws Refused.
void read_gltf(std::string bytes, const std::string& file, Model& model,
               const OpenOptions& options);

}  // namespace repose::handover
