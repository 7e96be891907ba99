#pragma once

#include <filesystem>

#include "repose/poses/poses.h"
#include "repose/world/body.h"

/// Draws the poses side by side on the ground, largest share first, row by row from the back left,
/// with dots where they touch it. At most 48 are drawn.
repose::Result<repose::Done> write_pose_sheet(const repose::Body& body,
                                              const repose::poses::Poses& poses,
                                              const std::filesystem::path& path);
