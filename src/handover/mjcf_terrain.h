#pragma once

#include "repose/shape/shape.h"

#include "mjcf_pose.h"

namespace repose::handover {

/// The solid of an <hfield> as MuJoCo's contacts see it: triangles over a grid of heights, walls
/// and a flat base; geom frame, m. `folder` is where its file is looked for.
/// Refused, with its place: heights that are not there or not as many as rows and columns ask.
shape::TriangleMesh mjcf_terrain(const MjcfElement& field, const std::filesystem::path& folder);

}  // namespace repose::handover
