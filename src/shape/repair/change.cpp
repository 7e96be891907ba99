#include "shape/repair/change.h"

#include <algorithm>

namespace repose::shape {

void ChangeNote::reach(const Vec3& p) {
  change_.low = empty_ ? p : Vec3(change_.low.cwiseMin(p));
  change_.high = empty_ ? p : Vec3(change_.high.cwiseMax(p));
  empty_ = false;
}

void ChangeNote::add(const TriangleMesh& mesh, const std::array<int, 3>& c) {
  const Vec3 &p = mesh.points[c[0]], &q = mesh.points[c[1]], &r = mesh.points[c[2]];
  change_.area += 0.5 * (q - p).cross(r - p).norm();
  for (const Vec3& corner : {p, q, r}) reach(corner);
}

void ChangeNote::move(const Vec3& from, const Vec3& to) {
  change_.displacement = std::max(change_.displacement, (to - from).norm());
  reach(from);
  reach(to);
}

}  // namespace repose::shape
