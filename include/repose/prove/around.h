#pragma once

#include <span>

#include "repose/math/interval.h"
#include "repose/math/pose.h"
#include "repose/prove/answer.h"

namespace repose::prove {

/// All of a body lies within `radius` of some point of the box `center`; world frame, metres.
/// Bodies whose surroundings are apart need no closer look: what is left out of a judgement is left
/// out by this alone.
struct Around {
  IVec3 center;
  double radius = 0.0;

  /// The least and largest coordinate of any point of the body.
  double low(int axis) const;
  double high(int axis) const;
  /// Larger by a share of its radius.
  Around grown(double share) const;
  /// Seen along z: bodies of the plane meet whatever their heights.
  Around flat() const;
};

/// A body that lies within `radius` of a point of its own frame.
Around around(const Pose& world_from_body, const Vec3& center_body, double radius);
/// Balls where they are in the world; radii beyond those given are 0.
Around around(std::span<const Vec3> centers, std::span<const double> radii);

/// No more than the distance of any two points, one of each; negative where that is not known to be
/// positive.
double apart(const Around& a, const Around& b);
/// No more than the height of any point above endless ground.
double above_ground(const Around& body, const Pose& world_from_ground);

}  // namespace repose::prove
