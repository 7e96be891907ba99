#pragma once

#include <optional>
#include <vector>

#include "repose/collide/nearest.h"

#include "arena.h"

namespace repose::surfel {

/// The neighbours of every phyxel of one body: its nearest, at least `count` of them and all that
/// are as near as the last. `pull` and `dash` hold the kernel's weight over the sum of weight *
/// |way|^2, to be multiplied by a modulus and a volume. Nothing where a neighbourhood is flat:
/// `flat` then holds its phyxel.
std::optional<std::vector<std::vector<Neighbour>>> fit_neighbours(const std::vector<Vec3>& rest,
                                                                  int count, int& flat);

/// Linearly complete weights of the nearest phyxels for a point: their sum is 1, and weighted
/// places sum up to the point. The place of a phyxel is carried by it alone. Empty where the
/// phyxels are flat.
std::vector<Carrier> fit_carriers(const std::vector<Vec3>& rest, const collide::NearestPoints& grid,
                                  const Vec3& point);

/// Weights of either sign are not so large that they carry badly.
bool carries_well(const std::vector<Carrier>& carriers);

}  // namespace repose::surfel
