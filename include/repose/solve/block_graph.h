#pragma once

#include <span>
#include <vector>

namespace repose::solve {

/// Which blocks of variables appear together in a row: an undirected graph without loops, as
/// adjacency lists (compressed, each list ascending).
struct BlockGraph {
  std::vector<int> start{0}, neighbor;

  int blocks() const { return static_cast<int>(start.size()) - 1; }
  std::span<const int> neighbors(int block) const {
    return {neighbor.data() + start[block], neighbor.data() + start[block + 1]};
  }
  friend bool operator==(const BlockGraph&, const BlockGraph&) = default;
};

/// The graph of the given pairs; pairs may repeat and come in either direction.
BlockGraph graph_from_pairs(int blocks, std::span<const std::pair<int, int>> pairs);

/// A nested-dissection order with little fill: order[i] is the block to eliminate as i-th. The same
/// graph and weights always give the same order.
std::vector<int> fill_reducing_order(const BlockGraph& graph, std::span<const int> weights);

}  // namespace repose::solve
