#pragma once

#include <array>
#include <string>
#include <vector>

#include "repose/world/state.h"

namespace repose::exchange {

/// Triangles as VTK wants them: per point a normal, per triangle its body and colour.
struct VtpMesh {
  std::vector<Vec3> points, normals;
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> body;
  std::vector<std::array<double, 3>> color;  // linear RGB
};

/// XML PolyData with base64 arrays, little endian, 64-bit lengths.
std::string vtp_text(const VtpMesh& mesh);
/// Contact points as vertices with normal, force, gap and the two bodies.
std::string vtp_text(const std::vector<Contact>& contacts);

}  // namespace repose::exchange
