#pragma once

#include "bench/sheet/sheet.h"

/// Contact handling of the paper's engine against surfels on the contact surface, and against
/// surfels that meet nothing. Answers an exit code.
int measure_growth(repose::bench::Sheet& sheet);
