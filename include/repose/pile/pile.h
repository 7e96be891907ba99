#pragma once

#include "repose/pile/settings.h"
#include "repose/world/method.h"

namespace repose::pile {

/// Position-based physics by linear programming (Milenkovic 1996): every step moves all bodies at
/// once to the least potential energy within half-spaces that keep each pair apart.
MethodInfo method_info();

}  // namespace repose::pile
