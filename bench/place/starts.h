#pragma once

#include <cstdint>
#include <string>

namespace repose {

/// Which random starts to settle: uniform rotations, lifted clear. Start k of a seed is the same
/// for every scene, so that any number of processes may share the work.
struct StartsOptions {
  std::uint64_t seed = 90001;
  int from = 0, to = 10;       // first start, one past the last
  std::string scenes = "all";  // "experiments", "knots", "all", or one scene's name
  int between = 0;             // states judged between each two of the way
  std::string engine = "default";
};

/// One line of text for each start, columns parted by tabs.
void print_starts(const StartsOptions& options);

/// Reads lines of print_starts, of any number of processes in any order, from standard input and
/// prints a row for each scene, and the rests of the knot's meshes beside each other.
void merge_starts();

}  // namespace repose
