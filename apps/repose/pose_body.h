#pragma once

#include <string>

#include "repose/base/result.h"
#include "repose/world/body.h"

/// The body that an argument names: a mesh file, a model of the gallery or a model file, or
/// SCENE#BODY. Models and meshes are of the default material, meshes closed.
repose::Result<repose::Body> find_pose_body(const std::string& text);
