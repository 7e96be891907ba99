#pragma once

#include <filesystem>

#include "repose/base/result.h"
#include "repose/record/recording.h"

namespace repose::exchange {

/// Writes a recording for ParaView: `path` is a .pvd file that lists, in the folder of the same
/// stem beside it, bodies_N.vtp (surfaces in world coordinates, with normals, body number and
/// colour) and contacts_N.vtp (points with normal, force and gap) for every frame.
/// With `skin` soft bodies of balls are the skin over them, made anew for every frame.
Result<Done> write_vtk(const Recording& recording, const std::filesystem::path& path,
                       bool skin = false);

}  // namespace repose::exchange
