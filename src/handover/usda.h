#pragma once

#include "graph.h"

namespace repose::handover {

/// A scene in the text format of USD (.usda), with what it refers to. Throws Refused.
void read_usd(std::string text, const std::string& file, Model& model, const OpenOptions& options);

}  // namespace repose::handover
