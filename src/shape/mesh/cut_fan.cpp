#include "repose/shape/cut_fan.h"

#include "repose/base/work.h"

#include "shape/tessellate/polygon_triangles.h"

namespace repose::shape {
namespace {

std::vector<int> corners_of(std::size_t first, const TriangleMesh& mesh) {
  std::vector<int> out{mesh.triangles[first][0], mesh.triangles[first][1]};
  for (std::size_t t = first; t < mesh.triangles.size(); ++t) out.push_back(mesh.triangles[t][2]);
  return out;
}

/// The polygon seen against its normal: counter-clockwise as a whole.
std::vector<Vec2> flattened(const std::vector<int>& corners, const TriangleMesh& mesh) {
  const std::size_t n = corners.size();
  const auto point = [&](std::size_t i) {
    return mesh.points[static_cast<std::size_t>(corners[i % n])];
  };
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 0; i < n; ++i)
    normal += (point(i) - point(0)).cross(point(i + 1) - point(0));
  int up = 0;
  normal.cwiseAbs().maxCoeff(&up);
  const int u = (up + 1) % 3, v = (up + 2) % 3;
  const double side = normal[up] < 0.0 ? -1.0 : 1.0;
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < n; ++i) out.emplace_back(point(i)[u], side * point(i)[v]);
  return out;
}

bool has_inward_corner(const std::vector<Vec2>& loop) {
  const std::size_t n = loop.size();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 in = loop[(i + 1) % n] - loop[i], out = loop[(i + 2) % n] - loop[(i + 1) % n];
    if (in.x() * out.y() - in.y() * out.x() < 0.0) return true;
  }
  return false;
}

}  // namespace

void cut_fan(std::size_t first, TriangleMesh* mesh) {
  if (first + 2 > mesh->triangles.size()) return;
  const auto corners = corners_of(first, *mesh);
  if (corners.size() > kMostFanCorners) return;
  const auto loop = flattened(corners, *mesh);
  if (!has_inward_corner(loop)) return;
  spend_work(corners.size() * corners.size());
  const auto cut = triangulate({loop, {}});
  for (std::size_t t = 0; t < cut.size() && first + t < mesh->triangles.size(); ++t)
    for (std::size_t k = 0; k < 3; ++k)
      mesh->triangles[first + t][k] = corners[static_cast<std::size_t>(cut[t][k])];
}

}  // namespace repose::shape
