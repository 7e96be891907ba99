#pragma once

#include "bench/sheet/sheet.h"

/// A body of a million surfels and 40 000 phyxels falls on a plane: time of sampling, of preparing
/// and of each frame, and the memory of the process. Answers an exit code.
int measure_million(repose::bench::Sheet& sheet);
