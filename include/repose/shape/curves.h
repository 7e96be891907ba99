#pragma once

#include <vector>

#include "repose/base/result.h"
#include "repose/math/pose.h"
#include "repose/shape/curve.h"
#include "repose/shape/patch.h"

namespace repose::shape {

/// From a to b over [0, 1].
CurvePtr segment_curve(const Vec3& a, const Vec3& b);

/// center + cos(t) radius_x + sin(t) radius_y over [t0, t1] radians: a circle where the two radii
/// are square to each other and alike, else an ellipse. Closed where t1 - t0 is a full turn.
CurvePtr arc_curve(const Vec3& center, const Vec3& radius_x, const Vec3& radius_y, double t0,
                   double t1);
/// The whole circle about z at height z, t in [-pi, pi] as on the patches turned about z.
CurvePtr circle_curve(double radius, double z);

/// The C2 cubic spline through the points over [0, 1]. Closed: joined smoothly to the first point,
/// which is not repeated.
Result<CurvePtr> spline_curve(const std::vector<Vec3>& points, bool closed = false);

/// A parameter line of a patch: t is the free parameter, over the patch's domain.
enum class PatchLine { u_fixed, v_fixed };
CurvePtr patch_line(PatchPtr patch, PatchLine line, double at);

/// The curve moved by a pose.
CurvePtr placed(CurvePtr curve, const Pose& pose);

}  // namespace repose::shape
