#pragma once

#include <array>
#include <vector>

#include "repose/math/vec.h"

namespace repose::shape {

/// The eight points of a whole cell: point k is a pitch further along x, y and z than point 0 for
/// each of the bits 0, 1 and 2 of k.
using LatticeCell = std::array<int, 8>;

/// All cells whose eight corners are among the places (in pitches), in the order of their low
/// corners.
std::vector<LatticeCell> whole_cells(const std::vector<std::array<int, 3>>& places);

/// m^3; of a cell whose corners may have been moved. Its faces need not be plane: the mean of both
/// ways to cut them in triangles.
double cell_volume(const LatticeCell& cell, const std::vector<Vec3>& points);

}  // namespace repose::shape
