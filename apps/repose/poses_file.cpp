#include "poses_file.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "repose/base/json.h"

namespace {

namespace fs = std::filesystem;
using repose::InputError;
using repose::JsonKind;
using repose::JsonView;
using repose::Result;

constexpr const char* kColumns = "body,x,y,z,qw,qx,qy,qz";
constexpr std::size_t kColumnCount = 8;

bool is_csv(const std::string& path) {
  return fs::path(path).extension() == ".csv";
}

/// Position and orientation from x, y, z, qw, qx, qy, qz; false where they are no pose.
bool make_pose(const double (&v)[7], repose::Pose& out) {
  out.position = {v[0], v[1], v[2]};
  const repose::Quat q(v[3], v[4], v[5], v[6]);
  if (!out.position.allFinite() || !q.coeffs().allFinite() || !(q.norm() > 0.0)) return false;
  out.rotation = q.normalized();
  return true;
}

Result<PosesFile> read_csv(const std::string& path) {
  std::ifstream in(path);
  InputError error;
  error.file = path;
  std::string line;
  if (!std::getline(in, line)) {
    error.wrong = "cannot be read";
    error.right = kColumns;
    return error;
  }
  if (!line.empty() && line.back() == '\r') line.pop_back();
  error.line = 1;
  error.value = line;
  error.wrong = "not the columns of a poses file";
  error.right = kColumns;
  if (line != kColumns) return error;
  PosesFile out;
  out.file = path;
  while (std::getline(in, line)) {
    ++error.line;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    std::vector<std::string> cells;
    std::stringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    error.value = line;
    error.wrong = "not a name and seven numbers";
    if (cells.size() != kColumnCount) return error;
    double v[7];
    for (std::size_t k = 0; k < 7; ++k) {
      char* end = nullptr;
      v[k] = std::strtod(cells[k + 1].c_str(), &end);
      if (end == cells[k + 1].c_str() || *end != '\0') return error;
    }
    NamedPose pose;
    pose.body = cells[0];
    error.wrong = "not a finite place and an orientation of some length";
    if (!make_pose(v, pose.pose)) return error;
    out.poses.push_back(std::move(pose));
  }
  return out;
}

/// `count` numbers of an array.
bool read_numbers(const JsonView& view, std::size_t count, double* out) {
  if (view.kind() != JsonKind::array || view.size() != count) return false;
  return view.each([&](const JsonView& number) {
    if (number.kind() != JsonKind::number) return false;
    *out++ = number.number();
    return true;
  });
}

Result<NamedPose> read_entry(const JsonView& entry) {
  if (entry.kind() != JsonKind::object)
    return entry.error("not an object", "body, position, orientation_wxyz");
  NamedPose out;
  double v[7] = {0, 0, 0, 1, 0, 0, 0};
  std::optional<InputError> bad;
  bool named = false, placed = false;
  entry.each_member([&](const JsonView& key, const JsonView& value) {
    const std::string name = key.text();
    if (name == "body" && value.kind() == JsonKind::text) {
      out.body = value.text();
      named = true;
    } else if (name == "position") {
      placed = read_numbers(value, 3, v);
      if (!placed) bad = value.error("not a position", "[x, y, z] in metres");
    } else if (name == "orientation_wxyz") {
      if (!read_numbers(value, 4, v + 3)) bad = value.error("not an orientation", "[w, x, y, z]");
    } else {
      bad = key.error("not a member of a pose", "body, position, orientation_wxyz");
    }
    return !bad;
  });
  if (bad) return *bad;
  if (!named || !placed) return entry.error("a pose without body or position", "both");
  if (!make_pose(v, out.pose))
    return entry.error("an orientation without length", "a quaternion w, x, y, z");
  return out;
}

Result<PosesFile> read_json(const std::string& path) {
  const auto document = repose::JsonDocument::read(path);
  if (!document) return document.error();
  const JsonView root = (*document)->root();
  if (root.kind() != JsonKind::object) return root.error("not an object", "scene, poses");
  PosesFile out;
  out.file = path;
  std::optional<InputError> bad;
  root.each_member([&](const JsonView& key, const JsonView& value) {
    const std::string name = key.text();
    if (name == "scene" && value.kind() == JsonKind::text) {
      out.scene = value.text();
    } else if (name == "poses" && value.kind() == JsonKind::array) {
      value.each([&](const JsonView& entry) {
        auto pose = read_entry(entry);
        if (pose)
          out.poses.push_back(std::move(*pose));
        else
          bad = pose.error();
        return !bad;
      });
    } else {
      bad = key.error("not a member of a poses file", "scene (a text), poses (an array)");
    }
    return !bad;
  });
  if (bad) return *bad;
  return out;
}

}  // namespace

bool is_poses_file(const std::string& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return false;
  if (is_csv(path)) return true;
  if (fs::path(path).extension() != ".json") return false;
  const auto document = repose::JsonDocument::read(path);
  if (!document) return false;  // the scene's reader tells what is wrong
  const JsonView root = (*document)->root();
  return root.kind() == JsonKind::object && root.find("poses").has_value();
}

Result<PosesFile> read_poses(const std::string& path) {
  return is_csv(path) ? read_csv(path) : read_json(path);
}
