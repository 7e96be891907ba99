#pragma once

#include <filesystem>

#include "repose/scene/scene.h"

/// Writes report.html and still.png beside the finished recording of `folder`. `known` are the rows
/// of the method's settings table.
repose::Result<repose::Done> write_pages(const std::filesystem::path& folder,
                                         const repose::Scene& scene,
                                         const std::vector<repose::SettingInfo>& known);
