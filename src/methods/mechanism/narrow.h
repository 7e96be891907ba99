#pragma once

#include <cstdint>
#include <vector>

#include "bodies.h"

namespace repose::mechanism {

/// How far two convex parts are apart. Of two polygons it is the widest separation by a side's
/// normal, which bounds the distance from below where corner faces corner; negative when they
/// overlap.
struct PartGap {
  double gap = 0.0;             // m
  Vec2 normal = Vec2::UnitX();  // from b to a
  double boundary = 0.0;        // the same, by sides that can be touched only
  Vec2 boundary_normal = Vec2::UnitX();
};
PartGap gap_between(const PlacedPart& a, const PlacedPart& b);

/// Least separation of two parts along a fixed unit direction from b to a.
double separation_along(const PlacedPart& a, const PlacedPart& b, const Vec2& direction);

/// Where a point of one body meets a side or a curve of another. Points are relative to the centre
/// of mass, body axes; the contact's normal leads from `side_body` to `point_body`.
struct Feature {
  int point_body = -1, side_body = -1;
  Vec2 point = Vec2::Zero();
  double point_radius = 0.0;  // of a disc, m
  bool curved = false;        // the other is a disc or a corner met by a disc, else a side
  Vec2 base = Vec2::Zero();   // on the side, or the curve's centre
  Vec2 side_normal = Vec2::Zero();
  double base_radius = 0.0;
  std::uint64_t key = 0;  // the same features have the same key from step to step
};

/// The contacts of two parts nearer than `touch`: at most two of polygons, one of discs. `forced`:
/// one even where none is that near.
void find_features(int body_a, int part_a, const PlacedPart& a, int body_b, int part_b,
                   const PlacedPart& b, double touch, bool forced, std::vector<Feature>& out);

}  // namespace repose::mechanism
