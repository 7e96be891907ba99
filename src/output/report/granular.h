#pragma once

#include "repose/report/report.h"

namespace repose::report {

/// Figures and charts of the last frame of a pile.
Result<Done> add_granular(const Recording& recording, Replay& replay);

}  // namespace repose::report
