#pragma once

#include <atomic>
#include <filesystem>
#include <functional>

#include "repose/report/report.h"
#include "repose/scene/scene.h"

/// The page's first view, where the scene says it.
repose::report::ReportSettings page_settings(const repose::Scene& scene);

struct PageOrder {
  bool still = true;                             // still.png is drawn
  bool fine_still = false;                       // eight light paths for every pixel of still.png
  const repose::Problem* problem = nullptr;      // whose joints and springs the page draws
  bool watches = false;                          // the page looks for a newer one of its own
  const std::atomic<bool>* interrupt = nullptr;  // still.png is left out when it is set
  std::function<void(double)> progress;          // of drawing, [0, 1]; may be empty
};

/// Writes report.html and still.png beside the finished recording of `folder`. `known` are the rows
/// of the method's settings table.
repose::Result<repose::Done> write_pages(const std::filesystem::path& folder,
                                         const repose::Scene& scene,
                                         const std::vector<repose::SettingInfo>& known,
                                         const PageOrder& order = {});
