#pragma once

#include "bench/sheet/sheet.h"

namespace repose {

/// Four bodies whose rest is known without us, set down by Repose and by Bullet in three settings.
void tell_beside_bullet(bench::Sheet& sheet);

}  // namespace repose
