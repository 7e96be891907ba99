#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "repose/shape/shape.h"

namespace repose::shape {

/// Corners above which greedy_triangles() would take too long: it compares all pairs of corners.
inline constexpr std::size_t kMostGreedyCorners = 400;

/// Cuts a simple polygon with holes into triangles, the shortest lines within it first, by exact
/// signs: corners in one line and holes in rows do not mislead it. Corner numbers count through the
/// outer loop, then the holes in order. Counter-clockwise. None where the loops touch or cross.
/// `good`: lines between two corners that come before all others, however long.
std::optional<std::vector<std::array<int, 3>>> greedy_triangles(
    const Polygon& polygon, const std::function<bool(int, int)>& good = {});

}  // namespace repose::shape
