#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repose/base/result.h"

/// What `repose render` is asked for.
struct RenderOptions {
  std::filesystem::path what;  // the folder of a run, or its recording.repose
  std::filesystem::path out;
  std::string frame = "last";
  std::string size = "1280x800";
  std::string view;  // "azimuth,elevation" in degrees; empty: the default
  int samples = 12;
  int frames_per_second = 30;
  bool contacts = false, forces = false, quiet = false;
  std::vector<std::string> highlight;
};

/// Draws one picture, or a film of all frames where the name ends so.
repose::Result<repose::Done> render_recording(const RenderOptions& options);
