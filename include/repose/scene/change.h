#pragma once

#include <string>
#include <vector>

#include "repose/scene/scene.h"

namespace repose {

/// open_scene with changes to what its file says, each as POINTER=VALUE: a JSON pointer to a value
/// that is there (or to a new member of an object) and the JSON that shall stand there, as in
/// /bodies/1/position=[0,0,1]. Errors of the changed text name pointers, no lines.
Result<Scene> open_changed_scene(const std::string& path_or_name,
                                 const std::vector<std::string>& changes,
                                 const Catalogue& catalogue);

}  // namespace repose
