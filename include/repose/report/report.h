#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "repose/base/settings.h"
#include "repose/record/recording.h"
#include "repose/report/replay.h"

namespace repose::report {

struct ReportSettings {
  /// Most poses (bodies times frames) on the page, beyond which frames are left out evenly; the
  /// last always stays. [1000, 1e8]. Larger: bigger pages (about 15 bytes each).
  double max_poses = 1e6;
  /// Most contacts on the page, beyond which only some frames keep theirs. [0, 1e8].
  double max_contacts = 1.5e5;
  /// An overlap counts as none up to this fraction of the smaller body's size, where the result
  /// states no promises of its own. [0, 1e-2].
  double allowed_overlap_relative = 1e-6;
};

/// What a recording shows. Verdict and facts come from the recorded result.json: its "promises"
/// ([{"name", "promised", "measured", "kept"}]) where given, else its contract fields.
/// `known` are the rows of the method's settings table: units, meanings and what was changed.
Result<Replay> replay_of(const Recording& recording, const std::vector<SettingInfo>& known = {},
                         const ReportSettings& settings = {});

/// Writes report.html for a recording. The file appears whole or not at all.
Result<Done> write_report(const Recording& recording, const std::filesystem::path& path,
                          const std::vector<SettingInfo>& known = {},
                          const ReportSettings& settings = {});

/// Writes a page's text. The file appears whole or not at all; an error names path and reason.
Result<Done> write_page(const std::string& html, const std::filesystem::path& path);

/// The verdict of a result.json text. An unreadable text gives a verdict that says so.
Verdict verdict_of(const std::string& result_json, const ReportSettings& settings = {});

}  // namespace repose::report
