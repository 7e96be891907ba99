#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "repose/base/settings.h"
#include "repose/base/whole_file.h"
#include "repose/record/recording.h"
#include "repose/report/replay.h"

namespace repose::report {

struct ReportSettings {
  /// Most poses (bodies times frames) on the page, beyond which frames are left out evenly; the
  /// last always stays. [1000, 1e8]. Larger: bigger pages (about 15 bytes each).
  double max_poses = 1e6;
  /// Most contacts on the page, beyond which only some frames keep theirs. [0, 1e8].
  double max_contacts = 1.5e5;
  /// The page looks every second whether the file kStampFile beside it tells of a newer page, and
  /// loads itself anew.
  bool watches = false;
  std::vector<Tie> ties = {};             // joints and springs to draw
  std::optional<PageCamera> camera = {};  // absent: so that all bodies are in view
};

/// A script that a page which watches reads: it tells when the page beside it was written.
inline constexpr const char* kStampFile = "report-stamp.js";

/// What a recording shows. Verdict and facts come from the recorded result.json.
/// `known` are the rows of the method's settings table: units, meanings and what was changed.
Result<Replay> replay_of(const Recording& recording, const std::vector<SettingInfo>& known = {},
                         const ReportSettings& settings = {});

/// How a series that a method tells is plotted: in which plot, under which name, in which unit.
/// "energy.kinetic" and "energy.potential" share a plot, as do the forces of all `bodies` (names).
PlotSeries worded_series(const std::string& name, const std::set<std::string>& bodies);

/// Writes report.html for a recording. The file appears whole or not at all.
Result<Done> write_report(const Recording& recording, const std::filesystem::path& path,
                          const std::vector<SettingInfo>& known = {},
                          const ReportSettings& settings = {});

/// Writes a page's text. The file appears whole or not at all; an error names path and reason.
inline Result<Done> write_page(const std::string& html, const std::filesystem::path& path) {
  return write_whole(path, html);
}

/// The verdict of a result.json text: its status, promises and exit code. An unreadable text gives
/// a verdict that says so.
ShownVerdict verdict_of(const std::string& result_json);

}  // namespace repose::report
