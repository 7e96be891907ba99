#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repose/handover/settle.h"

namespace bench_handover {

/// Whose file a table is written as.
enum class Form { mjcf, urdf };

/// A table with mixed bodies above it. MJCF, for MuJoCo with its stiffest contacts: balls, boxes,
/// cans, capsules, ellipsoids and meshes in turn. URDF, which has no ellipsoids: the same with eggs
/// of facets instead; its meshes are written into the folder.
std::string table_text(Form form, std::uint64_t seed, int bodies,
                       const std::filesystem::path& folder);

/// One table on its way.
struct Table {
  std::uint64_t seed = 0;
  repose::handover::Handed start;  // as the text says
  repose::handover::Settled rest;  // settled
  std::string overlapping;         // the same with every body lowered by 1 % of its size
};
repose::Result<Table> make_table(Form form, std::uint64_t seed, int bodies,
                                 const std::filesystem::path& folder);

/// Farthest way of a body over its size, stepped by Bullet from a URDF file for so many seconds;
/// negative: the engine is not there.
double bullet_way(const std::filesystem::path& urdf, double seconds);

}  // namespace bench_handover
