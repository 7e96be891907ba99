#include "check/verdict/skin_side.h"

#include "repose/base/at.h"
#include "repose/math/exact.h"

namespace repose::check {

// the ray goes along nothing that lattices have
Side side_of(const Vec3& p, const SkinMesh& mesh) {
  const Vec3 ray(0.318309886, 0.141421356, 0.937426252);
  int around = 0;
  for (std::size_t t = 0; t < mesh.triangles().size(); ++t) {
    if (!mesh.shape->in_closed[t] || (p.array() > mesh.boxes[t].high.array()).any()) continue;
    const auto& [a, b, c] = mesh.triangles()[t];
    const std::array<Vec3, 3> corner{mesh.points[at(a)], mesh.points[at(b)], mesh.points[at(c)]};
    // on which side of each edge the ray passes, seen from its end
    int above = 0, below = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const int turn = orient_about(p, ray, corner[k], corner[(k + 1) % 3]);
      above += turn > 0 ? 1 : 0;
      below += turn < 0 ? 1 : 0;
    }
    if (above > 0 && below > 0) continue;
    if (above < 3 && below < 3) return Side::unknown;  // the ray meets an edge
    const int height = orient3d(corner[0], corner[1], corner[2], p);
    if (height == 0) return Side::unknown;
    // the triangle lies ahead
    if (above == 3 && height < 0) ++around;
    if (below == 3 && height > 0) --around;
  }
  return around != 0 ? Side::inside : Side::outside;
}

}  // namespace repose::check
