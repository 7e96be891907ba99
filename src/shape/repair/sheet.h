#pragma once

#include <array>
#include <vector>

#include "repose/math/vec.h"

namespace repose::shape {

/// One triangle of a mesh cut into smaller ones that have given points as corners and given
/// segments as sides. Seen along the axis in which it is largest; signs are exact, so that every
/// part is turned as the whole is, seen so. What cannot be done is answered with false, and the
/// sheet is of no use then.
class Sheet {
 public:
  using Corners = std::array<int, 3>;

  /// `points` holds all points there are; it must outlive the sheet.
  Sheet(const std::vector<Vec3>& points, const Corners& whole);

  /// A point of the border between two corners that follow each other on it.
  bool split_border(int from, int to, int point);
  bool add_inside(int point);
  /// The segment becomes a side of parts.
  bool add_segment(int from, int to);

  const std::vector<Corners>& parts() const { return parts_; }
  /// Seen as the sheet is: on which side of a b the point c lies.
  int turn(int a, int b, int c) const;

 private:
  Vec2 flat(int point) const;
  /// The part that has the side from a to b, and the corner beyond it; -1: none.
  int part_with(int a, int b, int* beyond) const;
  bool cross(int a, int b, int c, int d) const;
  /// The sides between parts that the segment passes through.
  std::vector<std::array<int, 2>> sides_across(int from, int to) const;
  bool flip(int a, int b);

  const std::vector<Vec3>& points_;
  int axis_ = 0;
  bool mirrored_ = false;
  std::vector<Corners> parts_;
};

}  // namespace repose::shape
