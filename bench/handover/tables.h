#pragma once

#include <string>
#include <vector>

#include "repose/handover/settle.h"

namespace bench_handover {

/// A table with mixed bodies above it as MJCF, for MuJoCo with its stiffest contacts: balls, boxes,
/// cans, capsules, ellipsoids and meshes in turn.
std::string table_text(std::uint64_t seed, int bodies);

/// One table on its way.
struct Table {
  std::uint64_t seed = 0;
  repose::handover::Handed start;  // as the text says
  repose::handover::Settled rest;  // settled
  std::string overlapping;         // the same with every body lowered by 1 % of its size
};
repose::Result<Table> make_table(std::uint64_t seed, int bodies);

/// Farthest way of a body over its size, stepped for so many seconds; negative: the engine is not
/// there.
double bullet_way(const repose::handover::Handed& scene, double seconds);

}  // namespace bench_handover
