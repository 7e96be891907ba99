#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "repose/base/shared_array.h"
#include "repose/math/pose.h"
#include "repose/world/material.h"

namespace repose {

/// Where the points of a soft body are: the balls of a sphere set; the phyxels, then the surfels of
/// a point set. All empty where the body is rigid.
struct SoftState {
  SharedArray<Vec3> positions;   // world, m
  SharedArray<Vec3> velocities;  // m/s; parallel to positions
  SharedArray<double> radii;     // m; parallel to positions; 0 of a phyxel
  /// What else a method keeps of every point (rest lengths, plastic strain): the same count of
  /// numbers for each point, one point after the other. Its size is a multiple of that of
  /// positions.
  SharedArray<double> data;

  std::size_t size() const { return positions.size(); }
  bool empty() const { return positions.empty(); }
  friend bool operator==(const SoftState&, const SoftState&) = default;
};

/// What a soft body is made of: all that stays while its points move. The rest shape is the body's
/// shape. Points are those of SoftState, in its order.
struct SoftBody {
  std::vector<double> masses;             // kg; 0 of a surfel
  std::vector<std::uint8_t> fixed;        // 1: this point never moves
  std::vector<std::array<int, 2>> links;  // pairs of points that hold each other, the lesser first
  std::vector<Material> materials;        // of points; the first is the body's own
  std::vector<int> material_of;           // index into materials; empty: all of the body's own
  double pitch = 0.0;                     // m, of the lattice they stand on at rest; 0: none
  std::vector<std::array<int, 3>> lattice;  // their places on it, in pitches; empty: no lattice

  std::size_t size() const { return masses.size(); }
  const Material& material(std::size_t point) const {
    return materials[material_of.empty() ? 0 : static_cast<std::size_t>(material_of[point])];
  }
};

}  // namespace repose
