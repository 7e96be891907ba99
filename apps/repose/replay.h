#pragma once

#include <filesystem>
#include <string>

#include "repose/scene/scene.h"

/// What was done by hand in the studio, as a scene whose events do it again. `saved`: the folder of
/// the recording, or the file. The error names the option.
repose::Result<repose::Scene> replayed_scene(const std::filesystem::path& saved);

struct ReplayEnd {
  bool same = false;
  std::string words;  // one sentence
};
/// How the last state of the run in `again` compares with that of the recording.
repose::Result<ReplayEnd> compare_ends(const std::filesystem::path& saved,
                                       const std::filesystem::path& again);
