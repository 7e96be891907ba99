#pragma once

#include "repose/solve/sparse_cholesky.h"

#include "arena.h"

namespace repose::pile {

/// Adds `matrix` to the block of the balls i and j, three variables each. Held variables stay out.
inline void add_ball_block(const Arena& arena, int i, int j, const Mat3& matrix,
                           solve::SparseCholesky& cholesky) {
  const auto place = cholesky.block_place(i, j);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < (i == j ? r + 1 : 3); ++c) {
      if (arena.movers[i].held[r] || arena.movers[j].held[c]) continue;
      cholesky.values()[static_cast<std::size_t>(place.at(r, c))] += matrix(r, c);
    }
}

/// Adds 1 for every held variable, so that the matrix has an inverse.
inline void hold_balls(const Arena& arena, solve::SparseCholesky& cholesky) {
  for (std::size_t i = 0; i < arena.movers.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      if (!arena.movers[i].held[k]) continue;
      const int v = 3 * static_cast<int>(i) + k;
      cholesky.values()[static_cast<std::size_t>(cholesky.place(v, v))] += 1.0;
    }
}

/// Prepares for matrices in which the balls of each pair meet.
inline void analyze_balls(const Arena& arena, std::span<const std::pair<int, int>> pairs,
                          solve::SparseCholesky& cholesky) {
  const int count = static_cast<int>(arena.movers.size());
  std::vector<int> block_start;
  for (int i = 0; i <= count; ++i) block_start.push_back(3 * i);
  cholesky.analyze(solve::graph_from_pairs(count, pairs), block_start);
}

}  // namespace repose::pile
