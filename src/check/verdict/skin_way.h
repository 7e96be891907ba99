#pragma once

#include "repose/prove/answer.h"

#include "check/verdict/skin_mesh.h"

namespace repose::check {

/// Two skins on their ways; proven or undecided. Adds the pairs of triangles for which a plane was
/// sought.
prove::Answer apart_on_way(const SkinMesh& a, const SkinMesh& b, long& compared);

}  // namespace repose::check
