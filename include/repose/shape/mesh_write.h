#pragma once

#include <string>

#include "repose/base/result.h"
#include "repose/shape/shape.h"

namespace repose::shape {

/// Numbers of a file.
enum class MeshNumbers {
  full,    // every coordinate reads back to the same bits
  single,  // 32 bits, as other tools expect them in a binary STL
};

/// The bytes of a mesh file: ".obj" (text), ".ply" (binary) or ".stl" (text, or with single numbers
/// binary). The error names the endings there are.
Result<std::string> mesh_bytes(const TriangleMesh& mesh, const std::string& ending,
                               MeshNumbers numbers = MeshNumbers::full);

}  // namespace repose::shape
