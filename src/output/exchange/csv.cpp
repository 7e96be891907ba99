#include "repose/exchange/csv.h"

#include <cmath>

#include <fmt/format.h>

#include "repose/base/whole_file.h"

namespace repose::exchange {
namespace {

// quoted where the name holds a comma, a quote or a line end
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string cell(double number) {
  return std::isfinite(number) ? fmt::format("{}", number) : std::string();
}

std::string series_text(const Recording& recording) {
  std::string out = "frame,step,time";
  std::vector<std::vector<double>> columns;
  for (const std::string& name : recording.series_names()) {
    out += "," + cell(name);
    columns.push_back(recording.series(name));
  }
  out += "\n";
  for (std::size_t f = 0; f < recording.times().size(); ++f) {
    out += fmt::format("{},{},{}", f, recording.steps()[f], cell(recording.times()[f]));
    for (const auto& column : columns) out += "," + cell(column[f]);
    out += "\n";
  }
  return out;
}

Result<std::string> poses_text(const Recording& recording) {
  std::string out =
      "frame,step,time,body,x,y,z,orientation_w,orientation_x,orientation_y,orientation_z\n";
  for (int f = 0; f < recording.frame_count(); ++f) {
    const auto frame = recording.frame(f);
    if (!frame) return frame.error();
    for (std::size_t i = 0; i < frame->bodies.size(); ++i) {
      const Pose& pose = frame->poses[i];
      const auto& body = recording.bodies()[static_cast<std::size_t>(frame->bodies[i])];
      out +=
          fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", f, frame->step, cell(frame->time),
                      cell(body.name), pose.position.x(), pose.position.y(), pose.position.z(),
                      pose.rotation.w(), pose.rotation.x(), pose.rotation.y(), pose.rotation.z());
    }
  }
  return out;
}

}  // namespace

Result<Done> write_csv(const Recording& recording, const std::filesystem::path& path) {
  const auto poses = poses_text(recording);
  if (!poses) return poses.error();
  auto written = write_whole(path, series_text(recording));
  if (!written) return written;
  const auto beside = path.stem().string() + "-poses" + path.extension().string();
  return write_whole(path.parent_path() / beside, *poses);
}

}  // namespace repose::exchange
