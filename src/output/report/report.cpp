#include "repose/report/report.h"

#include "repose/base/whole_file.h"

namespace repose::report {

Result<Done> write_report(const Recording& recording, const std::filesystem::path& path,
                          const std::vector<SettingInfo>& known, const ReportSettings& settings) {
  const auto replay = replay_of(recording, known, settings);
  if (!replay) return replay.error();
  const auto html = replay_page(*replay);
  if (!html) return html.error();
  if (auto done = write_whole(path, *html); !done || replay->stamp.empty()) return done;
  // pages that are open learn of this one
  return write_whole(path.parent_path() / kStampFile,
                     "window.reposeStamp = \"" + replay->stamp + "\";\n");
}

}  // namespace repose::report
