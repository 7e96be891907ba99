#pragma once

#include <unordered_map>

#include "repose/scene/scene.h"

namespace repose {

/// The shape's points move one by one.
bool is_soft(const shape::Shape& shape);

/// What a soft body is made of; sets its mass, centre and inertia as well. Requires: the body's
/// shape, material and `fixed` are set, is_soft. The error's pointer counts from the body.
Result<Done> make_soft(const SceneBody& in,
                       const std::unordered_map<std::string, Material>& materials, Body& out);

/// The points of a soft body at the start: its rest shape at `pose`, moving as a whole.
SoftState soft_start(const Body& body, const Pose& pose, const Vec3& velocity,
                     const Vec3& angular_velocity);

/// The points on which a pull acts. The error's pointer counts from the force.
Result<std::vector<int>> pulled_points(const SceneForce& in, const Body& body);

}  // namespace repose
