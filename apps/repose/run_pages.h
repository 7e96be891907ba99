#pragma once

#include <filesystem>

#include "repose/scene/scene.h"

/// Writes report.html and still.png beside the finished recording of `folder`.
repose::Result<repose::Done> write_pages(const std::filesystem::path& folder,
                                         const repose::Scene& scene);
