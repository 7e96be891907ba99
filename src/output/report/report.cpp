#include "repose/report/report.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace repose::report {
namespace {

InputError cannot_write(const std::filesystem::path& path, const std::string& reason) {
  InputError error;
  error.file = path.string();
  error.wrong = "cannot be written: " + reason;
  error.right = "a writable folder with room on the disk";
  return error;
}

}  // namespace

Result<Done> write_page(const std::string& html, const std::filesystem::path& path) {
  // written beside its place, then moved there at once
  std::filesystem::path part = path;
  part += ".part";
  errno = 0;
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    file.write(html.data(), static_cast<std::streamsize>(html.size()));
    file.close();
    if (!file) {
      const InputError error = cannot_write(path, std::strerror(errno));
      std::error_code ignored;
      std::filesystem::remove(part, ignored);
      return error;
    }
  }
  std::error_code moved;
  std::filesystem::rename(part, path, moved);
  if (moved) return cannot_write(path, moved.message());
  return Done{};
}

Result<Done> write_report(const Recording& recording, const std::filesystem::path& path,
                          const std::vector<SettingInfo>& known, const ReportSettings& settings) {
  const auto replay = replay_of(recording, known, settings);
  if (!replay) return replay.error();
  const auto html = replay_page(*replay);
  if (!html) return html.error();
  return write_page(*html, path);
}

}  // namespace repose::report
