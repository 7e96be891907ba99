#pragma once

#include <string>

#include "bench/sheet/sheet.h"

namespace repose::mechanism {

/// Table 1: pairs of moving boxes.
void bench_broad_phase(bench::Sheet& sheet);
/// Four-bar, feeder, pyramid, chain and bin beside Box2D; `only` one of them.
void bench_machines(bench::Sheet& sheet, const std::string& only);

}  // namespace repose::mechanism
