#pragma once

#include <map>
#include <string>

#include "repose/scene/scene.h"

namespace repose::serve {

/// The opened scene as it stands now: every body by itself, where it is, as fast as it goes. What
/// came in by hand is described in `added`, by name. Events are left out: they have happened or
/// count from a start that is gone. Refused where soft bodies have moved: a text does not hold
/// their points.
Result<Scene> present_scene(const Scene& opened, const Problem& problem, const State& state,
                            const std::map<std::string, SceneBody>& added);

}  // namespace repose::serve
