#include "find_file.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include <fmt/format.h>

namespace repose::handover {

namespace {

namespace fs = std::filesystem;

/// Where ROS and Gazebo look for packages and models.
constexpr std::array kVariables{"ROS_PACKAGE_PATH", "GZ_SIM_RESOURCE_PATH", "SDF_PATH",
                                "GAZEBO_MODEL_PATH", "IGN_GAZEBO_RESOURCE_PATH"};
constexpr int kMostFoldersUp = 32;
constexpr double kDegree = std::numbers::pi / 180.0;

bool is_there(const fs::path& path) {
  std::error_code failed;
  return fs::exists(path, failed);
}

std::vector<fs::path> listed(const char* variable) {
  std::vector<fs::path> out;
  const char* value = std::getenv(variable);
  std::string rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) out.emplace_back(rest.substr(0, end));
    rest.erase(0, std::min(end + 1, rest.size()));
  }
  return out;
}

/// Folders in which a package may lie, nearest first.
std::vector<fs::path> places_around(const fs::path& document) {
  std::vector<fs::path> out;
  std::error_code failed;
  fs::path at = fs::absolute(document, failed).parent_path();
  for (int up = 0; up < kMostFoldersUp && !at.empty(); ++up) {
    out.push_back(at);
    out.push_back(at / "models");
    if (at == at.parent_path()) break;
    at = at.parent_path();
  }
  for (const char* variable : kVariables)
    for (const fs::path& place : listed(variable)) out.push_back(place);
  return out;
}

fs::path in_package(const Word& uri, const std::string& below) {
  const std::string name = below.substr(0, below.find('/'));
  for (const fs::path& place : places_around(uri.at.document->file())) {
    if (is_there(place / below)) return place / below;
    // the folder itself may be the package, under another name than the way to it tells
    const fs::path rest = fs::path(below.substr(std::min(name.size() + 1, below.size())));
    if (place.filename() == name && is_there(place / rest)) return place / rest;
  }
  uri.refuse(fmt::format("\"{}\" is in none of the folders around the file", below),
             "the package beside the file, or its folder in ROS_PACKAGE_PATH or "
             "GZ_SIM_RESOURCE_PATH");
}

}  // namespace

std::string ending_of(const fs::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return ending;
}

fs::path find_file(const Word& uri) {
  std::string text = uri.text;
  text.erase(0, std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (text.empty()) uri.refuse("no file is named", "the path of a file");
  for (const char* scheme : {"package://", "model://"})
    if (text.starts_with(scheme)) return in_package(uri, text.substr(std::string(scheme).size()));
  constexpr std::string_view kFile = "file://";
  if (text.starts_with(kFile)) text.erase(0, kFile.size());
  if (text.find("://") != std::string::npos)
    uri.refuse("what lies on another machine is not fetched", "a file of this one");
  const fs::path beside = fs::path(uri.at.document->file()).parent_path() / text;
  if (!is_there(beside)) uri.refuse("there is no such file", "a file that is there");
  return beside;
}

Quat rotation_from_rpy(const Vec3& rpy) {
  const Quat turn = Eigen::AngleAxisd(rpy.z(), Vec3::UnitZ()) *
                    Eigen::AngleAxisd(rpy.y(), Vec3::UnitY()) *
                    Eigen::AngleAxisd(rpy.x(), Vec3::UnitX());
  return turn.normalized();
}

Quat rotation_about(const std::string& axes, const std::vector<double>& degrees) {
  Quat out = Quat::Identity();
  for (std::size_t i = 0; i < axes.size(); ++i)
    out = Eigen::AngleAxisd(degrees[i] * kDegree, Vec3::Unit(axes[i] - 'X')) * out;
  return out.normalized();
}

Vec3 degrees_about(const std::string& axes, const Quat& rotation) {
  const int a = axes[0] - 'X', b = axes[1] - 'X', c = axes[2] - 'X';
  const double side = (b - a + 3) % 3 == 1 ? 1.0 : -1.0;  // of an odd order of axes
  // one turn after the other is taken off, so that nothing is lost where the second is a right
  // angle
  Mat3 left = rotation.toRotationMatrix();
  const double level = std::hypot(left(a, a), left(b, a));
  constexpr double kUpright = 1e-12;  // the first axis points along the last: any turn will do
  const double third = level > kUpright ? side * std::atan2(left(b, a), left(a, a)) : 0.0;
  left = Eigen::AngleAxisd(-third, Vec3::Unit(c)) * left;
  const double second = std::atan2(-side * left(c, a), left(a, a));
  left = Eigen::AngleAxisd(-second, Vec3::Unit(b)) * left;
  const double first = side * std::atan2(left(c, b), left(b, b));
  return Vec3(first, second, third) / kDegree;
}

Vec3 rpy_from_rotation(const Quat& rotation) {
  return kDegree * degrees_about("XYZ", rotation);
}

}  // namespace repose::handover
