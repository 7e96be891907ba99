#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "repose/scene/shape_spec.h"

namespace repose {

/// counts[0] x counts[1] x counts[2] places, the first at `origin`. With a container, those places
/// whose bounding ball lies in its hollow and clear of every fixed body.
struct GridArrangement {
  std::array<int, 3> counts{1, 1, 1};
  Vec3 spacing = Vec3::Zero();         // m, from centre to centre along x, y, z
  Vec3 origin = Vec3::Zero();          // m
  Vec3 stagger = Vec3::Zero();         // m, added to every second layer (a wall's bond)
  double jitter = 0.0;                 // m, the largest random shift along each axis
  std::optional<std::int64_t> seed;    // of the shifts; absent: the scene's
  std::vector<std::string> container;  // names of fixed bodies
};
/// `count` bodies from `from` to `to`, ends included.
struct LineArrangement {
  int count = 2;
  Vec3 from = Vec3::Zero(), to = Vec3::UnitX();
};
/// `count` bodies on a circle about the vertical through `center`.
struct RingArrangement {
  int count = 3;
  Vec3 center = Vec3::Zero();
  double radius = 1.0;     // m
  double start_deg = 0.0;  // of the first body, from x towards y
  bool turn = true;        // bodies turn with the circle
};

/// Radii drawn evenly between two.
struct UniformSizes {
  double low = 0.0, high = 0.0;  // m
};
/// Radii whose logarithms are normal; draws outside of [low, high] are drawn again.
struct LogNormalSizes {
  double median = 0.0;           // m
  double deviation = 0.0;        // of the natural logarithm
  double low = 0.0, high = 0.0;  // m
};
/// A few radii, each with its share of the number of bodies (any positive numbers).
struct ListedSizes {
  std::vector<double> radii;  // m
  std::vector<double> shares;
};
using Sizes = std::variant<UniformSizes, LogNormalSizes, ListedSizes>;

/// What arrangements at random share. Either a number of bodies or the packing fraction that they
/// shall come nearest to is given.
struct DrawnBodies {
  std::optional<int> count;
  std::optional<double> packing;     // volume of the bodies over that of the box or container
  std::optional<std::int64_t> seed;  // absent: the scene's
  double clearance = 0.0;      // m, kept between bounding balls, and from them to fixed bodies
  bool turn = true;            // random rotations too
  std::optional<Sizes> sizes;  // balls only
  int tries = 2000;            // places tried for each body before giving up
};
/// Bodies at random places of a box whose bounding balls do not overlap one another, nor those of
/// the movable bodies before them, nor fixed bodies.
struct ScatterArrangement : DrawnBodies {
  Vec3 low = Vec3::Zero(), high = Vec3::Ones();  // m; corners of the box that holds the balls
};
/// The same in the hollow of a container from its bottom up and, where that is full, above its
/// opening.
struct PourArrangement : DrawnBodies {
  std::vector<std::string> container;  // names of fixed bodies
};
struct ListArrangement {
  std::vector<Placement> places;
};
using Arrangement = std::variant<GridArrangement, LineArrangement, RingArrangement,
                                 ScatterArrangement, PourArrangement, ListArrangement>;

}  // namespace repose
