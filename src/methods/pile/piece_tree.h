#pragma once

#include <array>
#include <vector>

#include "convex.h"

namespace repose::pile {

/// Balls about ever larger groups of a body's pieces. A ball stands for its pieces where nothing is
/// near it.
struct PieceTree {
  /// Two pieces or balls, by their index; of a piece -1.
  std::vector<std::array<int, 2>> children;
  int root = -1;  // -1: few pieces, and no tree

  bool is_ball(int piece) const { return children[static_cast<std::size_t>(piece)][0] >= 0; }
};

/// Adds the balls behind the pieces; few pieces get none.
PieceTree grow_tree(std::vector<Convex>& pieces);

}  // namespace repose::pile
