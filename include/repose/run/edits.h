#pragma once

#include <array>
#include <string>
#include <vector>

#include "repose/math/pose.h"
#include "repose/world/problem.h"

namespace repose {

/// Where the soft points of a body are at rest, in its frame and the order of SoftState; empty
/// where its shape has none.
std::vector<Vec3> rest_points(const Body& body);
/// The point of a body, in its frame and rest shape, that stands at a world point now; of a soft
/// body its nearest soft point.
Vec3 point_held(const Body& body, const BodyState& state, const Vec3& at_world);

/// Edits for Session::apply, by what they do. Names are those of bodies of the session's problem;
/// docs/run.md says what each kind means.

/// Changes a parameter of the method while the run goes on.
Edit set_parameter(const std::string& name, const SettingValue& value);
/// Puts a body somewhere by hand.
Edit reposition(const std::string& body, const Pose& world_from_body);
/// Moves a body a little: `turn` is a rotation vector about its centre of mass, world axes.
Edit nudge(const std::string& body, const Vec3& move, const Vec3& turn = Vec3::Zero());
/// From now on the body moves with the other; detach() takes it back.
Edit attach(const std::string& body, const std::string& other);
Edit detach(const std::string& body, const std::string& other);
/// The body stays with everything it touches.
Edit stick(const std::string& body);
/// A copy appears, moved by `move`.
Edit replicate(const std::string& body, const std::string& copy, const Vec3& move);
/// Holds x, y, z, turn_x, turn_y, turn_z (world axes) where true, lets go of the others.
Edit freeze(const std::string& body, const std::array<bool, 6>& held);
/// With `on` false the body passes through everything until it is switched on again.
Edit let_collide(const std::string& body, bool on);
Edit fix(const std::string& body);
Edit set_free(const std::string& body);
Edit remove(const std::string& name);

}  // namespace repose
