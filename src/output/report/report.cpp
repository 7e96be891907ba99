#include "repose/report/report.h"

#include "repose/base/whole_file.h"

namespace repose::report {

Result<Done> write_report(const Recording& recording, const std::filesystem::path& path,
                          const std::vector<SettingInfo>& known, const ReportSettings& settings) {
  const auto replay = replay_of(recording, known, settings);
  if (!replay) return replay.error();
  const auto html = replay_page(*replay);
  if (!html) return html.error();
  return write_whole(path, *html);
}

}  // namespace repose::report
