#pragma once

#include <string>
#include <vector>

#include "repose/base/result.h"
#include "repose/math/pose.h"

struct NamedPose {
  std::string body;
  repose::Pose pose;  // world_from_body
};

/// Poses made by anyone for the bodies of a scene.
struct PosesFile {
  std::string file;
  std::string scene;  // path or gallery name; may be empty
  std::vector<NamedPose> poses;
};

/// A .csv, or JSON with a member "poses".
bool is_poses_file(const std::string& path);

/// Errors name line and field: unknown members, wrong counts, numbers that are not finite,
/// orientations without length. Orientations are normalised.
repose::Result<PosesFile> read_poses(const std::string& path);
