#pragma once

#include "check/gap/inside.h"
#include "check/verdict/skin_mesh.h"

namespace repose::check {

/// A point against the closed parts of a skin, by the crossings of a ray; exact signs.
Side side_of(const Vec3& p, const SkinMesh& mesh);

}  // namespace repose::check
