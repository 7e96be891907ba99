#pragma once

#include "reading.h"

namespace repose::handover {

/// The file that a URI of URDF or SDF names: package://NAME/..., model://NAME/..., file://PATH, or
/// a path beside the document. A package or model is looked for among the folders that hold the
/// document, beside them, in `models` beside them, and along the variables that ROS and Gazebo use.
/// What lies on another machine is refused.
std::filesystem::path find_file(const Word& uri);

/// ".obj" of "Cup.OBJ".
std::string ending_of(const std::filesystem::path& path);

/// Turns about fixed axes one after the other, the first first; degrees. `axes` as "XYZ" or "Z".
Quat rotation_about(const std::string& axes, const std::vector<double>& degrees);
/// The same back for three different axes: the product of the turns is the rotation to the last
/// digits, whatever the second is.
Vec3 degrees_about(const std::string& axes, const Quat& rotation);
/// A rotation from roll, pitch and yaw about the fixed axes x, y, z; rad.
Quat rotation_from_rpy(const Vec3& rpy);
/// The same back; the product of the three turns is the rotation to the last digits, whatever the
/// pitch.
Vec3 rpy_from_rotation(const Quat& rotation);

}  // namespace repose::handover
