#pragma once

namespace repose::mechanism {

/// Table 1: pairs of moving boxes.
void bench_broad_phase();
/// Four-bar, feeder and pyramid beside Box2D.
void bench_machines();

}  // namespace repose::mechanism
