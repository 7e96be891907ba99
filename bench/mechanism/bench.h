#pragma once

#include <string>

namespace repose::mechanism {

/// Table 1: pairs of moving boxes.
void bench_broad_phase();
/// Four-bar, feeder and pyramid beside Box2D.
void bench_machines(const std::string& only);

}  // namespace repose::mechanism
