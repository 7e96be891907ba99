#pragma once

namespace repose::mechanism {

/// Table 1: pairs of moving boxes.
void bench_broad_phase();

}  // namespace repose::mechanism
