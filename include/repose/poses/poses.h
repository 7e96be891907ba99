#pragma once

#include <vector>

#include "repose/base/result.h"
#include "repose/math/pose.h"
#include "repose/shape/shape.h"

namespace repose::poses {

/// What of a body touches the plane: the corners of its support polygon.
enum class SupportKind { point, edge, area };
const char* to_text(SupportKind kind);

/// Along which directions the body may turn without change of height.
enum class Rolling { none, about_axis, anywhere };
const char* to_text(Rolling rolling);

/// A body at rest on a plane. h(u) is the height of its centre of mass when the unit direction u of
/// the body points straight down: the largest u.(x - c) over the body's points x. Stable poses are
/// the minima of h on the sphere of directions.
struct RestingPose {
  Vec3 down_body = -Vec3::UnitZ();      // u, unit, body frame
  Quat orientation = Quat::Identity();  // world_from_body; the plane's normal is +z
  double height = 0.0;                  // m, h(u)
  double height_error = 0.0;            // m; h(u) is within this of `height`
  SupportKind contact = SupportKind::point;
  std::vector<Vec3> support_body;  // corners, m; counter-clockwise seen from above
  double support_area = 0.0;       // m^2
  /// The part of all directions from which the body, turning without inertia so that its centre
  /// sinks as fast as it can (steepest descent of h), comes into this pose.
  double share = 0.0;
  double share_error = 0.0;  // estimated; 0 where the body is a polyhedron
  /// How far the centre must rise before the body can come to rest in another pose, m; infinite
  /// where there is no other.
  double barrier = 0.0;
  /// The least tilt of the plane at which the centre is no more above the support, rad. 0 on a
  /// point: the body gives way at once, though it comes back.
  double tilt = 0.0;
  Rolling rolling = Rolling::none;
  Vec3 rolling_axis_body = Vec3::Zero();  // unit where it rolls about an axis
};

struct Poses {
  std::vector<RestingPose> poses;  // largest share first
  bool exact = false;              // a polyhedron: the list is complete
  /// Two poses between which the centre need not rise by more than this count as one, m.
  double resolution = 0.0;
};

struct PoseSettings {
  /// Poses parted by a smaller rise of the centre are one. Fraction of the body's size; [0, 1e-1].
  /// Covers coordinates rounded to single precision.
  double least_barrier = 1e-7;
  /// Curved bodies are searched on a polyhedron this near to them. Fraction of the bounding radius;
  /// [1e-5, 1e-1]. Smaller: shallower poses are told apart, slower.
  double chord = 3e-4;
};

/// Every stable pose of the body on a plane, its centre of mass being `center_body`. Polyhedra by
/// their exact convex hull. Curved bodies by that of a tessellation whose distance from the body is
/// proven: each pose listed holds at least one true one, and two whose barrier exceeds twice the
/// resolution are listed apart; heights are then refined on the surface itself. The error says
/// which bodies have no poses (endless ground, bodies of the plane, point sets) or that the centre
/// lies outside the hull.
Result<Poses> resting_poses(const shape::ShapePtr& shape, const Vec3& center_body,
                            const PoseSettings& settings = {});

}  // namespace repose::poses
