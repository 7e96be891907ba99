#pragma once

#include "repose/prove/answer.h"

#include "check/verdict/skin_mesh.h"

namespace repose::check {

/// Two skins on their ways: missed where two triangles are shown to pass through each other. Adds
/// the pairs of triangles for which a plane was sought.
prove::Answer apart_on_way(const SkinMesh& a, const SkinMesh& b, long& compared);

}  // namespace repose::check
