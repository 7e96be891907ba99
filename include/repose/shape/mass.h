#pragma once

#include "repose/math/pose.h"

namespace repose::shape {

/// Of a solid of density 1 kg/m^3, body frame: volume doubles as mass.
struct VolumeProperties {
  double volume = 0.0;          // m^3
  double area = 0.0;            // m^2, of the whole outer surface
  Vec3 center = Vec3::Zero();   // m, centre of mass
  Mat3 inertia = Mat3::Zero();  // m^5, about `center`, axes of the body frame
  double error = 0.0;           // relative, estimated; 0 where the formula is closed
};

}  // namespace repose::shape
