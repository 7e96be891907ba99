#pragma once

#include "repose/handover/handover.h"

namespace repose::handover {

/// True of .obj, .stl and .ply.
bool is_mesh_file(const std::string& path);

/// What is assumed of a file that says neither unit nor axes.
std::string told_unit(const std::string& path, const OpenOptions& options);

/// A mesh as a scene of its own: one body as the file has it, just above a floor; its unit and axes
/// are those of the options.
Result<Scene> mesh_scene(const std::string& path, const Catalogue& catalogue,
                         const OpenOptions& options);

}  // namespace repose::handover
