#include "repose/shape/mesh_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "shape/define/validate.h"
#include "shape/mesh/mesh.h"
#include "shape/mesh/mesh_topology.h"

namespace repose::shape {
namespace {

Result<BytesPtr> bytes_of(const std::string& path) {
  auto file = PlainFile::open(path, "the path of a mesh file");
  if (!file) return file.error();
  if (file->size() > kMaxMeshBytes)
    return fault("", fmt::format("{} bytes", file->size()), "the file is too large",
                 fmt::format("at most {} bytes", kMaxMeshBytes));
  return BytesPtr(std::make_shared<FileBytes>(std::move(*file)));
}

Result<TriangleMesh> read_by_ending(const std::string& path, const BytesPtr& bytes) {
  std::string ending = std::filesystem::path(path).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".obj") return read_obj(*bytes);
  if (ending == ".stl") return read_stl(*bytes);
  if (ending == ".ply") return read_ply(*bytes);
  if (ending == ".gltf" || ending == ".glb") return read_gltf(path, bytes);
  if (ending == ".dae") return read_collada(path, *bytes);
  return fault("", ending, "the mesh format is unknown", ".obj, .stl, .ply, .gltf, .glb or .dae");
}

}  // namespace

Fault check_mesh_size(std::uint64_t points, std::uint64_t triangles) {
  if (points <= kMaxMeshPoints && triangles <= kMaxMeshTriangles) return {};
  return fault(
      "",
      points > kMaxMeshPoints ? fmt::format("{} points", points)
                              : fmt::format("{} triangles", triangles),
      "the mesh is too large",
      fmt::format("at most {} points and {} triangles", kMaxMeshPoints, kMaxMeshTriangles));
}

void CornerRun::add(int corner, std::vector<std::array<int, 3>>* triangles) {
  if (count_ >= 2) {
    const bool odd = kind_ == Kind::strip && count_ % 2 == 1;
    if (odd == turned_)
      triangles->push_back({before_, last_, corner});
    else
      triangles->push_back({last_, before_, corner});
  }
  // a fan keeps its first corner, a strip the two last, a list begins again
  if (count_ == 0 || (kind_ == Kind::strip && count_ >= 2)) before_ = count_ == 0 ? corner : last_;
  last_ = corner;
  count_ = kind_ == Kind::list && count_ == 2 ? 0 : count_ + 1;
}

Result<TriangleMesh> read_mesh_as_written(const std::string& path) {
  const auto in_file = [&](InputError error) {
    if (error.file.empty()) error.file = path;
    return error;
  };
  const auto bytes = bytes_of(path);
  if (!bytes) return in_file(bytes.error());
  auto mesh = read_by_ending(path, *bytes);
  if (!mesh) return in_file(mesh.error());
  if (mesh->triangles.empty())
    return in_file(
        fault("", "", "the file holds no triangles", "faces with three or more corners"));
  return mesh;
}

Result<TriangleMesh> read_mesh_file(const std::string& path) {
  const auto mesh = read_mesh_as_written(path);
  if (!mesh) return mesh.error();
  return welded(*mesh);
}

TriangleMesh weld(const TriangleMesh& mesh) {
  return welded(mesh);
}

}  // namespace repose::shape
