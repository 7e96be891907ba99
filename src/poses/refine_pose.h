#pragma once

#include "repose/poses/poses.h"

#include "farthest_points.h"
#include "normal_fan.h"

namespace repose::poses {

/// The vertex that is farthest along u.
int cell_of(const NormalFan& fan, const Vec3& u);

/// The support polygon of points in the plane below the centre, which is the origin: those within
/// `within` of pose.height along pose.down_body. Fills contact, support and tilt.
void set_support(const std::vector<Vec3>& points, double within, double size, RestingPose& pose);

/// Moves a pose found on the polyhedron to the minimum of the body's own height: the polyhedron is
/// given farthest points around the direction, nearer ever to it, and its pose taken anew. Fills
/// height, error, direction, support and tilt.
void refine_pose(const shape::ShapePtr& shape, const FarthestPoints& body, const NormalFan& fan,
                 const Vec3& center, RestingPose& pose);

}  // namespace repose::poses
