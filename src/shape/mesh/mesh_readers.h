#pragma once

#include <string>
#include <string_view>

#include "repose/base/result.h"
#include "repose/shape/shape.h"

namespace repose::shape {

/// More corners than this do not fit our 32-bit indices.
inline constexpr std::size_t kMaxMeshEntries = 1u << 30;

// One reader per format, over the whole file's bytes. Errors carry line, value, wrong, right; the
// caller adds the file. Indices are checked, coordinates may still be anything.
Result<TriangleMesh> read_obj(std::string_view bytes);
Result<TriangleMesh> read_stl(std::string_view bytes);
Result<TriangleMesh> read_ply(std::string_view bytes);
/// glTF and GLB, through Assimp, node transforms applied; `bytes` are those of the file at `path`.
Result<TriangleMesh> read_gltf(const std::string& path, std::string_view bytes);

/// Appends the polygon cut into triangles that all share its first corner.
void append_fan(const std::vector<int>& polygon, TriangleMesh* mesh);

}  // namespace repose::shape
