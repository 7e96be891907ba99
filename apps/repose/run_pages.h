#pragma once

#include <filesystem>

#include "repose/report/report.h"
#include "repose/scene/scene.h"

/// The page's first view, where the scene says it.
repose::report::ReportSettings page_settings(const repose::Scene& scene);

/// Writes report.html and still.png beside the finished recording of `folder`. `known` are the rows
/// of the method's settings table.
repose::Result<repose::Done> write_pages(const std::filesystem::path& folder,
                                         const repose::Scene& scene,
                                         const std::vector<repose::SettingInfo>& known);
