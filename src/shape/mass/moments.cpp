#include "shape/mass/moments.h"

namespace repose::shape {
namespace {

/// Inertia tensor from the second-moment matrix.
Mat3 inertia_from(const Mat3& second) {
  return second.trace() * Mat3::Identity() - second;
}

Mat3 second_from(const Mat3& inertia) {
  return 0.5 * inertia.trace() * Mat3::Identity() - inertia;
}

}  // namespace

VolumeProperties properties_from(const Moments& moments, const Vec3& reference) {
  VolumeProperties out;
  out.volume = moments.volume;
  out.area = moments.area;
  if (!(moments.volume > 0.0)) {
    out.center = reference;
    return out;
  }
  const Vec3 offset = moments.first / moments.volume;
  out.center = reference + offset;
  Mat3 central = moments.second - moments.volume * offset * offset.transpose();
  central = 0.5 * (central + central.transpose()).eval();
  out.inertia = inertia_from(central);
  return out;
}

VolumeProperties mesh_properties(const TriangleMesh& mesh) {
  if (mesh.points.empty()) return {};
  Vec3 low = mesh.points[0], high = low;
  for (const Vec3& p : mesh.points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const Vec3 reference = low + 0.5 * (high - low);
  Moments sum;
  for (const auto& c : mesh.triangles) {
    // the tetrahedron from the reference point
    const Vec3 a = mesh.points[c[0]] - reference;
    const Vec3 b = mesh.points[c[1]] - reference;
    const Vec3 d = mesh.points[c[2]] - reference;
    const double det = a.dot(b.cross(d));
    const Vec3 s = a + b + d;
    sum.area += 0.5 * (b - a).cross(d - a).norm();
    sum.volume += det / 6.0;
    sum.first += det / 24.0 * s;
    sum.second += det / 120.0 *
                  (s * s.transpose() + a * a.transpose() + b * b.transpose() + d * d.transpose());
  }
  return properties_from(sum, reference);
}

double mesh_area(const TriangleMesh& mesh) {
  double area = 0.0;
  for (const auto& c : mesh.triangles)
    area +=
        0.5 *
        (mesh.points[c[1]] - mesh.points[c[0]]).cross(mesh.points[c[2]] - mesh.points[c[0]]).norm();
  return area;
}

TriangleMesh triangles_of(const ConvexPolyhedron& polyhedron) {
  TriangleMesh mesh;
  mesh.points = polyhedron.points;
  for (const auto& face : polyhedron.faces)
    for (std::size_t k = 1; k + 1 < face.size(); ++k)
      mesh.triangles.push_back({face[0], face[k], face[k + 1]});
  return mesh;
}

VolumeProperties sum_of(const std::vector<VolumeProperties>& parts) {
  VolumeProperties out;
  if (parts.empty()) return out;
  Moments sum;
  const Vec3 reference = parts[0].center;
  for (const VolumeProperties& part : parts) {
    const Vec3 d = part.center - reference;
    sum.area += part.area;
    sum.volume += part.volume;
    sum.first += part.volume * d;
    sum.second += second_from(part.inertia) + part.volume * d * d.transpose();
    out.error = std::max(out.error, part.error);
  }
  const double error = out.error;
  out = properties_from(sum, reference);
  out.error = error;
  return out;
}

VolumeProperties moved(const VolumeProperties& properties, const Pose& pose) {
  VolumeProperties out = properties;
  const Mat3 turn = pose.rotation.toRotationMatrix();
  out.center = pose * properties.center;
  out.inertia = turn * properties.inertia * turn.transpose();
  return out;
}

}  // namespace repose::shape
