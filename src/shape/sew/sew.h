#pragma once

#include <vector>

#include "repose/base/result.h"
#include "repose/shape/make.h"
#include "repose/shape/solid.h"

namespace repose::shape {

/// Sews patches into closed surfaces, one part for each connected piece: finds which stretches of
/// their sides coincide, makes sharp edges and vertices where the faces meet at an angle, and turns
/// every part's faces outward. Refuses what is open, naming the loose patch sides, and what is
/// one-sided. `size` is the diameter of a ball about all patches; `pointer` names the list of
/// patches. Sides count as one where interval bounds show it all along; of patches whose maker
/// knows that they meet (`known`) three places tell which do.
Result<Solid> sew(const std::vector<PatchPtr>& patches, double size, const SewInput& settings,
                  const std::string& pointer, bool known = false);

/// "u = 0" and the like.
std::string side_text(const UvBox& domain, Side side);

}  // namespace repose::shape
