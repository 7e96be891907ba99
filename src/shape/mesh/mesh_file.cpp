#include "repose/shape/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "shape/define/validate.h"
#include "shape/mesh/mesh_readers.h"
#include "shape/mesh/mesh_topology.h"

namespace repose::shape {
namespace {

/// Larger files are refused unread.
constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{8} << 30;

Result<std::string> bytes_of(const std::string& path) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code))
    return fault("", path, "there is no such file", "the path of a mesh file");
  const std::uintmax_t size = std::filesystem::file_size(path, code);
  if (code || size > kMaxFileBytes)
    return fault("", path, "the file is too large to read", "at most 8 GiB");
  std::string bytes(size, '\0');
  std::ifstream in(path, std::ios::binary);
  if (!in.read(bytes.data(), static_cast<std::streamsize>(size)))
    return fault("", path, "the file cannot be read", "a readable file");
  return bytes;
}

Result<TriangleMesh> read_by_ending(const std::string& path, const std::string& bytes) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".obj") return read_obj(bytes);
  if (ending == ".stl") return read_stl(bytes);
  if (ending == ".ply") return read_ply(bytes);
  if (ending == ".gltf" || ending == ".glb") return read_gltf(path, bytes);
  return fault("", ending, "the mesh format is unknown", ".obj, .stl, .ply, .gltf or .glb");
}

Fault check_coordinates(const TriangleMesh& mesh) {
  for (std::size_t i = 0; i < mesh.points.size(); ++i)
    if (!((mesh.points[i].array().abs() <= kMaxLength).all()))
      return check_point(fmt::format("vertex {}", i), mesh.points[i]);
  return {};
}

}  // namespace

void append_fan(const std::vector<int>& polygon, TriangleMesh* mesh) {
  for (std::size_t k = 1; k + 1 < polygon.size(); ++k)
    mesh->triangles.push_back({polygon[0], polygon[k], polygon[k + 1]});
}

Result<TriangleMesh> read_mesh_file(const std::string& path) {
  const auto in_file = [&](InputError error) {
    error.file = path;
    return error;
  };
  const auto bytes = bytes_of(path);
  if (!bytes) return in_file(bytes.error());
  const auto mesh = read_by_ending(path, *bytes);
  if (!mesh) return in_file(mesh.error());
  if (auto bad = check_coordinates(*mesh)) return in_file(*bad);
  if (mesh->triangles.empty())
    return in_file(
        fault("", "", "the file holds no triangles", "faces with three or more corners"));
  return welded(*mesh);
}

}  // namespace repose::shape
