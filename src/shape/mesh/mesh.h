#pragma once

#include <array>
#include <string>

#include "repose/base/result.h"
#include "repose/shape/shape.h"

#include "shape/define/validate.h"
#include "shape/mesh/bytes.h"

namespace repose::shape {

/// Larger files are refused unread, and larger meshes while they are read.
inline constexpr std::uint64_t kMaxMeshBytes = std::uint64_t{1} << 30;
inline constexpr std::size_t kMaxMeshPoints = std::size_t{1} << 22;
inline constexpr std::size_t kMaxMeshTriangles = std::size_t{1} << 22;

// One reader per format, over the file's bytes. What they answer has indices in range and finite
// coordinates. Errors carry line or byte, value, wrong, right; the caller adds the file.
Result<TriangleMesh> read_obj(const Bytes& bytes);
Result<TriangleMesh> read_stl(const Bytes& bytes);
Result<TriangleMesh> read_ply(const Bytes& bytes);
/// glTF 2.0, text or GLB, node transforms applied; `path` is where the bytes come from: buffers are
/// looked for beside it.
Result<TriangleMesh> read_gltf(const std::string& path, const BytesPtr& bytes);
/// COLLADA: the scene's geometry in metres, node transforms applied, axes as written.
Result<TriangleMesh> read_collada(const std::string& path, const Bytes& bytes);
class GltfDocument;
/// One mesh of a glTF file in its own frame.
Result<TriangleMesh> read_gltf_mesh(GltfDocument* document, std::size_t mesh);

/// Nothing if a mesh may have that many points and triangles.
Fault check_mesh_size(std::uint64_t points, std::uint64_t triangles);

/// Triangles from a run of corners. Those that name a corner twice stay: welding drops them.
class CornerRun {
 public:
  enum class Kind { list, strip, fan };
  /// `turned`: every triangle the other way round.
  explicit CornerRun(Kind kind, bool turned = false) : kind_(kind), turned_(turned) {}

  void add(int corner, std::vector<std::array<int, 3>>* triangles);
  /// Corners since the beginning or the last restart.
  std::size_t count() const { return count_; }
  void restart() { count_ = 0; }

 private:
  Kind kind_;
  bool turned_;
  std::size_t count_ = 0;
  int before_ = 0, last_ = 0;
};

}  // namespace repose::shape
